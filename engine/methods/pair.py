"""The pair: two answers, judged in both orders, and what the two verdicts add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from bothways.engine.analysis.model import Outcome, Verdict
from bothways.engine.facts import TIE

__all__ = ["Said", "mapped", "outcome"]

Said: TypeAlias = Verdict | Literal["unreadable", "pending", "absent"]
"""What is known of one pass: its mapped verdict; tried without one; asked and not tried; not asked at all."""


def mapped(choice: int | None, shown: Sequence[str]) -> str | None:
    """Return the variant that a choice names, "tie", or None: the only way from places to variants."""
    if choice is None:
        return None
    return "tie" if choice == TIE else shown[choice]


def outcome(first: Said, second: Said) -> Outcome:
    """Return what the two passes of a row add up to; both verdicts are mapped to the sides already.

    Errors of the answers come before this, and several nights after it.
    """
    said = {first, second}
    if "pending" in said or said == {"absent"}:
        return Outcome.PENDING
    if "unreadable" in said:
        return Outcome.UNANSWERED
    if "absent" in said:
        return Outcome.ONE_PASS
    if first == second:
        return Outcome.TIE if first == "tie" else Outcome.WIN
    return Outcome.FLIP_SOFT if "tie" in said else Outcome.FLIP_HARD
