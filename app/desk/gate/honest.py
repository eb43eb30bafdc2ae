"""The figures that keep a decision honest, as a page: with people, and beside that the judge alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from bothways.app.desk.gate.words import (
    count_of,
    decision_run,
    flip_rate,
    number_words,
    object_of,
    win_rate,
)
from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.stats import e_value, percent, share, sign_test
from bothways.engine.analysis.tally import Votes
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.text import agreeing, counted
from bothways.widgets.pages.interval import interval_bar
from bothways.widgets.plain import Line, Run, fit, line

__all__ = ["honest_page"]


def honest_page(evidence: Evidence, result: GateResult, width: int = 72) -> list[Line]:
    """Return the decision, judge alone beside final, every figure of how sure it is, and the reasons."""
    figures = result.figures
    lines: list[Line] = [
        (Run("Decision: "), decision_run(result.decision)),
        (),
        *_beside(evidence, result, width),
        (),
        *_interval(figures, width),
        *_chances(figures),
        (),
        *_people(figures),
        (),
        line("Why", "title"),
        *((Run("  · "), Run(reason)) for reason in result.reasons),
        (),
        (Run("What changed: ", "muted"), Run(evidence.change.sentence)),
    ]
    warnings = figures["warnings"] if isinstance(figures["warnings"], list) else []
    return [*lines, *(line(f"! {said}", "warn") for said in warnings)]


def _beside(evidence: Evidence, result: GateResult, width: int) -> Iterator[Line]:
    """Yield the same figures with people and without, in three columns."""
    figures = result.figures
    rate = object_of(figures["win_rate"])
    threshold, ties = Fraction(str(rate["threshold"])), str(rate["ties"])
    other, rows = str(object_of(rate["other_reading"])["ties"]), count_of(figures["rows"])
    both = (_votes(figures["final"]), _votes(figures["judge_alone"]))
    alone = Decision(str(object_of(figures["judge_alone"])["decision"]))
    table = [
        (f"{evidence.candidate} better", *(str(votes.candidate) for votes in both)),
        (f"{evidence.experiment.baseline.name} better", *(str(votes.baseline) for votes in both)),
        ("equal", *(str(votes.tie) for votes in both)),
        ("undecided", *(f"{rows - votes.decided} of {rows}" for votes in both)),
        ("win rate", *(_rate(votes, ties, threshold) for votes in both)),
        (f"  {_READINGS[other]}", *(_rate(votes, other, threshold) for votes in both)),
        ("exact sign test, p", *(_known(sign_test(v.candidate, v.baseline)) for v in both)),
        ("e-value (20: strong)", *(_evidence(votes) for votes in both)),
        ("decision", result.decision.words, alone.words),
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


_READINGS = {"count": "with ties counted", "exclude": "without the ties"}


def _votes(counts: JsonValue) -> Votes:
    known = object_of(counts)
    return Votes(*(count_of(known.get(name)) for name in ("candidate", "baseline", "tie")))


def _rate(votes: Votes, ties: str, threshold: Fraction) -> str:
    of = votes.denominator("count" if ties == "count" else "exclude")
    return f"{votes.candidate} of {of} ({percent(share(votes.candidate, of), threshold)})"


def _known(value: float | None) -> str:
    return "unknown" if value is None else number_words(value)


def _evidence(votes: Votes) -> str:
    decisive = votes.candidate + votes.baseline
    return number_words(e_value(votes.candidate, votes.baseline)) if decisive else "unknown"


def _interval(figures: JsonObject, width: int) -> Iterator[Line]:
    rate = object_of(figures["win_rate"])
    interval, value = rate["wilson95"], rate["value"]
    threshold = Fraction(str(rate["threshold"]))
    if not isinstance(interval, list) or not isinstance(value, float | int):
        return
    low, high = (bound for bound in interval if isinstance(bound, float | int))
    close = " · close" if figures["close"] else ""
    yield from interval_bar(low, value, high, float(threshold), min(60, width - 12))
    words = f"{percent(low, threshold)} to {percent(high, threshold)}"
    yield _fact("win rate", f"{win_rate(figures)}; 95 % Wilson interval {words}{close}")


def _chances(figures: JsonObject) -> Iterator[Line]:
    older = _votes(figures["flips_as_ties"])
    read = counted(count_of(figures["flip_rate_of"]), "row")
    yield _fact("flips", f"{flip_rate(figures)} of {read} read both ways")
    yield _fact(
        "judge alone, flips read as ties",
        f"{older.candidate}–{older.baseline}–{older.tie} (the older reading)",
    )
    shown = figures["first_shown_rate"]
    of = counted(count_of(figures["first_shown_of"]), "decisive verdict")
    rate = percent(shown) if isinstance(shown, float) else "unknown"
    yield _fact("named what was shown first", f"{rate} of {of}; 50 % is no position bias")
    luck, joint = figures["false_ship_chance"], figures["joint_false_ship_chance"]
    yield _fact("two equal prompts would pass", _chance(luck))
    tried = count_of(figures["tried"])
    times = "this is the only try" if tried == 1 else f"all {tried} tries together"
    yield _fact("… with all that was tried on this snapshot", f"{_chance(joint)} ({times})")


def _chance(value: JsonValue) -> str:
    return f"in {percent(value)} of cases" if isinstance(value, float | int) else "unknown"


def _people(figures: JsonObject) -> Iterator[Line]:
    """Yield what people have done, by which rule it counts, and how often the judge was right."""
    reviews = object_of(figures["reviews"])
    in_all, against = count_of(reviews.get("reviewed")), count_of(reviews.get("overrides"))
    done = f"{reviews.get('done')} of {reviews.get('required')} required, {counted(in_all, 'row')} in all"
    yield _fact("reviews", f"{done}, {against:,} {agreeing(against, 'overrides', 'override')} the judge")
    if (policy := reviews.get("policy")) is not None:
        named = f" ({reviews.get('adjudicator')})" if reviews.get("adjudicator") else ""
        disputed = reviews.get("disputed")
        unsettled = len(disputed) if isinstance(disputed, list) else 0
        rule = f"{_POLICIES.get(str(policy), str(policy))}{named}"
        differing = count_of(reviews.get("differing"))
        differ = f"{counted(differing, 'row')} {agreeing(differing, 'differs', 'differ')}"
        differ += f", {unsettled:,} of them disputed"
        yield _fact("when reviewers differ", f"{rule}; {differ}")
    audit = object_of(reviews.get("audit"))
    if asked := count_of(audit.get("asked")):
        yield _fact("audit sample", f"{audit.get('done')} of {counted(asked, 'agreed row')} read")
    yield from _accuracy(object_of(figures.get("judge_accuracy")), figures)


_POLICIES = {
    "latest": "the latest verdict counts",
    "majority": "the majority counts",
    "adjudicator": "the adjudicator decides",
}


def _accuracy(accuracy: Mapping[str, JsonValue], figures: JsonObject) -> Iterator[Line]:
    for source, words in (("audit", "on the audit sample"), ("reviews", "on all reviewed rows")):
        found = object_of(accuracy.get(source))
        if n := count_of(found.get("n")):
            right = count_of(found.get("right"))
            interval = _bounds(found.get("wilson95"), Fraction(1, 2))
            yield _fact(
                f"the judge was right {words}",
                f"{right} of {n} ({percent(share(right, n), Fraction(1, 2))}){interval}",
            )
    corrected = object_of(accuracy.get("corrected"))
    if isinstance(value := corrected.get("value"), float | int):
        alone = _votes(figures["judge_alone"])
        threshold = Fraction(str(object_of(figures["win_rate"])["threshold"]))
        plain = _rate(alone, "count", threshold)
        interval = _bounds(corrected.get("interval95"), threshold)
        yield _fact(
            "win rate, corrected for the judge",
            f"{percent(value, threshold)}{interval}, beside {plain} by the judge alone "
            f"(from {_SOURCES.get(str(corrected.get('from')), str(corrected.get('from')))})",
        )


_SOURCES = {"audit": "the audit sample", "reviews": "all reviewed rows"}


def _bounds(interval: JsonValue | None, mark: Fraction) -> str:
    if not isinstance(interval, list) or len(interval) != 2:
        return ""
    low, high = (percent(bound, mark) if isinstance(bound, float | int) else "?" for bound in interval)
    return f", 95 % interval {low} to {high}"


def _fact(name: str, words: str) -> Line:
    return (Run(f"{name}: ", "muted"), Run(words))
