"""Which rows of the queue are wanted: the words of a filter, and what they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.gate.queue import QueueItem, Reason
from bothways.engine.verdicts import Outcome

__all__ = ["STATES", "matches", "unknown", "verdict_word"]

STATES = (
    "open", "done", "stakes", "required", "tools", "flipped", "hard", "soft", "nights", "unanswered", "error",
    "close", "agreed", "pending", "win", "tie",
)  # fmt: skip
"""What may stand behind `is:`; any part of a reason or an outcome does as well."""
_OUTCOMES: dict[Outcome, str] = {
    Outcome.FLIP_HARD: "FLIP", Outcome.FLIP_SOFT: "flip", Outcome.FLIP_NIGHTS: "nights", Outcome.TIE: "tie",
    Outcome.UNANSWERED: "none", Outcome.ERROR: "error", Outcome.ONE_PASS: "1 pass", Outcome.PENDING: "…",
}  # fmt: skip


def verdict_word(row: RowEvidence) -> str:
    """Return what the judge made of a row in at most six letters: base, cand, tie, FLIP (hard), flip …"""
    if row.outcome is Outcome.WIN:
        return "cand" if row.winner == "candidate" else "base"
    return _OUTCOMES[row.outcome]


def matches(words: Sequence[str], item: QueueItem, row: RowEvidence) -> bool:
    """Whether a row has every word of a filter: `is:flip`, `judge:tie`, `tag:refund`, or plain text."""
    return all(_matches(word.casefold(), item, row) for word in words)


def _matches(word: str, item: QueueItem, row: RowEvidence) -> bool:
    name, _, value = word.partition(":")
    if name == "is" and value:
        states = {"open": not item.done, "done": item.done, "stakes": row.high_stakes}
        return states.get(value, value in item.reason or value in row.outcome.value)
    if name == "judge" and value:
        return value in verdict_word(row).casefold() or value == row.judged
    if name == "final" and value:
        return value == row.final
    tags = [f"{key}:{tag}".casefold() for key, tag in row.tags.items()]
    if name == "tag" and value:
        return any(value in tag for tag in tags)
    return (
        word in row.case_id.casefold() or word in item.reason.casefold() or any(word in tag for tag in tags)
    )


def unknown(words: Sequence[str]) -> list[str]:
    """Return the words of a filter that no row could have: an `is:` that names no state."""
    names = {*STATES, *get_args(Reason), *(outcome.value for outcome in Outcome)}
    asked = [(word, word.casefold().partition("is:")) for word in words]
    return [
        word
        for word, (before, mark, value) in asked
        if mark and not before and value and not any(value in name for name in names)
    ]
