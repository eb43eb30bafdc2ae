"""The review queue: every row with why it is there, what it would take, and the worst first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.gate.model import GateResult
from bothways.engine.verdicts import Outcome

__all__ = ["QueueItem", "Reason", "queue"]

Reason: TypeAlias = Literal[
    "required", "tools", "disputed", "flipped hard", "flipped nights", "flipped soft", "unanswered", "error",
    "one pass", "audit", "close", "agreed", "pending",
]  # fmt: skip


class QueueItem(NamedTuple):
    """One row of the queue; `detail` says what it would take, `done` whether a person has given it.

    `decides` is whether what a person says of the row could still change the decision.
    """

    row_id: int
    case_id: str
    reason: Reason
    detail: str
    done: bool
    decides: bool = False


_RANK: dict[Reason, int] = {
    "required": 0, "tools": 1, "disputed": 2, "flipped hard": 3, "flipped nights": 4, "flipped soft": 5,
    "unanswered": 6, "error": 7, "one pass": 8, "audit": 9, "close": 10, "agreed": 11, "pending": 12,
}  # fmt: skip
_BY_OUTCOME: dict[Outcome, tuple[Reason, str]] = {
    Outcome.FLIP_HARD: ("flipped hard", "the two passes name different variants: a verdict decides it"),
    Outcome.FLIP_NIGHTS: ("flipped nights", "the nights disagree: a verdict decides it"),
    Outcome.FLIP_SOFT: ("flipped soft", "one pass says tie: a verdict decides it"),
    Outcome.UNANSWERED: ("unanswered", "the judge's verdict cannot be read: a verdict decides it"),
    Outcome.ERROR: ("error", "an answer is missing: retry it, or say what that means"),
    Outcome.ONE_PASS: ("one pass", "judged in one order only: a verdict decides it"),
    Outcome.PENDING: ("pending", "not tried yet: finish the run"),
}


def queue(evidence: Evidence, result: GateResult, decides: Collection[int] = frozenset()) -> list[QueueItem]:
    """Return every row, the worst first: missing before done, required first, high stakes before others.

    `decides` are the ids of the rows that could still change the decision, as far as somebody computed them.
    """
    required, unsigned = set(result.required), set(result.tool_diffs_unsigned)
    close = bool(result.figures["close"])
    ranked = [
        (_item(row, required, unsigned, close=close, decides=row.row_id in decides), row)
        for row in evidence.rows
    ]
    ranked.sort(key=lambda pair: _key(*pair))
    return [item for item, _ in ranked]


def _item(
    row: RowEvidence, required: set[str], unsigned: set[str], *, close: bool, decides: bool
) -> QueueItem:
    reason, detail = _why(row, required, unsigned, close=close)
    standing = row.standing
    spoken = standing is not None and standing.verdict is not None
    signed = row.case_id not in unsigned
    done = signed if reason == "tools" else spoken and signed
    return QueueItem(row.row_id, row.case_id, reason, detail, done, decides)


def _why(row: RowEvidence, required: set[str], unsigned: set[str], *, close: bool) -> tuple[Reason, str]:
    if row.case_id in required and row.high_stakes and row.outcome is not Outcome.PENDING:
        return "required", _required(row, unsigned)
    if row.tools in (ToolState.CHANGED, ToolState.BROKEN):
        return "tools", _tools(row)
    if row.outcome in _BY_OUTCOME:
        return _BY_OUTCOME[row.outcome]
    if close:
        return "close", "the vote is close: confirm or override"
    return "agreed", "both passes agree: read a few of these too"


def _required(row: RowEvidence, unsigned: set[str]) -> str:
    judge = "confirm or override the judge" if row.judged else f"{_BY_OUTCOME[row.outcome][0]}: choose a side"
    return f"high stakes: {judge}" + ("; sign its tool difference" if row.case_id in unsigned else "")


def _tools(row: RowEvidence) -> str:
    if row.tools is ToolState.BROKEN:
        return "the candidate breaks a tool rule that the baseline keeps: change the candidate"
    return "other tools, or other writes, than the baseline: sign the difference"


def _key(item: QueueItem, row: RowEvidence) -> tuple[bool, int, bool, int, int]:
    by_outcome = _BY_OUTCOME.get(row.outcome)
    trouble = _RANK[by_outcome[0]] if by_outcome else _RANK["agreed"] - (row.judged == "baseline")
    return item.done, _RANK[item.reason], not row.high_stakes, trouble, row.position
