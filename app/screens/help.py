"""The keys of one place, from the one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widget import Widget

from bothways.app.desk.keys import KEYS, Key, Place, shown
from bothways.widgets.page import Page
from bothways.widgets.plain import Line, Run, line

if TYPE_CHECKING:
    from bothways.engine.errors import DataError

__all__ = ["HelpScreen", "help_page"]


_LABEL = 36
"""Characters of a label that fit beside the longest id in a window of 74 columns."""


def _unsettled(problem: DataError) -> Iterator[Line]:
    """Yield what is wrong with the settings: as long as it is, people are to see it."""
    yield line("These settings do not count", "warn")
    for one in (problem, *problem.others):
        parts = (f"line {one.place.line}" if one.place.line else "", one.place.field, one.found)
        yield line(f"  {': '.join(part for part in parts if part)}")
        yield line(f"    expected {one.expected}", "muted")
    yield line(f"  in {problem.place.file}", "muted")
    yield ()


def help_page(place: Place, focused: Widget | None = None) -> list[Line]:
    """Return every key that works in a place, and in the pane that has the focus."""
    lines: list[Line] = [line(f"Keys: {place}", "title"), *(row for key in KEYS[place] for row in _key(key))]
    if focused is not None and focused.BINDINGS:
        lines += [(), line("In this pane", "title")]
        lines += [_row(b.key, b.description) for b in focused.BINDINGS if isinstance(b, Binding)]
    everywhere = (row for key in KEYS["everywhere"] for row in _key(key))
    return [*lines, (), line("Everywhere", "title"), *everywhere]


def _key(key: Key) -> Iterator[Line]:
    """Yield a key with its id in a column of its own; below the label where that reaches into it."""
    id = Run(f" {key.id}", "muted")
    if len(key.label) > _LABEL:
        yield _row(key.keys, key.label)
        yield (*_row("", " " * _LABEL), id)
    else:
        yield (*_row(key.keys, f"{key.label:<{_LABEL}}"), id)


def _row(keys: str, label: str) -> Line:
    return (Run(f"{' '.join(shown(key.strip()) for key in keys.split(',')):>11}  ", "key"), Run(label))


class HelpScreen(ModalScreen[None]):
    """Lists the keys of the screen below it."""

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > Page {
            width: 74; max-width: 96%; height: 90%;
            border: round $primary; padding: 0 1; background: $surface;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "Close", show=False, id="help.close")
    ]

    def __init__(
        self, place: Place, focused: Widget | None = None, unsettled: DataError | None = None
    ) -> None:
        super().__init__()
        wrong = [] if unsettled is None else list(_unsettled(unsettled))
        self._lines = [*wrong, *help_page(place, focused)]

    def compose(self) -> ComposeResult:
        """Show the page."""
        page = Page(self._lines, id="help")
        page.caption("Help", "esc closes")
        yield page
