"""A row as it is read blind: no names, no judge, and nothing that tells whose answer is whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bothways.widgets.rowview import HistoryView, RowView, SideText

__all__ = ["veiled"]

_HIDDEN = "Blind: hidden until your vote is in."
_HAPPENED = HistoryView("", "what happened here", "shown after your vote")
_LEFT, _RIGHT = "left answer", "right answer"


def veiled(view: RowView, history: Sequence[HistoryView]) -> RowView:
    """Return the row with left and right instead of names, without the judge, and with this history.

    Where more has happened than that, it is said to be hidden. Which rules the baseline keeps and what the
    candidate newly calls is not told; what each side calls, and which rules it keeps, stands under left and
    right.
    """
    more, tools = len(view.history) > len(history), view.tools
    differ = tools.state in ("changed", "broken")
    return replace(
        view,
        left=_nameless(view.left, _LEFT),
        right=_nameless(view.right, _RIGHT),
        passes=(),
        hidden=_HIDDEN,
        tools=replace(
            tools, left=_LEFT, right=_RIGHT, reasons=(),
            state="the sides call other tools, or write otherwise" if differ else tools.state,
            signed=_unattributed(tools.signed) if differ else "",
        ),
        history=((_HAPPENED, *history) if more else tuple(history)),
    )  # fmt: skip


def _unattributed(signed: str) -> str:
    """Leave out how a tool difference was signed, and by whom."""
    return "signed" if signed.startswith("signed") else signed


def _nameless(side: SideText, title: str) -> SideText:
    """Leave out why an answer is missing: a provider's error names its model."""
    return replace(
        side, title=title, missing="no answer" if side.missing.startswith("no answer") else side.missing
    )
