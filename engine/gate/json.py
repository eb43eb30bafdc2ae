"""The gate as JSON: a contract that scripts and CI jobs rely on, and what a decision on record holds."""

from __future__ import annotations

from bothways.engine.analysis.model import SideCosts
from bothways.engine.analysis.outcomes import ORDERS
from bothways.engine.analysis.tally import Votes
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.figures import Figures, Reviews, WinRate
from bothways.engine.gate.model import Condition, GateResult

__all__ = ["as_json", "figures_json"]

_HEAD = ("experiment", "baseline", "candidate", "judge")


def as_json(result: GateResult) -> JsonObject:
    """Return the whole result as plain JSON; names and meanings are those of REFERENCE.md."""
    figures = figures_json(result)
    return {
        **{name: figures.pop(name) for name in _HEAD},
        "decision": result.decision.value,
        "reasons": list(result.reasons),
        **figures,
        "conditions": [_condition(condition) for condition in result.conditions],
    }


def figures_json(result: GateResult) -> JsonObject:
    """Return every figure under its name in the gate's JSON; what cannot be computed is None."""
    of = result.figures
    return {
        "experiment": of.experiment,
        "baseline": of.baseline,
        "candidate": of.candidate,
        "judge": of.judge,
        "rows": of.rows,
        "passes": {order: dict(of.passes[order]) for order in ORDERS},
        "outcomes": {
            **of.alone.named,
            "flip": of.flips.number,
            **{outcome.value: count for outcome, count in of.undecided.items()},
        },
        "flip_rate": of.flips.rate,
        "flip_rate_of": of.flips.of,
        "max_flip_rate": float(of.flips.most),
        "first_shown_rate": of.first_shown_rate,
        "first_shown_of": of.first_shown.of,
        "win_rate": _win_rate(of.win_rate),
        **of.strength._asdict(),
        "false_ship_chance": of.luck.once,
        "joint_false_ship_chance": of.luck.jointly,
        "tried": of.luck.tried,
        "close": of.close,
        "final": _tally(of.final, of),
        "flips_as_ties": {**of.flips_as_ties.named},
        "judge_alone": {**_tally(of.alone, of), "decision": result.judge_alone.value},
        "reviews": _reviews(of.reviews),
        "judge_accuracy": of.accuracy.as_json(of.win_rate.threshold),
        "tags": {tag: dict(counts) for tag, counts in of.tags.items()},
        "costs": {side: _costs(costs) for side, costs in of.costs.items()},
        "nights": of.nights,
        "takes": of.takes,
        "warnings": list(of.warnings),
        "facts_hash": of.facts_hash,
    }


def _tally(votes: Votes, of: Figures) -> JsonObject:
    return {**votes.named, "undecided": of.left(votes)}


def _win_rate(rate: WinRate) -> JsonObject:
    bounds = rate.wilson95
    return {
        "wins": rate.wins,
        "of": rate.of,
        "value": rate.value,
        "wilson95": None if bounds is None else list(bounds),
        "threshold": float(rate.threshold),
        "ties": rate.ties,
        "other_reading": {
            "ties": rate.other.ties,
            "wins": rate.other.wins,
            "of": rate.other.of,
            "value": rate.other.value,
        },
    }


def _reviews(reviews: Reviews) -> JsonObject:
    return {
        "required": len(reviews.required),
        "done": reviews.done,
        "missing": list[JsonValue](reviews.missing),
        "tool_diffs_unsigned": list[JsonValue](reviews.unsigned),
        "reviewed": reviews.reviewed,
        "read": reviews.read,
        "unread": reviews.unread,
        "overrides": reviews.overrides,
        "policy": reviews.rule.policy,
        "adjudicator": reviews.rule.adjudicator,
        "differing": reviews.differing,
        "disputed": list[JsonValue](reviews.disputed),
        "outdated": list[JsonValue](reviews.outdated),
        "audit": {"asked": reviews.audit.asked, "done": reviews.audit.done},
    }


def _costs(costs: SideCosts) -> JsonObject:
    return {
        "calls": costs.calls,
        "cost_usd": costs.known_usd,
        "unknown": costs.unknown,
        "prompt_tokens": costs.prompt_tokens,
        "completion_tokens": costs.completion_tokens,
        "cached_tokens": costs.cached_tokens,
        "median_duration_s": costs.median_duration_s,
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
