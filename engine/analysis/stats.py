"""The statistics of a comparison, exact wherever a person may act on the last digit.

Shares are compared as fractions, chances are summed in integers. Sources: Wilson (1927) for the interval;
the sign test is the exact binomial one; the e-value is the likelihood ratio of a uniform mixture over the
win chance against one half (Shafer 2021), which stays valid however often one looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

__all__ = [
    "as_set", "cases_for", "chance_to_pass", "cohen_kappa", "detectable_rate", "e_value", "false_ship_chance",
    "fisher_greater", "joint_chance", "percent", "rounded_at", "share", "sign_test", "votes_needed", "wilson",
]  # fmt: skip

Z_95 = 1.959963984540054
Z_POWER_80 = 0.8416212335729143
_EXACT_UP_TO = 2_000
_HALF = Fraction(1, 2)
_TINY = Fraction(1, 10**6)
_MOST_DIGITS = 15
T = TypeVar("T", bound=Hashable)


def share(part: int, of: int) -> Fraction | None:
    """Return `part` of `of` as a fraction; None where there is nothing to be a part of."""
    return Fraction(part, of) if of else None


def votes_needed(threshold: Fraction, of: int) -> int:
    """Return the fewest votes of `of` that meet `threshold`."""
    return math.ceil(threshold * of)


def wilson(part: int, of: int) -> tuple[float, float] | None:
    """Return the 95 % Wilson interval of a share; None where `of` is 0."""
    if not of:
        return None
    z2 = Z_95 * Z_95
    middle = (part + z2 / 2) / (of + z2)
    half = Z_95 / (of + z2) * math.sqrt(part * (of - part) / of + z2 / 4)
    return (0.0 if part == 0 else middle - half), (1.0 if part == of else middle + half)


def sign_test(wins: int, losses: int) -> float | None:
    """Return the exact two-sided p-value of wins against losses; None where there are neither."""
    n = wins + losses
    return min(1.0, 2 * _tail(max(wins, losses), n, _HALF)) if n else None


def fisher_greater(part: int, of: int, other: int, other_of: int) -> float:
    """Return the one-sided p-value of `part` of `of` being a larger share than `other` of `other_of`.

    Fisher's exact test (1935): the chance that, of all that are a part, so many or more fall on this side.
    """
    parts = part + other
    ways = _log_comb(of + other_of, parts)
    return math.fsum(
        math.exp(_log_comb(of, here) + _log_comb(other_of, parts - here) - ways)
        for here in range(max(part, parts - other_of), min(of, parts) + 1)
    )


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def e_value(wins: int, losses: int) -> float:
    """Return 2^n · w! · l! / (n+1)!, n = w + l: evidence against "equal"; 20 or more is strong."""
    n = wins + losses
    if n <= _EXACT_UP_TO // 2:
        return float(Fraction(2**n, (n + 1) * math.comb(n, wins)))
    log = n * math.log(2) + math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(n + 2)
    return math.exp(min(log, 709.0))


def false_ship_chance(decided: int, threshold: Fraction) -> float | None:
    """Return the chance that two equal variants pass `threshold` of `decided` rows."""
    return chance_to_pass(decided, threshold, _HALF)


def chance_to_pass(decided: int, threshold: Fraction, rate: Fraction) -> float | None:
    """Return the chance that a candidate that truly wins `rate` of the rows passes; None without rows."""
    return _tail(votes_needed(threshold, decided), decided, rate) if decided else None


def joint_chance(chance: float, tries: int) -> float:
    """Return the chance that at least one of `tries` independent tries passes."""
    return -math.expm1(tries * math.log1p(-chance)) if chance < 1 else 1.0


def cases_for(rate: float) -> int | None:
    """Return the decided rows at which the two-sided sign test sees a true `rate` with 80 % power.

    By the normal approximation; None for a rate of one half, which no number of rows tells from itself.
    """
    distance = abs(rate - 0.5)
    if not distance:
        return None
    return math.ceil(((Z_95 / 2 + Z_POWER_80 * math.sqrt(rate * (1 - rate))) / distance) ** 2)


def detectable_rate(cases: int) -> float | None:
    """Return the smallest true win rate (to 0.001) that `cases` decided rows show with 80 % power.

    None where they show nothing at 5 %, even if one side wins them all: five or fewer.
    """
    best = sign_test(cases, 0)
    if best is None or best > 0.05:
        return None
    for thousandths in range(501, 1001):
        needed = cases_for(thousandths / 1000)
        if needed is not None and needed <= cases:
            return thousandths / 1000
    return None


def cohen_kappa(pairs: Sequence[tuple[T, T]]) -> float | None:
    """Return Cohen's unweighted κ over the labels seen; None where it is not defined.

    It is not defined without pairs, nor where both sides gave one and the same label throughout.
    """
    n = len(pairs)
    labels = {label for pair in pairs for label in pair}
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    expected = sum(left.count(label) * right.count(label) for label in labels)
    if not n or expected == n * n:
        return None
    agreed = sum(a == b for a, b in pairs)
    return float(Fraction(agreed * n - expected, n * n - expected))


def percent(value: Fraction | float | None, *marks: Fraction) -> str:
    """Return a share as percent, `–` where there is none.

    One decimal, and as many more as keep it on its own side of every mark, and of 0 and 1: what is nearly
    nothing is never shown as nothing.
    """
    if value is None:
        return "–"
    exact = Fraction(value)
    if 0 < exact < _TINY:
        return "< 0.0001 %"
    if 1 - _TINY < exact < 1:
        return "> 99.9999 %"
    return (
        f"{_guarded(exact * 100, [100 * mark for mark in (*marks, Fraction(0), Fraction(1))], 1, _decimal)} %"
    )


def as_set(threshold: Fraction) -> str:
    """Return a threshold in percent as it was set, to its last digit and no further."""
    return percent(threshold, threshold).replace(".0 %", " %")


def rounded_at(value: Fraction | float | None, threshold: Fraction, digits: int = 6) -> float | None:
    """Return a share rounded for a file, on its own side of `threshold`."""
    return (
        None
        if value is None
        else _guarded(Fraction(value), [threshold], digits, lambda v, d: float(round(v, d)))
    )


def _guarded(
    value: Fraction, marks: Sequence[Fraction], digits: int, show: Callable[[Fraction, int], T]
) -> T:
    while digits < _MOST_DIGITS and any(
        _side(round(value, digits), mark) != _side(value, mark) for mark in marks
    ):
        digits += 1
    return show(value, digits)


def _side(value: Fraction, threshold: Fraction) -> int:
    return (value > threshold) - (value < threshold)


def _decimal(value: Fraction, digits: int) -> str:
    whole = round(value * 10**digits)
    sign = "-" if whole < 0 else ""
    before, after = divmod(abs(whole), 10**digits)
    return f"{sign}{before}.{after:0{digits}d}"


def _tail(at_least: int, n: int, rate: Fraction) -> float:
    """P(Bin(n, rate) ≥ at_least): in integers, or beyond 2,000 rows by a float sum good to ten digits."""
    if at_least <= 0:
        return 1.0
    if at_least > n:
        return 0.0
    return _exact_tail(at_least, n, rate) if n <= _EXACT_UP_TO else _float_tail(at_least, n, float(rate))


def _exact_tail(at_least: int, n: int, rate: Fraction) -> float:
    hit, miss = rate.numerator, rate.denominator - rate.numerator
    total, ways = 0, math.comb(n, at_least)
    for k in range(at_least, n + 1):
        total += ways * hit**k * miss ** (n - k)
        ways = ways * (n - k) // (k + 1)
    return float(Fraction(total, rate.denominator**n))


def _float_tail(at_least: int, n: int, rate: float) -> float:
    if at_least <= n * rate:  # sum the shorter side, whose terms fall from the first one on
        return 1.0 - _float_tail(n - at_least + 1, n, 1.0 - rate)
    log = math.lgamma(n + 1) - math.lgamma(at_least + 1) - math.lgamma(n - at_least + 1)
    term = math.exp(log + at_least * math.log(rate) + (n - at_least) * math.log1p(-rate))
    total, odds = 0.0, rate / (1.0 - rate)
    for k in range(at_least, n + 1):
        total += term
        term *= (n - k) / (k + 1) * odds
        if term < total * 1e-17:
            break
    return total
