"""The figures that keep a decision honest, each in words: the reports and the desk say the same of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bothways.engine.analysis.stats import percent
from bothways.engine.gate.figures import Figures, WinRate
from bothways.engine.text import counted
from bothways.engine.verdicts import Outcome

__all__ = [
    "Fact",
    "chances",
    "close",
    "e_value",
    "judge_right",
    "judging",
    "people",
    "read",
    "sign_test",
    "win_rates",
]


class Fact(NamedTuple):
    """One labelled figure or sentence."""

    label: str
    value: str

    @property
    def words(self) -> str:
        """Both in one line, as a sentence begins."""
        return f"{self.label[:1].upper()}{self.label[1:]}: {self.value}"


_WHY = {
    Outcome.FLIP_HARD: "hard flips (the passes name different variants)",
    Outcome.FLIP_SOFT: "soft flips (one pass says tie)",
    Outcome.FLIP_NIGHTS: "flips between nights",
    Outcome.UNANSWERED: "unanswered (a verdict that cannot be read)",
    Outcome.ERROR: "errors (an answer is missing)",
    Outcome.ONE_PASS: "judged in one order only",
    Outcome.PENDING: "not tried yet",
}


def judging(of: Figures) -> Iterator[Fact]:
    """Yield what the judge did not decide, and what can be held against it."""
    flips, older = of.flips, of.flips_as_ties
    yield Fact(
        "flips", f"{flips.number} of {counted(flips.of, 'row')} with two readable passes ({flips.percent})"
    )
    yield from (
        Fact(why, str(of.undecided[outcome])) for outcome, why in _WHY.items() if of.undecided[outcome]
    )
    yield Fact(
        "older reading, flips as ties", ", ".join(f"{side} {count}" for side, count in older.named.items())
    )
    yield Fact(
        "named what was shown first",
        f"{percent(of.first_shown_rate)} of {of.first_shown.of} decisive verdicts; 50 % is no position bias",
    )


def win_rates(of: Figures) -> Iterator[Fact]:
    """Yield the win rate with its interval, and by the other reading of the ties."""
    rate = of.win_rate
    bounds = rate.wilson95
    between = f", 95 % interval {_between(bounds, rate)}" if bounds else ""
    yield Fact(f"win rate (ties: {rate.ties})", rate.words + between)
    yield Fact(f"win rate (ties: {rate.other.ties})", rate.other.words)


def judge_right(of: Figures) -> Iterator[Fact]:
    """Yield how often the judge is right, as far as people read, and the win rate corrected for that."""
    told = of.accuracy
    for reading, label in (
        (told.audit, "judge right, audit"),
        (told.reviews, "judge right, all that people read"),
    ):
        if reading.n:
            yield Fact(label, f"{reading.words('rows that it decided')}, {reading.blind} of them read blind")
    if told.corrected is not None:
        threshold = of.win_rate.threshold
        value = percent(told.corrected.value, threshold)
        between = _between(told.corrected.interval, of.win_rate)
        plain = percent(of.alone.rate("count"), threshold)
        yield Fact(
            "win rate of the judge alone, corrected (ties: count)",
            f"{value}, 95 % interval {between}; {plain} as it stands",
        )


def sign_test(of: Figures) -> Fact:
    """Return the chance of a result so one-sided between equals."""
    return Fact("exact sign test, two-sided", f"p = {_known(of.strength.sign_test_p)}")


def e_value(of: Figures) -> Fact:
    """Return the evidence against equals that stays valid however often one looks."""
    return Fact("e-value (20 or more is strong)", _known(of.strength.e_value))


def chances(of: Figures) -> Iterator[Fact]:
    """Yield how easily luck alone passes: once, and at least once in all that was tried."""
    yield Fact("two equal prompts would pass", _cases(of.luck.once))
    yield Fact(f"… at least once in {of.luck.tried} tried on this snapshot", _cases(of.luck.jointly))


def close(of: Figures) -> Fact:
    """Return whether the judge alone leaves the vote so close that people have to look."""
    return Fact("close by the judge alone", "yes" if of.close else "no")


def people(of: Figures) -> Iterator[Fact]:
    """Yield what people have done, what was read of the audit, and what counts where they differ."""
    reviews = of.reviews
    done = f"{reviews.done} of {len(reviews.required)} required, {reviews.reviewed} in all"
    yield Fact("reviews", f"{done}, {reviews.overrides} against the judge")
    yield read(of)
    if reviews.audit.asked:
        asked = counted(reviews.audit.asked, "row")
        yield Fact("audit", f"{reviews.audit.done} of {asked} drawn by lot read")
    if reviews.differing:
        yield Fact("reviewers differ", reviews.rule.over(reviews.differing, len(reviews.disputed)))


def read(of: Figures) -> Fact:
    """Return how many rows reviewers have read, and how many were confirmed without that."""
    reviews = of.reviews
    unread = f", {reviews.unread:,} confirmed in bulk, unread" if reviews.unread else ""
    return Fact("read by reviewers", f"{reviews.read or 'none'} of {counted(of.rows, 'row')}{unread}")


def _between(bounds: tuple[float, float], rate: WinRate) -> str:
    low, high = (percent(bound, rate.threshold) for bound in bounds)
    return f"{low} to {high}"


def _cases(chance: float | None) -> str:
    return "unknown" if chance is None else f"in {percent(chance)} of cases"


def _known(value: float | None) -> str:
    return "unknown" if value is None else str(value)
