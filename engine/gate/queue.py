"""The review queue: every row with why it is there, what it would take, and the worst first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.experiment import ReviewSettings
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
    asked = _Asked(
        frozenset(result.required),
        frozenset(result.tool_diffs_unsigned),
        evidence.audit,
        bool(result.figures["close"]),
        evidence.experiment.review,
    )
    ranked = [(_item(row, asked, decides=row.row_id in decides), row) for row in evidence.rows]
    ranked.sort(key=lambda pair: _key(*pair))
    return [item for item, _ in ranked]


class _Asked(NamedTuple):
    """What is asked of people, by case: what the gate requires, and what was drawn."""

    required: frozenset[str]
    unsigned: frozenset[str]
    audit: frozenset[str]
    close: bool
    settings: ReviewSettings


def _item(row: RowEvidence, asked: _Asked, *, decides: bool) -> QueueItem:
    reason, detail = _why(row, asked)
    return QueueItem(row.row_id, row.case_id, reason, detail, _done(row, reason, asked), decides)


def _done(row: RowEvidence, reason: Reason, asked: _Asked) -> bool:
    """Say whether people have given what a row takes; for the audit, that anybody read it will do."""
    if row.case_id in asked.unsigned:
        return False
    if reason not in ("tools", "audit"):
        return row.spoken
    return row.case_id not in asked.audit or (row.standing is not None and row.standing.read)


def _why(row: RowEvidence, asked: _Asked) -> tuple[Reason, str]:
    case = row.case_id
    if case in asked.required and row.high_stakes and row.outcome is not Outcome.PENDING:
        return "required", _required(row, asked)
    if row.tools in (ToolState.CHANGED, ToolState.BROKEN):
        return "tools", _tools(row) + ("; drawn for the audit too" if case in asked.audit else "")
    if row.disputed:
        return "disputed", _disputed(asked.settings)
    if row.outcome in _BY_OUTCOME:
        return _BY_OUTCOME[row.outcome]
    if case in asked.audit:
        return "audit", "drawn by lot from the rows on which both passes agree: confirm or override the judge"
    if asked.close:
        return "close", "the vote is close: confirm or override"
    return "agreed", "both passes agree: read a few of these too"


def _required(row: RowEvidence, asked: _Asked) -> str:
    if row.disputed:
        wanted = _disputed(asked.settings)
    elif row.judged:
        wanted = "confirm or override the judge"
    else:
        wanted = f"{_BY_OUTCOME[row.outcome][0]}: choose a side"
    return f"high stakes: {wanted}" + ("; sign its tool difference" if row.case_id in asked.unsigned else "")


def _disputed(settings: ReviewSettings) -> str:
    settled = {
        "latest": "the latest verdict counts",
        "majority": "as many say one thing as another, one more verdict for one of these settles it",
        "adjudicator": f"the verdict of {settings.adjudicator} settles it",
    }
    return f"reviewers differ: {settled[settings.policy]}"


def _tools(row: RowEvidence) -> str:
    if row.tools is ToolState.BROKEN:
        return "the candidate breaks a tool rule that the baseline keeps: change the candidate"
    return "other tools, or other writes, than the baseline: sign the difference"


def _key(item: QueueItem, row: RowEvidence) -> tuple[bool, int, bool, int, int]:
    """Return the place of a row; those drawn for the audit come as they lie, whatever the judge said."""
    by_outcome = _BY_OUTCOME.get(row.outcome)
    doubted = row.judged == "baseline" and item.reason != "audit"
    trouble = _RANK[by_outcome[0]] if by_outcome else _RANK["agreed"] - doubted
    return item.done, _RANK[item.reason], not row.high_stakes, trouble, row.position
