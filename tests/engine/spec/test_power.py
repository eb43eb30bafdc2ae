from __future__ import annotations

from fractions import Fraction

import pytest

from bothways.engine.spec.power import power

SIXTY = Fraction("0.60")


@pytest.mark.parametrize(("cases", "rate"), [(194, 0.60), (85, 0.65), (47, 0.70), (29, 0.75)])
def test_the_detectable_effect_is_the_smallest_rate_with_80_percent_power(cases: int, rate: float) -> None:
    assert power(cases, 1, SIXTY).detectable == pytest.approx(rate, abs=0.0015)


@pytest.mark.parametrize("cases", range(6))
def test_so_few_cases_that_winning_all_is_luck_detect_nothing(cases: int) -> None:
    assert power(cases, 1, SIXTY).detectable is None


@pytest.mark.parametrize(
    ("cases", "chance"), [(10, 0.377), (20, 0.252), (30, 0.181), (40, 0.134), (60, 0.0775), (100, 0.0284)]
)
def test_luck_is_the_chance_that_two_equal_prompts_pass(cases: int, chance: float) -> None:
    assert power(cases, 1, SIXTY).luck == pytest.approx(chance, abs=0.0005)


def test_three_candidates_have_three_chances() -> None:
    assert power(30, 3, SIXTY).joint_luck == pytest.approx(0.450, abs=0.001)


def test_without_a_candidate_nobody_passes() -> None:
    assert power(30, 0, SIXTY).joint_luck is None
