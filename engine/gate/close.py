"""Is the vote close? Asked of the judge alone, so that the required reviews stay put while people review."""

from __future__ import annotations

from fractions import Fraction

from bothways.engine.analysis.stats import wilson
from bothways.engine.analysis.tally import Ties, Votes

__all__ = ["is_close"]


def is_close(judge: Votes, undecided: int, threshold: Fraction, ties: Ties) -> bool:
    """Say whether a person has to look: the interval, the two tie readings, or the undecided rows say so."""
    return (
        _interval_holds(judge, threshold, ties)
        or judge.meets(threshold, "count") != judge.meets(threshold, "exclude")
        or _undecided_carry(judge, undecided, threshold, ties)
    )


def _interval_holds(judge: Votes, threshold: Fraction, ties: Ties) -> bool:
    interval = wilson(judge.candidate, judge.denominator(ties))
    return interval is None or interval[0] <= threshold <= interval[1]


def _undecided_carry(judge: Votes, undecided: int, threshold: Fraction, ties: Ties) -> bool:
    for_it, against_it = judge.plus(candidate=undecided), judge.plus(baseline=undecided)
    return for_it.meets(threshold, ties) != against_it.meets(threshold, ties)
