"""The gate: conditions, decision and every figure beside it, from one candidate's evidence."""

from __future__ import annotations

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.conditions import CONDITIONS
from bothways.engine.gate.decision import decision_of, reasons
from bothways.engine.gate.measure import measure
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.gate.required import close
from bothways.engine.gate.situation import Situation, situation

__all__ = ["decision_in", "evaluate"]


def evaluate(evidence: Evidence) -> GateResult:
    """Evaluate every condition and decide; beside it, the same without the human reviews."""
    is_close = close(evidence)
    now = situation(evidence, close=is_close)
    alone = situation(evidence, close=is_close, people=False)
    conditions = tuple(condition(now) for condition in CONDITIONS)
    waiting = set(now.missing) | set(now.unsigned)
    decision = decision_of(conditions, reviews_missing=bool(waiting))
    return GateResult(
        decision=decision,
        judge_alone=_judge_alone(alone),
        reasons=reasons(decision, conditions, len(waiting)),
        conditions=conditions,
        figures=measure(now, alone),
    )


def decision_in(now: Situation) -> Decision:
    """Return the decision of a situation, reviews that it misses among it."""
    conditions = [condition(now) for condition in CONDITIONS]
    return decision_of(conditions, reviews_missing=bool(now.missing or now.unsigned))


def _judge_alone(alone: Situation) -> Decision:
    """Decide by the judge alone: nobody is asked, so nothing can be missing."""
    return decision_of([condition(alone) for condition in CONDITIONS], reviews_missing=False)
