"""From conditions to one decision, and the reasons that people read."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.engine.gate.model import Condition, Decision, State
from bothways.engine.text import counted

__all__ = ["decision_of", "reasons"]

_FIRST = ("complete", "coverage")
"""What is not there is said before what only follows from that."""


def decision_of(conditions: Sequence[Condition], *, reviews_missing: bool) -> Decision:
    """Decide. The order of the questions matters: what nothing can save is said before what is missing."""
    failed = {c.name for c in conditions if c.state is State.FAIL}
    if failed - {"judge_health"}:
        return Decision.DO_NOT_SHIP
    if failed:
        return Decision.INCONCLUSIVE
    if reviews_missing:
        return Decision.NEEDS_REVIEW
    if all(c.state is State.PASS for c in conditions):
        return Decision.SHIP
    return Decision.INCONCLUSIVE


def reasons(decision: Decision, conditions: Sequence[Condition], reviews_missing: int) -> tuple[str, ...]:
    """Return a sentence for every condition that fails or is unknown, the deciding ones first."""
    if decision is Decision.SHIP:
        return ("every condition passes",)
    waiting = (
        [f"{counted(reviews_missing, 'required row waits', 'required rows wait')} for a person"]
        if reviews_missing
        else []
    )
    failed = sorted((c for c in conditions if c.state is State.FAIL), key=lambda c: c.name == "judge_health")
    unknown = sorted((c for c in conditions if c.state is State.UNKNOWN), key=lambda c: c.name not in _FIRST)
    return (*map(_sentence, failed), *waiting, *map(_sentence, unknown))


def _sentence(condition: Condition) -> str:
    said = f"{condition.words}: {condition.detail}"
    return f"{said} → {condition.resolve}" if condition.resolve else said
