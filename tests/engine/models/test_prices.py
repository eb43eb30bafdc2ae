"""Prices are those of the list, and unknown where it says nothing."""

from __future__ import annotations

import pytest

from bothways.engine.facts import Usage
from bothways.engine.models.prices import models, price

# USD a million tokens in the providers' own lists, for models whose price has long stood.
GPT_4O_MINI = {"prompt": 0.15, "cached": 0.075, "completion": 0.60}


def test_prompt_and_completion_have_rates_of_their_own() -> None:
    assert price("gpt-4o-mini", Usage(1_000_000, 500_000)) == pytest.approx(0.15 + 0.30)


def test_a_model_is_found_with_its_provider_before_it() -> None:
    assert price("openai/gpt-4o-mini", Usage(1_000_000, 0)) == pytest.approx(GPT_4O_MINI["prompt"])
    assert price("anthropic/claude-sonnet-4-5", Usage(100_000, 0)) == pytest.approx(0.30)


def test_another_providers_model_of_the_same_name_has_no_price() -> None:
    assert price("somebody/gpt-4o-mini", Usage(1_000_000, 0)) is None


@pytest.mark.parametrize("usage", [Usage(), Usage(10, None), Usage(None, 10)])
def test_unknown_tokens_cost_an_unknown_sum(usage: Usage) -> None:
    assert price("gpt-4o-mini", usage) is None


def test_an_unknown_model_costs_an_unknown_sum() -> None:
    assert price("local/foo", Usage(10, 10)) is None


def test_cached_tokens_cost_the_cached_rate() -> None:
    assert price("gpt-4o-mini", Usage(1_000_000, 0, 900_000)) == pytest.approx(0.1 * 0.15 + 0.9 * 0.075)


def test_more_cached_tokens_than_prompt_tokens_never_cost_less_than_nothing() -> None:
    assert price("gpt-4o-mini", Usage(1_000_000, 0, 1_200_000)) == pytest.approx(GPT_4O_MINI["cached"])


def test_a_long_prompt_costs_the_long_prompts_rate() -> None:
    assert price("gemini/gemini-2.5-pro", Usage(200_000, 0)) == pytest.approx(0.25)
    assert price("gemini/gemini-2.5-pro", Usage(400_000, 0)) == pytest.approx(1.00)


def test_models_are_offered_as_a_spec_names_them_and_each_has_a_price() -> None:
    assert {"openai/gpt-4o-mini", "gemini/gemini-2.5-pro"} <= set(models())
    assert all(price(name, Usage(10, 10)) is not None for name in models())
