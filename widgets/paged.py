"""Something to work in, and pages about it: beside each other where there is room, else one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from bothways.widgets.page import Page
from bothways.widgets.plain import Line, line
from bothways.widgets.tabs import TabBar

__all__ = ["Paged"]


class Paged(Vertical):
    """Shows a widget and pages, under the names of both; the first name is the widget's own.

    `write` makes the page of a name, when it is shown.
    """

    WIDE: ClassVar[int] = 110
    """Columns from which the widget and a page stand side by side, as the screens' breakpoints have it."""
    DEFAULT_CSS = """
    Paged {
        & TabBar { background: $panel; }
        & Page { display: none; width: 1fr; padding: 0 1; }
        &.-beside Page { display: block; border-left: vkey $panel; }
        &.-covered Page { display: block; }
        &.-covered .paged { display: none; }
    }
    """

    def __init__(
        self,
        widget: Widget,
        names: Sequence[str],
        write: Callable[[str], Sequence[Line]],
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._names = tuple(names)
        self._write = write
        self._open = self._names[0]
        self._widget = widget.add_class("paged")
        self._tabs = TabBar()
        self._page = Page([line("reading …", "muted")])

    def compose(self) -> ComposeResult:
        """Lay out the names, the widget and one page."""
        yield self._tabs
        with Horizontal():
            yield self._widget
            yield self._page

    @property
    def covered(self) -> bool:
        """Whether a page stands where the widget was."""
        return self.has_class("-covered")

    def show(self) -> None:
        """Show what is open as it is now."""
        beside = self.app.size.width >= self.WIDE
        names = self._names[1:] if beside else self._names
        if self._open not in names:
            self._open = names[0]
        own = self._open == self._names[0]
        self.set_class(beside, "-beside")
        self.set_class(not beside and not own, "-covered")
        self._tabs.set_tabs(names, self._open)
        if not own:
            self._page.show(self._write(self._open), keep_place=True)

    def turn(self, by: int) -> None:
        """Open the next of the names, or the one before."""
        names = self._tabs.names
        self.open(names[(names.index(self._open) + by) % len(names)])

    def uncover(self) -> None:
        """Go back from a page to the widget."""
        self.open(self._names[0])

    def open(self, name: str) -> None:
        """Open a page, or the widget, and give it the keys."""
        self._open = name
        self.show()
        if self.covered:
            self._page.focus()
        else:
            next((one for one in self._widget.query("*") if one.focusable), self._widget).focus()

    @on(TabBar.Clicked)
    def _clicked(self, event: TabBar.Clicked) -> None:
        event.stop()
        self.open(event.name)

    def on_resize(self) -> None:
        """Go back to the widget where there is no room for both, unless somebody reads the page."""
        if self.app.size.width < self.WIDE and not self._page.has_focus:
            self._open = self._names[0]
        self.show()
