"""The figures that keep a decision honest, as a page: with people, and beside that the judge alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from rich.cells import cell_len

from bothways.app.desk.gateline import decision_run
from bothways.engine.analysis.model import Evidence
from bothways.engine.gate import honest
from bothways.engine.gate.figures import Figures, Strength, WinRate
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
    """Yield the same figures with people and without, beside each other."""
    figures = result.figures
    final, alone = (_said(figures, rate) for rate in (figures.win_rate, figures.win_rate_alone))
    names = (
        f"{figures.candidate} better", f"{figures.baseline} better", "equal", "undecided", "win rate",
        f"  (ties: {figures.win_rate.other.ties})", "exact sign test, p", "e-value (20: strong)",
    )  # fmt: skip
    table = [*zip(names, final, alone, strict=True)]
    table.append(("decision", result.decision.words, result.judge_alone.words))
    first, *others = (max(map(cell_len, column)) for column in zip(*table, strict=True))
    yield from _columns(table, first, width) if width >= first + 2 * max(others) + 3 else _pairs(table)


def _said(figures: Figures, rate: WinRate) -> tuple[str, ...]:
    """Return what one of the two columns says, from the top but for the decision."""
    votes, strength = rate.votes, Strength.of(rate.votes)
    return (
        str(votes.candidate), str(votes.baseline), str(votes.tie),
        f"{figures.left(votes)} of {figures.rows}", rate.words, rate.other.words,
        _number(strength.sign_test_p), _number(strength.e_value),
    )  # fmt: skip


_Row: TypeAlias = tuple[str, str, str]
_HEADER: _Row = ("", "with people", "judge alone")


def _columns(table: Iterable[_Row], first: int, width: int) -> Iterator[Line]:
    other_two = (width - first - 3) // 2
    widths = (first, other_two, other_two)
    yield tuple(Run(fit(name, at) + " ", "muted") for name, at in zip(_HEADER, widths, strict=True))
    for name, final, judged in table:
        yield (
            Run(fit(name, first) + " ", "muted"),
            Run(fit(final, other_two) + " ", "strong"),
            Run(fit(judged, other_two)),
        )


def _pairs(table: Iterable[_Row]) -> Iterator[Line]:
    """Yield what both say behind its name: lines that may wrap, where columns would be cut."""
    yield line(" / ".join(_HEADER[1:]), "muted")
    for name, final, judged in table:
        yield (Run(f"{name.strip()}: ", "muted"), Run(final, "strong"), Run(f" / {judged}"))


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4g}"


def _interval(figures: Figures, width: int) -> Iterator[Line]:
    rate = figures.win_rate
    if rate.wilson95 is not None and rate.value is not None:
        low, high = rate.wilson95
        yield from interval_bar(low, rate.value, high, float(rate.threshold), min(60, width - 12))


def _facts(facts: Iterable[honest.Fact]) -> Iterator[Line]:
    return ((Run(f"{fact.label}: ", "muted"), Run(fact.value)) for fact in facts)
