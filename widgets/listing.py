"""A list of any length that costs only the rows it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from bothways.widgets.columns import Cells, Column
from bothways.widgets.lines import Lines
from bothways.widgets.plain import Line, Run, fit, line

__all__ = ["Listing"]

_STRIPS = 500
"""Rows whose paint is kept."""


class Listing(Lines):
    """Shows rows in columns, with a cursor. `rows` may compute each row when it is asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False, id="list.up"),
        Binding("down", "move(1)", "Down", show=False, id="list.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("home", "first", "First row", show=False, id="list.first"),
        Binding("end", "last", "Last row", show=False, id="list.last"),
        Binding("enter", "choose", "Open", show=False, id="list.choose"),
    ]

    cursor: var[int] = var(0)
    """The number of the row under the cursor, from 0. Whoever watches it is told before anything is painted:
    what shows a row changes in the same repaint as the cursor."""

    @dataclass
    class Chosen(Message):
        """A row was opened, by enter or by a click."""

        listing: Listing
        """The list."""
        row: int
        """The number of the row, from 0."""

        @property
        def control(self) -> Listing:
            """The list, for `@on` with a selector."""
            return self.listing

    def __init__(
        self, columns: Sequence[Column], *, empty: Sequence[Line] = (), id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.columns = tuple(columns)
        self.empty = tuple(empty) or (line("nothing here", "muted"),)
        self.rows: Sequence[Cells] = ()
        self._strips: dict[tuple[Cells, int, bool], Strip] = {}

    def show(self, rows: Sequence[Cells], cursor: int | None = None) -> None:
        """Show other rows; the cursor stays where it is unless it is told otherwise."""
        self.rows = rows
        self.cursor = max(0, min(self.cursor if cursor is None else cursor, len(rows) - 1))
        self._into_view()
        self.repaint()

    def go(self, row: int) -> None:
        """Put the cursor on a row."""
        if self.rows:
            self.cursor = max(0, min(row, len(self.rows) - 1))
            self._into_view()
            self.repaint()

    @property
    def page(self) -> int:
        """How many rows are on the screen: one line is the header's."""
        return max(1, self.size.height - 1)

    def bottom(self) -> int:
        """Return the number of all rows."""
        return len(self.rows) + 1

    def paint(self, y: int, width: int) -> Strip:
        """Return the header, a row, or what to do when there are none."""
        if not self.rows:
            return self.strip(self.empty[y] if y < len(self.empty) else (), width)
        if y == 0:
            titles = tuple(Run(column.title, "muted") for column in self.columns)
            return self.strip(self._laid_out(titles, " ", width), width)
        number = self.top + y - 1
        if number >= len(self.rows):
            return self.strip((), width)
        return self._row(self.rows[number], width, here=number == self.cursor)

    def _row(self, cells: Cells, width: int, *, here: bool) -> Strip:
        """Return a row, painted once for as long as it stays as it is: a step changes two."""
        key = (cells, width, here)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= _STRIPS:
                self._strips.clear()
            laid = self._laid_out(cells, "▸" if here else " ", width)
            strip = self._strips[key] = self.strip(laid, width, "tone--cursor" if here else "")
        return strip

    def notify_style_update(self) -> None:
        """Forget what was painted in the old theme or the old state."""
        self._strips.clear()
        super().notify_style_update()

    def _laid_out(self, cells: Cells, mark: str, width: int) -> Line:
        shown = [
            (column, cell)
            for column, cell in zip(self.columns, cells, strict=True)
            if width >= column.from_width
        ]
        left = width - 1 - sum(column.width + 1 for column, _ in shown)
        runs = [Run(mark)]
        for column, (text, tone) in shown:
            runs.append(Run(fit(text, column.width or max(1, left), column.keep_end) + " ", tone))
        return tuple(runs)

    def _into_view(self) -> None:
        """Put a cursor that left the screen into the middle: what comes next is in sight."""
        if not self.top <= self.cursor < self.top + self.page:
            self.top = self.cursor - self.page // 2
        self.top = max(0, min(self.top, len(self.rows) - self.page))

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self.go(self.cursor + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self.go(self.cursor + pages * self.page)

    def action_first(self) -> None:
        """Move the cursor to the first row."""
        self.go(0)

    def action_last(self) -> None:
        """Move the cursor to the last row."""
        self.go(len(self.rows) - 1)

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self.rows:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row clicked; a second click opens it."""
        offset = event.get_content_offset(self)
        row = self.top + offset.y - 1 if offset is not None and offset.y > 0 else -1
        if not 0 <= row < len(self.rows):
            return
        if event.chain > 1:
            self.action_choose()
        else:
            self.go(row)

    def on_resize(self) -> None:
        """Keep the cursor on the screen."""
        self._into_view()
        self.repaint()

    def scroll_rows_to(self, top: int) -> None:
        """Scroll without moving the cursor."""
        self.top = max(0, min(top, len(self.rows) - self.page))
        self.repaint()
