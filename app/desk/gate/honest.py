"""The figures that keep a decision honest, as a page: with people, and beside that the judge alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bothways.app.desk.gateline import decision_run
from bothways.engine.analysis.model import Evidence
from bothways.engine.gate import honest
from bothways.engine.gate.figures import Figures, Strength
from bothways.engine.gate.model import GateResult
from bothways.widgets.pages.interval import interval_bar
from bothways.widgets.plain import Line, Run, fit, line

__all__ = ["honest_page"]


def honest_page(evidence: Evidence, result: GateResult, width: int = 72) -> list[Line]:
    """Return the decision, judge alone beside final, every figure of how sure it is, and the reasons."""
    figures = result.figures
    return [
        (Run("Decision: "), decision_run(result.decision)),
        (),
        *_beside(result, width),
        (),
        *_interval(figures, width),
        *_facts(honest.win_rates(figures)),
        *_facts(honest.chances(figures)),
        *_facts([honest.close(figures)]),
        (),
        *_facts(honest.judging(figures)),
        *_facts(honest.judge_right(figures)),
        (),
        *_facts(honest.people(figures)),
        (),
        line("Why", "title"),
        *((Run("  · "), Run(reason)) for reason in result.reasons),
        (),
        (Run("What changed: ", "muted"), Run(evidence.change.sentence)),
        *(line(f"! {said}", "warn") for said in figures.warnings),
    ]


def _beside(result: GateResult, width: int) -> Iterator[Line]:
    """Yield the same figures with people and without, in three columns."""
    figures = result.figures
    rates = (figures.win_rate, figures.win_rate_alone)
    both = [rate.votes for rate in rates]
    strength = [Strength.of(votes) for votes in both]
    table = [
        (f"{figures.candidate} better", *(str(votes.candidate) for votes in both)),
        (f"{figures.baseline} better", *(str(votes.baseline) for votes in both)),
        ("equal", *(str(votes.tie) for votes in both)),
        ("undecided", *(f"{figures.left(votes)} of {figures.rows}" for votes in both)),
        ("win rate", *(rate.words for rate in rates)),
        (f"  (ties: {figures.win_rate.other.ties})", *(rate.other.words for rate in rates)),
        ("exact sign test, p", *(_number(one.sign_test_p) for one in strength)),
        ("e-value (20: strong)", *(_number(one.e_value) for one in strength)),
        ("decision", result.decision.words, result.judge_alone.words),
    ]
    first, other_two = 21, max(14, (width - 24) // 2)
    yield tuple(Run(fit(name, at) + " ", "muted") for name, at in zip(
        ("", "with people", "judge alone"), (first, other_two, other_two), strict=True
    ))  # fmt: skip
    for name, final, judged in table:
        yield (
            Run(fit(name, first) + " ", "muted"),
            Run(fit(final, other_two) + " ", "strong"),
            Run(fit(judged, other_two)),
        )


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4g}"


def _interval(figures: Figures, width: int) -> Iterator[Line]:
    rate = figures.win_rate
    if rate.wilson95 is not None and rate.value is not None:
        low, high = rate.wilson95
        yield from interval_bar(low, rate.value, high, float(rate.threshold), min(60, width - 12))


def _facts(facts: Iterable[honest.Fact]) -> Iterator[Line]:
    return ((Run(f"{fact.label}: ", "muted"), Run(fact.value)) for fact in facts)
