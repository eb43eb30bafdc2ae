"""Every row of the published and computed tables, and what rounding may never do."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from bothways.engine.analysis import stats

GATE_ARITHMETIC = [
    (24, 7, 0.774, 0.003327, (0.6019, 0.8860), 25.52),
    (10, 18, 0.357, 0.1849, (0.2071, 0.5417), 0.705),
    (11, 18, 0.379, 0.2649, (0.2269, 0.5600), 0.517),
    (18, 12, 0.600, 0.3616, (0.4232, 0.7541), 0.4005),
    (21, 9, 0.700, 0.0428, (0.5212, 0.8334), 2.42),
    (6, 0, 1.0, 0.03125, (0.6097, 1.0), 9.14),
    (50, 30, 0.625, 0.0330, (0.5155, 0.7231), 1.68),
]


@pytest.mark.parametrize(("wins", "losses", "rate", "p", "interval", "e"), GATE_ARITHMETIC)
def test_gate_arithmetic(
    wins: int, losses: int, rate: float, p: float, interval: tuple[float, float], e: float
) -> None:
    assert wins / (wins + losses) == pytest.approx(rate, abs=5e-4)
    assert stats.sign_test(wins, losses) == pytest.approx(p, abs=5e-5)
    assert stats.wilson(wins, wins + losses) == pytest.approx(interval, abs=5.1e-5)
    assert stats.e_value(wins, losses) == pytest.approx(e, rel=2e-3)


@pytest.mark.parametrize(
    ("decided", "chance"),
    [(10, 0.377), (20, 0.252), (30, 0.181), (40, 0.134), (60, 0.0775), (100, 0.0284), (200, 0.0028)],
)
def test_two_equal_prompts_pass_by_luck(decided: int, chance: float) -> None:
    assert stats.false_ship_chance(decided, Fraction("0.60")) == pytest.approx(chance, abs=5.1e-4)


def test_three_tries_until_one_passes() -> None:
    once = stats.false_ship_chance(30, Fraction("0.60"))
    assert once is not None
    assert stats.joint_chance(once, 3) == pytest.approx(0.450, abs=5e-4)
    assert stats.joint_chance(1.0, 3) == 1.0


@pytest.mark.parametrize(("rate", "chance"), [("0.60", 0.578), ("0.65", 0.780), ("0.70", 0.916)])
def test_a_real_effect_passes(rate: str, chance: float) -> None:
    found = stats.chance_to_pass(30, Fraction("0.60"), Fraction(rate))
    assert found == pytest.approx(chance, abs=5e-4)


@pytest.mark.parametrize(("rate", "cases"), [(0.60, 194), (0.65, 85), (0.70, 47), (0.75, 29)])
def test_cases_for_eighty_percent_power(rate: float, cases: int) -> None:
    assert stats.cases_for(rate) == cases
    detectable = stats.detectable_rate(cases)
    assert detectable is not None
    assert detectable <= rate


def test_no_number_of_cases_tells_a_half_from_a_half() -> None:
    assert stats.cases_for(0.5) is None
    assert stats.detectable_rate(0) is None


@pytest.mark.parametrize("rows", range(1, 6))
def test_five_rows_show_nothing_since_winning_all_is_luck(rows: int) -> None:
    """Exact two-sided sign test: 2 · (1/2)⁵ = 0.0625, and at six rows 0.03125."""
    assert stats.detectable_rate(rows) is None
    assert stats.detectable_rate(6) is not None


@pytest.mark.parametrize(
    ("wins", "of", "meets"), [(24, 40, True), (23, 40, False), (18, 30, True), (17, 30, False)]
)
def test_thresholds_are_compared_in_integers(wins: int, of: int, meets: bool) -> None:
    assert (wins >= stats.votes_needed(Fraction("0.60"), of)) is meets


def test_nothing_is_computed_from_nothing() -> None:
    assert stats.wilson(0, 0) is None
    assert stats.sign_test(0, 0) is None
    assert stats.false_ship_chance(0, Fraction("0.60")) is None
    assert stats.share(0, 0) is None
    assert stats.cohen_kappa([]) is None


def test_large_counts_agree_with_exact_integers() -> None:
    """Beyond 2,000 rows the sums are made in floats; an exact sum says the same."""
    n, at_least = 2_001, 1_050
    exact = sum(math.comb(n, k) for k in range(at_least, n + 1)) * 2 / 2**n
    assert stats.sign_test(at_least, n - at_least) == pytest.approx(exact, rel=1e-9)
    everything = sum(math.comb(n, k) for k in range(900, n + 1)) / 2**n
    assert stats.chance_to_pass(n, Fraction(900, n), Fraction(1, 2)) == pytest.approx(everything, rel=1e-9)
    e = Fraction(2**n, (n + 1) * math.comb(n, at_least))
    assert stats.e_value(at_least, n - at_least) == pytest.approx(float(e), rel=1e-9)


def test_huge_counts_stay_finite() -> None:
    assert stats.sign_test(60_000, 40_000) == pytest.approx(0.0, abs=1e-300)
    assert math.isfinite(stats.e_value(100_000, 0))


@pytest.mark.parametrize(
    ("value", "threshold", "shown"),
    [
        (Fraction(11, 30), "0.60", "36.7 %"),
        (Fraction(24, 40), "0.60", "60.0 %"),
        (Fraction(59996, 100000), "0.60", "59.996 %"),
        (Fraction(60004, 100000), "0.60", "60.004 %"),
        (Fraction(3001, 10000), "0.30", "30.01 %"),
        (Fraction(1), "0.60", "100.0 %"),
        (Fraction(0), "0.60", "0.0 %"),
        (Fraction(301, 1003), "0.30", "30.01 %"),
        (Fraction(1, 10_000), "0.60", "0.01 %"),
        (Fraction(9_999, 10_000), "0.60", "99.99 %"),
        (Fraction(1, 10**12), "0.60", "< 0.0001 %"),
        (1 - Fraction(1, 10**12), "0.60", "> 99.9999 %"),
        (Fraction("0.6667"), "0.6667", "66.67 %"),
    ],
)
def test_a_printed_figure_never_rounds_across_its_threshold(
    value: Fraction, threshold: str, shown: str
) -> None:
    assert stats.percent(value, Fraction(threshold)) == shown


def test_a_figure_in_a_file_never_rounds_across_its_threshold() -> None:
    just_below = Fraction(6, 10) - Fraction(1, 10**9)
    rounded = stats.rounded_at(just_below, Fraction("0.60"))
    assert rounded is not None
    assert rounded < 0.6
    assert stats.rounded_at(Fraction(11, 30), Fraction("0.60")) == 0.366667
    assert stats.rounded_at(None, Fraction("0.60")) is None


def test_kappa_is_one_for_agreement_and_undefined_for_one_label() -> None:
    assert stats.cohen_kappa([("A", "A"), ("B", "B")]) == 1.0
    assert stats.cohen_kappa([("A", "A"), ("A", "A")]) is None
    assert stats.cohen_kappa([("A", "B"), ("B", "A")]) == -1.0
