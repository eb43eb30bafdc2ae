"""Two answers compared both ways: mapping a choice back, and what the two passes add up to."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.engine.analysis.model import Outcome, Side, Verdict
from bothways.engine.facts import TIE

__all__ = ["mapped", "outcome"]


def mapped(choice: int | None, shown: Sequence[str]) -> str | None:
    """Return the variant that a pass named, "tie", or None where no verdict could be read."""
    if choice is None:
        return None
    return "tie" if choice == TIE else shown[choice]


def outcome(first: Verdict | None, second: Verdict | None) -> tuple[Outcome, Side | None]:
    """Return what two passes add up to, with the winner of a WIN; None is an unreadable verdict."""
    if first is None or second is None:
        return Outcome.UNANSWERED, None
    if first != second:
        return (Outcome.FLIP_SOFT if "tie" in (first, second) else Outcome.FLIP_HARD), None
    return (Outcome.TIE, None) if first == "tie" else (Outcome.WIN, first)
