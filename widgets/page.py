"""A page of lines to read: passes, tool calls, context, history, conditions, help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from textual.strip import Strip

from bothways.widgets.lines import Rows
from bothways.widgets.plain import Line, Run
from bothways.widgets.wrap import Flow

__all__ = ["Page", "Writing"]

Writing: TypeAlias = Sequence[Line] | Callable[[int], Iterable[Line]]
"""Lines, or what makes them for a width."""


class Page(Rows):
    """Shows lines, wrapped to its width, and scrolls through them."""

    def __init__(self, lines: Writing = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = lines
        self._flow = Flow((), 1)
        self._width = 0

    def show(self, lines: Writing, *, keep_place: bool = False) -> None:
        """Show other lines, from their beginning or from where the reader is."""
        self._lines = lines
        self._width = 0
        if not keep_place:
            self.top = 0
        self.repaint()

    @property
    def text(self) -> str:
        """What the page says, as plain text."""
        return "\n".join("".join(run.text for run in line) for line in self._written(self.size.width))

    def row_line(self, number: int, width: int) -> Line | None:
        """Return one wrapped row."""
        return self._wrapped(width).row(number)

    def paint(self, y: int, width: int) -> Strip:
        """Return what one row of the screen shows; the last one says that there is more below."""
        strip = super().paint(y, width)
        height = self.size.height
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
            self._flow = Flow(self._written(width), width, hanging=True)
        return self._flow

    def _written(self, width: int) -> Iterable[Line]:
        return self._lines(width) if callable(self._lines) else self._lines

    def on_resize(self) -> None:
        """Stay within what there is at the new width."""
        self.scroll_rows_to(self.top)
