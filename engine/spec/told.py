"""A report before anything is spent, in sentences: the command line and the desk say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bothways.engine.analysis.stats import percent
from bothways.engine.spec.check import CasesSeen, Report
from bothways.engine.spec.estimate import Estimate
from bothways.engine.spec.power import Power
from bothways.engine.spec.tried import Tried
from bothways.engine.text import agreeing, counted, usd

__all__ = ["Said", "data_told", "short_cost", "told"]

_TAGS = 8


class Said(NamedTuple):
    """A sentence and what it is about."""

    about: str
    sentence: str


def told(report: Report) -> Iterator[Said]:
    """Say what a run takes, what is there already, what the cases can show, and who tried this before."""
    whole, left = report.whole, report.left
    if not whole.calls:
        yield Said("calls", "none; everything is recorded")
    else:
        yield Said("calls", f"{_calls(whole)} in all; what is there is not done again")
        if left != whole:
            yield Said("there", _there(whole, left))
        yield Said("cost", _cost(left))
        yield Said("time", f"about {_minutes(left.seconds)}")
    yield from _power(report.power)
    if report.tried:
        yield Said("this snapshot was tried today by", ", ".join(_tried(report.tried)))


def data_told(seen: CasesSeen) -> Iterator[Said]:
    """Say what a data set holds."""
    yield Said("cases", f"{seen.count:,}, {seen.high_stakes:,} of them high stakes")
    if seen.tags:
        named = [f"{tag} ({count:,})" for tag, count in list(seen.tags.items())[:_TAGS]]
        more = [f"{len(seen.tags) - _TAGS} more"] if len(seen.tags) > _TAGS else []
        yield Said("tags", ", ".join([*named, *more]))
    yield Said("first case", seen.first.id)


def _calls(found: Estimate) -> str:
    least = "at least " if found.at_least else ""
    return f"{least}{found.calls} ({_units(found)})"


def _units(found: Estimate) -> str:
    return f"{counted(found.answers, 'answer')}, {counted(found.passes, 'pass', 'passes')}"


def _there(whole: Estimate, left: Estimate) -> str:
    if not left.calls:
        return "all of it: a run has nothing to do"
    answers, passes = whole.answers - left.answers, whole.passes - left.passes
    there = f"{counted(answers, 'answer')} and {counted(passes, 'pass', 'passes')}"
    return f"{there}; {_calls(left)} {agreeing(left.calls, 'is', 'are')} left, which is what follows"


def _cost(found: Estimate) -> str:
    unpriced = f"no price known for {', '.join(found.unpriced)}"
    if found.cost_usd is None:
        return f"unknown ({unpriced})"
    return f"{short_cost(found)} ({unpriced})" if found.unpriced else short_cost(found)


def short_cost(found: Estimate) -> str:
    """Say what it costs in two or three words."""
    if found.cost_usd is None:
        return "cost unknown"
    return f"{'at least' if found.unpriced else 'about'} {usd(found.cost_usd)}"


def _power(found: Power) -> Iterator[Said]:
    if found.detectable is None:
        yield Said(
            "cases", f"{counted(found.cases, 'is', 'are')} too few; even winning all of them could be luck"
        )
    else:
        rate = f"{100 * found.detectable:.0f} %"
        yield Said("cases", f"can show a true win rate of about {rate} or more, four times in five")
    if found.luck is None or not found.candidates:
        return
    rows = counted(found.cases, "row")
    equal = f"a candidate that is no better still wins {percent(found.threshold)} of {rows}"
    sentence = f"{equal} in {percent(found.luck)} of all tries"
    if found.candidates > 1 and found.joint_luck is not None:
        sentence += f"; one of {found.candidates} does in {percent(found.joint_luck)}"
    yield Said("luck", sentence)


def _tried(today: tuple[Tried, ...]) -> Iterator[str]:
    yield from (f"{one.candidate} ({one.experiment})" for one in today if not one.itself)
    yield from (f"{one.candidate} (this experiment itself)" for one in today if one.itself)


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
