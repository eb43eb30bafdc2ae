from __future__ import annotations

import pytest

from bothways.engine.experiment import Experiment, Judge, RunSettings, Tool, Variant
from bothways.engine.facts import Case, Message, Usage
from bothways.engine.spec.estimate import Assumptions, estimate

CASES = [Case(id=str(number), messages=(Message("user", "x" * 400),)) for number in range(40)]
V4 = Variant(name="v4", model="m")
EXPERIMENT = Experiment(
    name="x",
    baseline=V4,
    candidates=(V4.model_copy(update={"name": "v5"}), V4.model_copy(update={"name": "v6"})),
    judge=Judge(name="j", model="judge"),
    run=RunSettings(concurrency=10),
)


def free(model: str, usage: Usage) -> float | None:
    return 0.0


def price_of_m(model: str, usage: Usage) -> float | None:
    return 1.0 if model == "m" else None


def test_calls_are_one_answer_a_variant_and_two_passes_a_candidate() -> None:
    found = estimate(EXPERIMENT, CASES, free, Assumptions(latency_s=2))
    assert (found.answers, found.passes, found.calls, found.at_least) == (120, 160, 280, False)
    assert found.seconds == 280 * 2 / 10


def test_one_order_is_half_the_passes_and_no_judge_is_none() -> None:
    one_order = EXPERIMENT.model_copy(update={"judge": Judge(name="j", model="judge", swap=False)})
    assert estimate(one_order, CASES, free).passes == 80
    assert estimate(EXPERIMENT.model_copy(update={"judge": None}), CASES, free).passes == 0


def test_recordings_take_no_calls() -> None:
    recorded = EXPERIMENT.model_copy(
        update={
            "baseline": V4.model_copy(update={"replay": "/a"}),
            "judge": Judge(name="j", model="judge", replay="/a"),
        }
    )
    found = estimate(recorded, CASES, free)
    assert (found.answers, found.passes) == (80, 0)


def test_with_tools_the_answers_are_a_lower_bound() -> None:
    tooled = EXPERIMENT.model_copy(update={"baseline": V4.model_copy(update={"tools": (Tool(name="find"),)})})
    assert estimate(tooled, CASES, free).at_least


def test_the_cost_is_the_price_of_the_estimated_tokens() -> None:
    seen: dict[str, list[Usage]] = {}

    def price(model: str, usage: Usage) -> float | None:
        seen.setdefault(model, []).append(usage)
        return 2.5

    found = estimate(EXPERIMENT, CASES, price, Assumptions(answer_tokens=10, verdict_tokens=5))
    assert found.cost_usd == pytest.approx(4 * 2.5)
    assert found.unpriced == ()
    assert [usage.completion_tokens for usage in seen["m"]] == [400, 400, 400]
    assert all(usage.prompt_tokens is not None and usage.prompt_tokens >= 40 * 100 for usage in seen["m"])
    assert [usage.completion_tokens for usage in seen["judge"]] == [5 * 160]


def test_what_has_no_price_is_named_and_not_counted_as_free() -> None:
    agent = Variant(name="agent", http={"url": "https://x"})
    experiment = EXPERIMENT.model_copy(update={"baseline": agent})
    found = estimate(experiment, CASES, price_of_m)
    assert (found.cost_usd, found.unpriced) == (2.0, ("agent", "j"))


def test_where_nothing_has_a_price_the_cost_is_unknown_and_not_nothing() -> None:
    found = estimate(EXPERIMENT, CASES, lambda model, usage: None)
    assert (found.cost_usd, found.unpriced) == (None, ("v4", "v5", "v6", "j"))


def test_what_is_not_called_costs_nothing() -> None:
    recorded = V4.model_copy(update={"replay": "/a"})
    found = estimate(
        EXPERIMENT.model_copy(update={"baseline": recorded, "candidates": (), "judge": None}), CASES, free
    )
    assert (found.calls, found.cost_usd) == (0, 0)


def test_the_detectable_effect_is_the_smallest_rate_with_enough_power() -> None:
    """A true rate of .70 needs 47 cases and .75 needs 29."""
    cases = [Case(id=str(number), messages=()) for number in range(47)]
    assert estimate(EXPERIMENT, cases, free).detectable == pytest.approx(0.70, abs=0.0015)
    assert estimate(EXPERIMENT, cases[:29], free).detectable == pytest.approx(0.75, abs=0.0015)


@pytest.mark.parametrize("count", range(6))
def test_so_few_cases_that_winning_all_is_luck_detect_nothing(count: int) -> None:
    assert estimate(EXPERIMENT, CASES[:count], free).detectable is None
