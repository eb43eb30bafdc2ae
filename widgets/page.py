"""A page of lines to read: passes, tool calls, context, history, conditions, help."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from bothways.widgets.lines import Lines
from bothways.widgets.plain import Line, Run
from bothways.widgets.wrap import Flow

__all__ = ["Page"]


class Page(Lines):
    """Shows lines, wrapped to its width, and scrolls through them."""

    def __init__(self, lines: Sequence[Line] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = lines
        self._flow = Flow(lines, 80)
        self._width = 80

    def show(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        """Show other lines, from their beginning or from where the reader is."""
        self._lines = lines
        self._width = 0
        if not keep_place:
            self.top = 0
        self.refresh()

    @property
    def text(self) -> str:
        """What the page says, as plain text."""
        return "\n".join("".join(run.text for run in line) for line in self._lines)

    def row_line(self, number: int, width: int) -> Line | None:
        """Return one wrapped row."""
        return self._wrapped(width).row(number)

    def render_line(self, y: int) -> Strip:
        """Paint one row of the screen; the last one says that there is more below."""
        strip = super().render_line(y)
        width, height = self.size
        if y + 1 < height or height < 2 or not self.reaches(self.top + height):
            return strip
        return Strip([*strip.adjust_cell_length(max(0, width - 2)), *self.segments((Run(" ▼", "key"),), 2)])

    def reaches(self, number: int) -> bool:
        """Whether there is a row of this number."""
        return self._wrapped(self.size.width).reaches(number)

    def bottom(self) -> int:
        """Return the number of all wrapped rows."""
        return self._wrapped(self.size.width).height()

    def _wrapped(self, width: int) -> Flow:
        if width != self._width:
            self._width = width
            self._flow = Flow(self._lines, width, hanging=True)
        return self._flow
