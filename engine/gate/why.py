"""Why a row is in the review queue: the reason, what it would take, and how far in front that puts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.experiment import Policy
from bothways.engine.standing import Rule
from bothways.engine.verdicts import Outcome

__all__ = ["Asked", "Rank", "Reason", "Why"]

Reason: TypeAlias = Literal[
    "required", "tools", "disputed", "flipped hard", "flipped nights", "flipped soft", "unanswered", "error",
    "one pass", "audit", "close", "agreed", "pending",
]  # fmt: skip
Rank: TypeAlias = tuple[bool, int, bool, int]
"""Done or not, how weighty the reason is, high stakes or not, how bad the outcome; the least comes first."""

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


class Asked(NamedTuple):
    """What is asked of people, by case: what the gate requires, and what was drawn."""

    required: frozenset[str]
    unsigned: frozenset[str]
    audit: frozenset[str]
    close: bool
    rule: Rule


class Why(NamedTuple):
    """What an entry of the queue says beside which row it is about.

    `detail` says what the row would take, `done` whether people have given it, `decides` whether what they
    say of it could still change the decision.
    """

    reason: Reason
    detail: str
    done: bool
    decides: bool

    @classmethod
    def of(cls, row: RowEvidence, asked: Asked, *, decides: bool) -> Why:
        """Say why a row is there."""
        reason, detail = _reason(row, asked)
        return cls(reason, detail, _done(row, reason, asked), decides)

    def rank(self, row: RowEvidence) -> Rank:
        """Return the rank of the row; those drawn for the audit come as they lie, whatever the judge said."""
        by_outcome = _BY_OUTCOME.get(row.outcome)
        doubted = row.judged == "baseline" and self.reason != "audit"
        trouble = _RANK[by_outcome[0]] if by_outcome else _RANK["agreed"] - doubted
        return self.done, _RANK[self.reason], not row.high_stakes, trouble


def _done(row: RowEvidence, reason: Reason, asked: Asked) -> bool:
    """Say whether people have given what a row takes; for the audit, that anybody read it will do."""
    if row.case_id in asked.unsigned:
        return False
    if reason not in ("tools", "audit"):
        return row.spoken
    return row.case_id not in asked.audit or (row.standing is not None and row.standing.read)


def _reason(row: RowEvidence, asked: Asked) -> tuple[Reason, str]:
    case = row.case_id
    if case in asked.required and row.high_stakes and row.outcome is not Outcome.PENDING:
        return "required", _required(row, asked)
    if row.other_tools and not _still_open(row, asked):
        return "tools", _tools(row) + ("; drawn for the audit too" if case in asked.audit else "")
    if row.disputed:
        return "disputed", _disputed(asked.rule)
    if row.outcome in _BY_OUTCOME:
        return _BY_OUTCOME[row.outcome]
    if case in asked.audit:
        return "audit", "drawn by lot from the rows on which both passes agree: confirm or override the judge"
    if asked.close:
        return "close", "the vote is close: confirm or override"
    return "agreed", "both passes agree: read a few of these too"


def _still_open(row: RowEvidence, asked: Asked) -> bool:
    """Whether a signature has settled the calls of a row, and nothing yet which answer is better."""
    signed = row.tools is ToolState.CHANGED and row.case_id not in asked.unsigned
    return signed and (row.disputed or row.outcome in _BY_OUTCOME)


def _required(row: RowEvidence, asked: Asked) -> str:
    if row.disputed:
        wanted = _disputed(asked.rule)
    elif row.judged:
        wanted = "confirm or override the judge"
    else:
        wanted = f"{_BY_OUTCOME[row.outcome][0]}: choose a side"
    return f"high stakes: {wanted}" + ("; sign its tool difference" if row.case_id in asked.unsigned else "")


_UNSETTLED: Mapping[Policy, str] = {
    "latest": "",
    "majority": "; as many say one thing as another, one more verdict for one of these settles it",
    "adjudicator": ", which settles it",
}


def _disputed(rule: Rule) -> str:
    return f"reviewers differ: {rule.words}{_UNSETTLED[rule.policy]}"


def _tools(row: RowEvidence) -> str:
    if row.tools is ToolState.BROKEN:
        return "the candidate breaks a tool rule that the baseline keeps: change the candidate"
    return "other tools, or other writes, than the baseline: sign the difference"
