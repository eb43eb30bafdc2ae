"""One row as plain text, for a reader without a screen: what the screen shows of it, line after line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bothways.widgets.rowview import sentence

if TYPE_CHECKING:
    from bothways.widgets.rowview import CallView, CaseView, PassView, RowView, SideText, ToolsView

__all__ = ["shown_row"]


def shown_row(view: RowView) -> str:
    """Return what was asked, both answers with their calls, and, unless it is hidden, what the judge said."""
    blind = bool(view.hidden)
    left, right = zip(*view.tools.calls, strict=True) if view.tools.calls else ((), ())
    return "\n".join(
        [
            *_asked(view.case),
            *_side("left", view.left, left, blind=blind),
            *_side("right", view.right, right, blind=blind),
            *_differs(view.tools),
            *([view.hidden] if blind else _judged(view.passes)),
        ]
    )


def _asked(case: CaseView) -> Iterator[str]:
    """Yield what was asked: a question in one line, a conversation turn by turn."""
    if len(case.messages) == 1:
        yield f"Asked: {case.messages[0][1]}"
    else:
        yield "Asked:"
        yield from (f"{role}: {content}" for role, content in case.messages)
    if case.context:
        yield f"Context: {case.context}"
    if case.reference:
        yield f"Reference: {case.reference}"


def _side(place: str, side: SideText, calls: Sequence[CallView | None], *, blind: bool) -> Iterator[str]:
    yield f"--- {place}" if blind else f"--- {place}: {side.title}"
    if side.missing:
        yield f"({side.missing})"
    if side.turns:
        yield from (f"{turn.head}: {turn.text}" for turn in side.turns)
        return
    if side.text:
        yield side.text
    for call in calls:
        if call is not None:
            arguments = ", ".join(f"{name}: {value}" for name, value in call.arguments)
            yield f"tool: {call.name} {arguments}".rstrip()


def _differs(tools: ToolsView) -> Iterator[str]:
    """Yield how the tool calls differ, where that counts, and who stands for it."""
    if tools.reasons or tools.signed:
        yield "--- tools"
        yield from tools.reasons
        if tools.signed:
            yield tools.signed


def _judged(passes: Sequence[PassView]) -> Iterator[str]:
    yield "--- passes"
    for one in passes:
        words = " ".join(part for part in (one.rationale, one.failure) if part)
        yield f"{one.shown[0]} shown first: {one.named or one.said}. {words}".rstrip()
    if says := sentence(passes):
        yield f"The judge {says}."
    elif not passes:
        yield "No judge looked at this row."
