"""One row in full, as plain data, and the page of it that a tab shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from bothways.widgets.pages.case import (
    context_page,
    history_page,
    rules_page,
)
from bothways.widgets.pages.passes import passes_page
from bothways.widgets.pages.tools import tools_page
from bothways.widgets.plain import Line, line
from bothways.widgets.rowview import RowView

__all__ = ["PAGES", "PageName", "row_page"]

PageName: TypeAlias = Literal["passes", "tools", "context", "rules", "history"]
PAGES: tuple[PageName, ...] = get_args(PageName)


def row_page(name: PageName, view: RowView | None, width: int) -> Iterable[Line]:
    """Return one page about a row, laid out for a width."""
    if view is None:
        return [line("no row", "muted")]
    match name:
        case "passes":
            return [line(view.hidden, "muted")] if view.hidden else passes_page(view.passes)
        case "tools":
            return tools_page(view.tools, width)
        case "context":
            return context_page(view.case, width)
        case "rules":
            return rules_page(view.left.title, view.right.title, view.rules)
        case "history":
            return history_page(view.history)
