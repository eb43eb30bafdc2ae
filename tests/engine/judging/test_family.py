"""A judge of the same house as a candidate is pointed out."""

from __future__ import annotations

import pytest

from bothways.engine.judging.family import family, same_family


@pytest.mark.parametrize(
    ("model", "house"),
    [
        ("openai/gpt-4o-mini", "openai"),
        ("azure/gpt-5-mini", "openai"),
        ("o3-mini", "openai"),
        ("openrouter/anthropic/claude-sonnet-4-5", "anthropic"),
        ("bedrock/eu.anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
        ("gemini/gemini-2.5-pro", "google"),
        ("ollama/gemma3", "google"),
        ("together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo", "meta"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("ollama/shop-judge", "shop-judge"),
        ("local/foo", "foo"),
    ],
)
def test_the_house_is_told_by_the_name(model: str, house: str) -> None:
    assert family(model) == house


def test_only_known_relatives_are_of_one_family() -> None:
    assert same_family("openai/gpt-4o", "azure/gpt-5")
    assert not same_family("openai/gpt-4o", "anthropic/claude-sonnet-4-5")
    assert not same_family(None, None)
    assert not same_family("openai/gpt-4o", None)
