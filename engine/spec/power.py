"""What the cases of an experiment can show, were all of them decided, and what luck alone would."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bothways.engine.analysis.stats import detectable_rate, false_ship_chance, joint_chance

__all__ = ["Power", "power"]


@dataclass(frozen=True, slots=True)
class Power:
    """What so many decided rows can show.

    `detectable` is the smallest true win rate that they show four times in five (80 % power, two-sided sign
    test at 5 %); None where not even winning all of them would show anything. `luck` is the chance that a
    candidate that is equal to the baseline meets the threshold, `joint_luck` that one of all candidates does.
    """

    cases: int
    candidates: int
    threshold: Fraction
    detectable: float | None
    luck: float | None
    joint_luck: float | None


def power(cases: int, candidates: int, threshold: Fraction) -> Power:
    """Compute what `cases` decided rows can show at this threshold."""
    luck = false_ship_chance(cases, threshold)
    joint = None if luck is None or not candidates else joint_chance(luck, candidates)
    return Power(cases, candidates, threshold, detectable_rate(cases), luck, joint)
