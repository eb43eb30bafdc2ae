from __future__ import annotations

import pytest

from bothways.engine.experiment import Experiment, Judge, RunSettings, Tool, Variant
from bothways.engine.facts import Case, Message, Usage
from bothways.engine.spec.estimate import Assumptions, Estimate, Price, estimate, whole_work

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


def whole(
    experiment: Experiment, cases: list[Case], price: Price, assume: Assumptions | None = None
) -> Estimate:
    return estimate(experiment, whole_work(experiment, cases), price, assume)


def test_calls_are_one_answer_a_variant_and_two_passes_a_candidate() -> None:
    found = whole(EXPERIMENT, CASES, free, Assumptions(latency_s=2))
    assert (found.answers, found.passes, found.calls, found.at_least) == (120, 160, 280, False)
    assert found.seconds == 280 * 2 / 10


def test_one_order_is_half_the_passes_and_no_judge_is_none() -> None:
    one_order = EXPERIMENT.model_copy(update={"judge": Judge(name="j", model="judge", swap=False)})
    assert whole(one_order, CASES, free).passes == 80
    assert whole(EXPERIMENT.model_copy(update={"judge": None}), CASES, free).passes == 0


def test_recordings_take_no_calls() -> None:
    recorded = EXPERIMENT.model_copy(
        update={
            "baseline": V4.model_copy(update={"replay": "/a"}),
            "judge": Judge(name="j", model="judge", replay="/a"),
        }
    )
    found = whole(recorded, CASES, free)
    assert (found.answers, found.passes) == (80, 0)


def test_with_tools_the_answers_are_a_lower_bound() -> None:
    tooled = EXPERIMENT.model_copy(update={"baseline": V4.model_copy(update={"tools": (Tool(name="find"),)})})
    assert whole(tooled, CASES, free).at_least


def test_the_cost_is_the_price_of_the_estimated_tokens() -> None:
    seen: dict[str, list[Usage]] = {}

    def price(model: str, usage: Usage) -> float | None:
        seen.setdefault(model, []).append(usage)
        return 2.5

    found = whole(EXPERIMENT, CASES, price, Assumptions(answer_tokens=10, verdict_tokens=5))
    assert found.cost_usd == pytest.approx(4 * 2.5)
    assert found.unpriced == ()
    assert [usage.completion_tokens for usage in seen["m"]] == [400, 400, 400]
    assert all(usage.prompt_tokens is not None and usage.prompt_tokens >= 40 * 100 for usage in seen["m"])
    assert [usage.completion_tokens for usage in seen["judge"]] == [5 * 160]


def test_what_has_no_price_is_named_and_not_counted_as_free() -> None:
    agent = Variant(name="agent", http={"url": "https://x"})
    experiment = EXPERIMENT.model_copy(update={"baseline": agent})
    found = whole(experiment, CASES, price_of_m)
    assert (found.cost_usd, found.unpriced) == (2.0, ("agent", "j"))


def test_where_nothing_has_a_price_the_cost_is_unknown_and_not_nothing() -> None:
    found = whole(EXPERIMENT, CASES, lambda model, usage: None)
    assert (found.cost_usd, found.unpriced) == (None, ("v4", "v5", "v6", "j"))


def test_what_is_not_called_costs_nothing() -> None:
    recorded = V4.model_copy(update={"replay": "/a"})
    found = whole(
        EXPERIMENT.model_copy(update={"baseline": recorded, "candidates": (), "judge": None}), CASES, free
    )
    assert (found.calls, found.cost_usd) == (0, 0)
