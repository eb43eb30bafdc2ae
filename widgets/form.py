"""A form as a list: one line a field, and an entry below it that fills in the line under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from bothways.engine.text import visible_line
from bothways.widgets.columns import Cells, Column
from bothways.widgets.entry import Entry
from bothways.widgets.keybar import Hint
from bothways.widgets.lines import Brief
from bothways.widgets.listing import Listing
from bothways.widgets.plain import Line

__all__ = ["Form"]

_HINTS = (
    Hint("entry.take", "enter", "take it"),
    Hint("form.next", "tab", "fill in next"),
    Hint("entry.empty", "ctrl+u", "empty"),
    Hint("form.close", "esc", "leave, what is typed stays"),
)


class Form(Vertical):
    """Shows fields and lets one be typed into at a time; the screen decides what a field is.

    What is typed is told at once, so that nothing is lost however the entry is left: enter goes to the next
    line, tab opens it, escape stays; none of them takes anything back.
    """

    DEFAULT_CSS = """
    Form {
        & Listing { height: 1fr; }
        & Input { height: 1; border: none; padding: 0 1; background: $panel; }
        & Input:focus { border: none; background: $primary-muted; }
        & Brief { height: 3; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close(0)", "Leave the entry", show=False, id="form.close"),
        Binding("tab", "close(1)", "Fill in the next line", show=False, id="form.next"),
        Binding("shift+tab", "close(-1)", "Fill in the line before", show=False, id="form.previous"),
    ]

    @dataclass
    class Typed(Message):
        """The line under the cursor says something else now."""

        row: int
        """The number of the line, from 0."""
        text: str
        """What it says."""

    @dataclass
    class Opened(Message):
        """A line is to be filled in."""

        row: int
        """The number of the line, from 0."""
        step: int = 1
        """Where it was come from, and so where to go on: 1 downwards, -1 upwards."""

    @dataclass
    class Moved(Message):
        """The cursor stands on another line, or the entry was left."""

        row: int
        """The number of the line, from 0."""

    def __init__(self, columns: Sequence[Column], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._list = Listing(columns, id="fields")
        self._entry = Entry(id="entry")
        self._entry.can_focus = False
        self._explained = Brief(id="explained")
        self._said: str | None = None

    def compose(self) -> ComposeResult:
        """Lay out the lines, the entry and what is said of the line under the cursor."""
        yield self._list
        yield self._entry
        yield self._explained

    def on_mount(self) -> None:
        """Leave the entry when the cursor goes to another line."""
        self.watch(self._list, "cursor", self._moved, init=False)

    @property
    def cursor(self) -> int:
        """The number of the line under the cursor."""
        return self._list.cursor

    @property
    def editing(self) -> bool:
        """Whether the entry is open."""
        return self._said is not None

    @property
    def hints(self) -> Sequence[Hint]:
        """The keys that work while the entry is open."""
        return _HINTS

    def show(self, rows: Sequence[Cells], cursor: int | None = None) -> None:
        """Show the lines; the cursor stays where it is unless it is told otherwise."""
        self._list.show(rows, cursor)

    def explain(self, said: Line) -> None:
        """Say something of the line under the cursor."""
        self._explained.show(said)

    def edit(self, text: str, suggestions: Sequence[str] = ()) -> None:
        """Open the entry on what the line says; what begins like a suggestion is completed by →."""
        self._said = visible_line(text)
        self._entry.suggester = SuggestFromList(suggestions) if suggestions else None
        self._entry.value = self._said
        self._entry.can_focus = True
        self._entry.focus()
        self._entry.cursor_position = len(self._entry.value)

    def go(self, row: int) -> None:
        """Put the cursor on a line."""
        self._list.go(row)

    def action_move(self, rows: int) -> None:
        """Move the cursor by lines."""
        self._list.action_move(rows)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Leave the keys of the entry to the screen while it is closed."""
        return self.editing if action == "close" else True

    def action_close(self, rows: int) -> None:
        """Leave the entry; with `rows` go so many lines on, and open that one."""
        self._shut()
        if rows:
            self._list.action_move(rows)
            self.post_message(self.Opened(self.cursor, rows))
        else:
            self.post_message(self.Moved(self.cursor))

    def _shut(self) -> None:
        self._said = None
        self._list.focus()
        self._entry.can_focus = False
        with self.prevent(Input.Changed):
            self._entry.value = ""

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._said is not None and event.value != self._said:
            self._said = event.value
            self.post_message(self.Typed(self.cursor, event.value))

    @on(Input.Submitted)
    def _accepted(self, event: Input.Submitted) -> None:
        event.stop()
        self._shut()
        self._list.action_move(1)
        self.post_message(self.Moved(self.cursor))

    def _moved(self, row: int) -> None:
        if self.editing:
            self._shut()
        self.post_message(self.Moved(row))

    @on(Listing.Chosen)
    def _opened(self, event: Listing.Chosen) -> None:
        event.stop()
        self.post_message(self.Opened(event.row))
