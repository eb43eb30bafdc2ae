"""The gate as JSON: a contract that scripts and CI jobs rely on."""

from __future__ import annotations

from bothways.engine.facts import JsonObject
from bothways.engine.gate.model import Condition, GateResult

__all__ = ["as_json"]

_HEAD = ("experiment", "baseline", "candidate", "judge")


def as_json(result: GateResult) -> JsonObject:
    """Return the whole result as plain JSON; names and meanings are those of REFERENCE.md."""
    figures = result.figures
    return {
        **{name: figures[name] for name in _HEAD},
        "decision": result.decision.value,
        "reasons": list(result.reasons),
        **{name: value for name, value in figures.items() if name not in _HEAD},
        "conditions": [_condition(condition) for condition in result.conditions],
    }


def _condition(condition: Condition) -> JsonObject:
    return {
        "name": condition.name,
        "state": condition.state.value,
        "detail": condition.detail,
        "rows": list(condition.rows),
        "figures": dict(condition.figures),
        "resolve": condition.resolve,
    }
