"""The panes of the review: the queue, two answers, and one page about the row, at any size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, TypeAlias

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from bothways.widgets.columns import Cells, Column
from bothways.widgets.lines import Brief
from bothways.widgets.listing import Listing
from bothways.widgets.page import Page
from bothways.widgets.pages.case import asked
from bothways.widgets.pages.row import PAGES, PageName, row_page
from bothways.widgets.pair import PairView
from bothways.widgets.plain import line
from bothways.widgets.rowview import RowView, SideText
from bothways.widgets.tabs import TabBar

__all__ = ["RowPanes", "Tab", "View"]

Tab: TypeAlias = Literal["answers", "queue"] | PageName
_LEAST = (20, 4)
"""The least width and height that show anything of an answer."""
_ROOMY = (110, 30)
"""Width and height from which queue and page stand beside the answers."""
_AMPLE = 150
"""Width from which the queue has room for all of its columns."""
View: TypeAlias = Literal["differences", "markdown", "maximise", "next tab", "previous tab"]


class RowPanes(Horizontal):
    """Shows a row; where there is no room for all panes at once, the tabs say which one is shown."""

    DEFAULT_CSS = """
    RowPanes {
        height: 1fr;
        & #queue { width: 28%; min-width: 34; max-width: 60; border-right: vkey $panel; }
        &.-ample #queue { width: 52; }
        & #middle { width: 1fr; }
        & #pair { height: 2fr; }
        & #question { height: 2; padding: 0 1; }
        &.-tabbed #question { height: 1; }
        &.-narrow.see-queue #question { display: none; }
        & #page { height: 1fr; padding: 0 1; }
        &.-narrow #queue { display: none; width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow.see-queue #queue { display: block; }
        &.-narrow.see-queue #pair { display: none; }
        &.-tabbed #tabs { dock: top; }
        &.-tabbed #page { display: none; }
        &.-tabbed.see-page #page { display: block; }
        &.-tabbed.see-page #pair { display: none; }
        &.-narrow.see-queue #middle { width: 1fr; height: 1; dock: top; }
    }
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__(id="panes")
        self._columns = columns
        self.tab: Tab = "answers"
        self.view: RowView | None = None

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        yield Listing(self._columns, id="queue")
        with Vertical(id="middle"):
            yield Brief(id="question")
            yield PairView(id="pair")
            yield TabBar(id="tabs")
            yield Page(id="page")

    def show_row(self, view: RowView | None) -> None:
        """Show a row from its beginning."""
        self.view = view
        left, right = (view.left, view.right) if view is not None else (SideText(""), SideText(""))
        self.query_one(Brief).show(asked(view.case) if view is not None else ())
        self.query_one(PairView).show(left, right)
        self._show_page()

    def show_queue(self, rows: Sequence[Cells], at: int) -> None:
        """Show the queue with the cursor at a row."""
        queue = self.query_one(Listing)
        if queue.rows is rows:
            queue.go(at)
        else:
            queue.show(rows, at)

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """What there is to choose from: panes that have no room of their own come first."""
        first: tuple[Tab, ...] = ("answers",) if self.has_class("-tabbed") else ()
        last: tuple[Tab, ...] = ("queue",) if self.has_class("-narrow") else ()
        return (*first, *PAGES, *last)

    def on_resize(self, event: events.Resize) -> None:
        """Give the panes the room there is."""
        narrow = event.size.width < _ROOMY[0]
        self.set_class(narrow, "-narrow")
        self.set_class(event.size.width >= _AMPLE, "-ample")
        self.set_class(narrow or event.size.height < _ROOMY[1], "-tabbed")
        self.show_tab(self.tab)

    def show_tab(self, tab: Tab) -> None:
        """Show one of the tabs; one that this size does not have gives way to the first."""
        self.tab = tab if tab in self.tabs else self.tabs[0]
        self._name_tabs()
        self.set_class(self.tab == "queue", "see-queue")
        self.set_class(self.tab in PAGES, "see-page")
        self._show_page()

    def _show_page(self) -> None:
        if self.tab != "answers" and self.tab != "queue":
            self.query_one(Page).show(partial(row_page, self.tab, self.view))

    def look(self, view: View) -> None:
        """Change how the row is looked at."""
        pair = self.query_one(PairView)
        match view:
            case "differences":
                pair.cycle_differences()
            case "markdown":
                pair.set_markdown(not pair.shown.markdown)
            case "maximise":
                pair.maximise(0 if pair.shown.only is None else 1 if pair.shown.only == 0 else None)
            case "next tab" | "previous tab":
                by = 1 if view == "next tab" else -1
                self._turn_to(self.tabs[(self.tabs.index(self.tab) + by) % len(self.tabs)])
                return
        self._name_tabs()

    def _name_tabs(self) -> None:
        """Show the tabs, and behind them how the answers are looked at."""
        pair = self.query_one(PairView)
        if self.size.width < _LEAST[0] or self.size.height < _LEAST[1]:
            self.query_one(TabBar).show(line("needs {} × {}".format(*_LEAST), "warn"))
            return
        ways = [f"± {pair.shown.differences}", *(["Markdown"] if pair.shown.markdown else [])]
        self.query_one(TabBar).set_tabs(self.tabs, self.tab, " · ".join(ways))

    @on(TabBar.Clicked)
    def _clicked(self, event: TabBar.Clicked) -> None:
        event.stop()
        self._turn_to(next(tab for tab in self.tabs if tab == event.name))

    def _turn_to(self, tab: Tab) -> None:
        """Show a tab that was asked for; where it hides what had the arrows, they are its own."""
        self.show_tab(tab)
        if self.has_class("-tabbed"):
            pane = "#queue" if self.tab == "queue" else "#pair" if self.tab == "answers" else "#page"
            self.query_one(pane).focus()
