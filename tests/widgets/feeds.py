"""How to show a text in every widget: a widget that is missing here fails the test that looks for all."""

from __future__ import annotations

from collections.abc import Callable

from textual.widget import Widget

from bothways.widgets.columns import Column
from bothways.widgets.conditions import Conditions
from bothways.widgets.dialog import Dialog
from bothways.widgets.dialogs import Ask, Choose, Confirm, Field, Find
from bothways.widgets.entry import Entry
from bothways.widgets.form import Form
from bothways.widgets.keybar import Hint, KeyBar
from bothways.widgets.lines import Brief, Lines, OneLine, Rows
from bothways.widgets.listing import Listing
from bothways.widgets.page import Page
from bothways.widgets.paged import Paged
from bothways.widgets.pages.case import context_page, history_page, rules_page
from bothways.widgets.pages.conditions import ConditionView, condition_page, condition_rows
from bothways.widgets.pages.passes import passes_page
from bothways.widgets.pages.progress import ErrorView, RunView, StageView, error_cells, progress_page, remedy
from bothways.widgets.pages.tools import tools_page
from bothways.widgets.pair import PairView
from bothways.widgets.plain import Line, Run, line
from bothways.widgets.rowpanes import RowPanes
from bothways.widgets.rowview import (
    CallView,
    CaseView,
    HistoryView,
    PassView,
    RowView,
    RuleView,
    SideText,
    ToolsView,
    Turn,
)
from bothways.widgets.sign import Sign
from bothways.widgets.tabs import TabBar
from bothways.widgets.words import Words

ABSTRACT: set[type[Widget]] = {Dialog, Lines, Rows}


def listing(text: str) -> Listing:
    widget = Listing((Column(text), Column(text, 20)))
    widget.show([(Run(text), Run(text, "bad"))])
    widget.caption(text, text)
    widget.styles.border = ("round", "white")
    return widget


def conditions(text: str) -> Conditions:
    widget = Conditions()
    widget.tell(
        [ConditionView(text, "fail", text, 1, (), text), ConditionView(text, "pass", text)], brief=False
    )
    return widget


def one_line(text: str) -> OneLine:
    widget = OneLine()
    widget.show(line(text))
    return widget


def brief(text: str) -> Brief:
    widget = Brief()
    widget.show(line(text))
    return widget


def pair(text: str) -> PairView:
    """Show an answer beside a conversation, and why it is no answer."""
    widget = PairView()
    turns = (Turn(text, f"{text} more"), Turn(text, text, call=True))
    widget.call_later(lambda: widget.show(SideText(text, text), SideText(text, text, text, turns)))
    return widget


def paged(text: str) -> Paged:
    return Paged(one_line(text), (text, text), lambda name: [line(name), line(text)])


def form(text: str) -> Form:
    widget = Form((Column(text, 20), Column(text)))
    widget.call_later(widget.show, [(Run(text), Run(text, "bad"))])
    widget.call_later(widget.explain, line(text))
    widget.call_later(widget.edit, text[:300], [text])
    return widget


def tabs(text: str) -> TabBar:
    widget = TabBar()
    widget.set_tabs([text, text], text)
    return widget


def panes(text: str) -> RowPanes:
    widget = RowPanes((Column(text),))
    widget.call_later(widget.show_row, row(text))
    widget.call_later(widget.show_queue, [(Run(text),)], 0)
    return widget


def row(text: str) -> RowView:
    side = SideText(text, text)
    return RowView(side, side, (PassView((text, text), "first", text),), tools(text), case(text), (), ())


def tools(text: str) -> ToolsView:
    call = CallView(text, ((text, text),), text, writes=True)
    other = CallView(text, ((text, f"{text} more"),), f"{text} more")
    calls = ((call, call), (None, call), (call, None), (call, other))
    return ToolsView(text, text, calls, text, (text,), text)


def case(text: str) -> CaseView:
    return CaseView(text, ((text, text),), text, text, {text: text}, True)


def every_page(text: str) -> list[Line]:
    """Return all pages about one text, one below the other."""
    condition = ConditionView(text, "fail", text, 1, ((text, text),), text)
    run = RunView(text, (StageView(text, 2, 1, 1, 1),), tally=(text,), worker=(text, text), log=text)
    pages = (
        passes_page([PassView((text, text), "first", text, text, text), PassView((text, text), "tie", text)]),
        tools_page(tools(text)),
        tools_page(tools(text), 120),
        context_page(case(text)),
        context_page(case(text), 120),
        rules_page(text, text, [RuleView(text, True, False, text)]),
        history_page([HistoryView(text, text, text, text, undone=True)]),
        condition_page(condition),
        condition_rows(condition, 60),
        progress_page(run),
        [error_cells(ErrorView(text, 1, text, text)), remedy(ErrorView(text, 1, text, text))],
    )
    return [row for page in pages for row in page]


FEEDS: dict[type[Widget], Callable[[str], Widget]] = {
    Brief: brief,
    Ask: lambda text: Ask(text, [Field(text, text, text)], text),
    Conditions: conditions,
    Choose: lambda text: Choose(text, [text, text]),
    Entry: lambda text: Ask("asked", [Field("", text)]),  # it wants an app around it
    Confirm: lambda text: Confirm(text, text),
    Find: lambda text: Find(text, [text, f"{text} more"]),
    Form: form,
    Paged: paged,
    KeyBar: lambda text: KeyBar([Hint("id", text, text)]),
    Listing: listing,
    OneLine: one_line,
    Page: lambda text: Page(every_page(text)),
    PairView: pair,
    RowPanes: panes,
    Sign: lambda text: Sign(text, text, text, text),
    TabBar: tabs,
    Words: Words,
}
