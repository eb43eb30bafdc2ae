"""The figures of the gate, each computed once: the JSON, the reports and the desk all show these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from bothways.engine.analysis.accuracy import accuracy
from bothways.engine.analysis.model import RowEvidence, SideCosts
from bothways.engine.analysis.outcomes import ORDERS
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.stats import (
    e_value,
    false_ship_chance,
    joint_chance,
    rounded_at,
    share,
    sign_test,
    wilson,
)
from bothways.engine.analysis.tally import Ties, Votes
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import Decision
from bothways.engine.gate.situation import Situation
from bothways.engine.verdicts import FLIPS, Outcome

__all__ = ["figures"]

_OTHER: Mapping[Ties, Ties] = {"count": "exclude", "exclude": "count"}
_SINGLE = (
    Outcome.FLIP_HARD, Outcome.FLIP_SOFT, Outcome.FLIP_NIGHTS, Outcome.UNANSWERED, Outcome.ERROR,
    Outcome.ONE_PASS, Outcome.PENDING,
)  # fmt: skip


def figures(now: Situation, alone: Situation, *, judge_alone: Decision) -> JsonObject:
    """Return every figure under its name in the gate's JSON; what cannot be computed is None."""
    evidence = now.evidence
    flips, readable, shown = len(now.flipped), now.readable, evidence.first_shown
    rows = Rows.of(evidence.rows)
    heard = [row for row in rows.acted() if row.standing is not None and row.standing.heard]
    judge = accuracy(heard, evidence.audit, alone.votes)
    return {
        "experiment": evidence.experiment.name,
        "baseline": evidence.experiment.baseline.name,
        "candidate": evidence.candidate,
        "judge": evidence.judge,
        "rows": now.rows,
        "passes": {order: dict(evidence.passes[order]) for order in ORDERS},
        "outcomes": _outcomes(rows, alone.votes, flips),
        "flip_rate": rounded_at(share(flips, readable), Fraction(now.settings.max_flip_rate)),
        "flip_rate_of": readable,
        "max_flip_rate": float(Fraction(now.settings.max_flip_rate)),
        "first_shown_rate": _short(shown.named / shown.of, 6) if shown.of else None,
        "first_shown_of": shown.of,
        "win_rate": _win_rate(now),
        **_tests(now),
        "close": now.close,
        "final": _tally(now.votes, now.rows),
        "flips_as_ties": _flips_as_ties(alone.votes, flips),
        "judge_alone": {**_tally(alone.votes, now.rows), "decision": judge_alone.value},
        "reviews": _reviews(now, heard),
        "judge_accuracy": judge.as_json(now.threshold),
        "tags": _tags(rows),
        "costs": {side: _costs(costs) for side, costs in evidence.costs.items()},
        "nights": evidence.nights,
        "takes": evidence.takes,
        "warnings": [*evidence.warnings, *judge.warnings],
        "facts_hash": evidence.facts_hash,
    }


def _outcomes(rows: Rows, votes: Votes, flips: int) -> JsonObject:
    counts: Counter[Outcome] = Counter()
    for row, times in rows.alike():
        counts[row.outcome] += times
    return {
        "candidate": votes.candidate, "baseline": votes.baseline, "tie": votes.tie, "flip": flips,
        **{outcome.value: counts[outcome] for outcome in _SINGLE},
    }  # fmt: skip


def _win_rate(now: Situation) -> JsonObject:
    ties = now.settings.ties
    of, other = now.votes.denominator(ties), _OTHER[ties]
    interval = wilson(now.votes.candidate, of)
    return {
        "wins": now.votes.candidate,
        "of": of,
        "value": rounded_at(now.votes.rate(ties), now.threshold),
        "wilson95": [rounded_at(bound, now.threshold, 4) for bound in interval] if interval else None,
        "threshold": float(now.threshold),
        "ties": ties,
        "other_reading": {
            "ties": other,
            "wins": now.votes.candidate,
            "of": now.votes.denominator(other),
            "value": rounded_at(now.votes.rate(other), now.threshold),
        },
    }


def _tests(now: Situation) -> JsonObject:
    wins, losses = now.votes.candidate, now.votes.baseline
    p = sign_test(wins, losses)
    luck = false_ship_chance(now.votes.denominator(now.settings.ties), now.threshold)
    tried = now.evidence.tried
    return {
        "sign_test_p": None if p is None else _short(p, 6),
        "e_value": _short(e_value(wins, losses), 4) if wins + losses else None,
        "false_ship_chance": None if luck is None else _short(luck, 4),
        "joint_false_ship_chance": None if luck is None else _short(joint_chance(luck, tried), 4),
        "tried": tried,
    }


def _tally(votes: Votes, rows: int) -> JsonObject:
    return {
        "candidate": votes.candidate, "baseline": votes.baseline, "tie": votes.tie,
        "undecided": rows - votes.decided,
    }  # fmt: skip


def _flips_as_ties(votes: Votes, flips: int) -> JsonObject:
    """The older reading, kept as a labelled second line."""
    return {"candidate": votes.candidate, "baseline": votes.baseline, "tie": votes.tie + flips}


def _reviews(now: Situation, heard: Sequence[RowEvidence]) -> JsonObject:
    """Count what people said on the rows on which anybody gave a verdict: each row once, by what counts."""
    evidence = now.evidence
    settings = evidence.experiment.review
    counting = [row for row in heard if row.spoken]
    return {
        "required": len(now.required),
        "done": now.done,
        "missing": list[JsonValue](now.missing),
        "tool_diffs_unsigned": list[JsonValue](now.unsigned),
        "reviewed": len(counting),
        "overrides": sum(row.judged is not None and row.final != row.judged for row in counting),
        "policy": settings.policy,
        "adjudicator": settings.adjudicator,
        "differing": now.differing,
        "disputed": list[JsonValue](now.disputed),
        "outdated": list[JsonValue](evidence.outdated),
        "audit": {
            "asked": len(evidence.audit),
            "done": sum(
                row.case_id in evidence.audit and row.standing is not None and row.standing.read
                for row in heard
            ),
        },
    }


def _costs(costs: SideCosts) -> JsonObject:
    """What is known of a side's costs; a sum of which nothing is known is None, not 0."""
    known = costs.calls > costs.unknown
    return {
        "calls": costs.calls,
        "cost_usd": round(costs.cost_usd, 6) if known else None,
        "unknown": costs.unknown,
        "prompt_tokens": costs.prompt_tokens,
        "completion_tokens": costs.completion_tokens,
        "cached_tokens": costs.cached_tokens,
        "median_duration_s": costs.median_duration_s,
    }


def _tags(rows: Rows) -> JsonObject:
    """Count the rows of each tag, by who wins, and how many flipped."""
    counts: dict[str, Counter[str]] = {}
    for row, times in rows.alike():
        for name, value in row.tags.items():
            tag = counts.setdefault(f"{name}={value}" if value else name, Counter())
            tag[row.final or "undecided"] += times
            tag["flip"] += times * (row.outcome in FLIPS)
    names = ("candidate", "baseline", "tie", "undecided", "flip")
    return {tag: {name: counts[tag][name] for name in names} for tag in sorted(counts)}


def _short(value: float, digits: int) -> float:
    """Round for a file; what would become 0 keeps three digits of its own."""
    return round(value, digits) or float(f"{value:.3g}")
