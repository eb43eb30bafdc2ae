"""What tokens cost, from the price list that litellm ships, read as a file.

Importing litellm takes seconds; finding it does not import it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bothways.engine.facts import JsonObject, JsonValue, Usage

__all__ = ["models", "price", "provider"]

_FILE = "model_prices_and_context_window_backup.json"
_TIERS = (("above_200k_tokens", 200_000), ("above_128k_tokens", 128_000))


def price(model: str, usage: Usage) -> float | None:
    """Return the price of one call in USD; None where the model or its tokens are not known.

    Cached prompt tokens cost the cached rate, where the list has one. More cached tokens than prompt tokens
    are counted as all of them.
    """
    entry = _entry(model)
    if entry is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    prompt = _rate(entry, "input_cost_per_token", usage.prompt_tokens)
    completion = _rate(entry, "output_cost_per_token", usage.prompt_tokens)
    if prompt is None or completion is None:
        return None
    cached_rate = _rate(entry, "cache_read_input_token_cost", usage.prompt_tokens)
    cached = min(usage.cached_tokens or 0, usage.prompt_tokens)
    cached_cost = cached * (prompt if cached_rate is None else cached_rate)
    return (usage.prompt_tokens - cached) * prompt + cached_cost + usage.completion_tokens * completion


@cache
def models() -> tuple[str, ...]:
    """Return the names of the models that answer in text and have a price, with their provider, in order."""
    return tuple(sorted({name for model, entry in _table().items() for name in _named(model, entry)}))


def provider(model: str) -> str:
    """Return who serves a model: named before its slash, else by the list; empty where nobody says."""
    if "/" in model:
        return model.partition("/")[0]
    entry = _entry(model)
    return str(entry.get("litellm_provider") or "") if entry else ""


def _named(model: str, entry: JsonValue) -> Iterator[str]:
    """Yield how a spec names a model; a provider of the list with a hyphen is none that litellm takes."""
    if isinstance(entry, dict) and entry.get("mode") == "chat" and "input_cost_per_token" in entry:
        provider = entry.get("litellm_provider")
        if "/" in model or not isinstance(provider, str):
            yield model
        elif "-" not in provider:
            yield f"{provider}/{model}"


def _entry(model: str) -> JsonObject | None:
    """Find a model by its name, or by its name without the provider that the list gives it."""
    found = _table().get(model)
    if found is None and "/" in model:
        provider, _, name = model.partition("/")
        found = _table().get(name)
        if isinstance(found, dict) and found.get("litellm_provider") != provider:
            return None
    return found if isinstance(found, dict) else None


def _rate(entry: JsonObject, name: str, prompt_tokens: int) -> float | None:
    """Return a rate; long prompts have a dearer one with some providers."""
    dearer = [f"{name}_{suffix}" for suffix, over in _TIERS if prompt_tokens > over]
    rates = (entry.get(key) for key in (*dearer, name))
    return next((float(rate) for rate in rates if isinstance(rate, int | float)), None)


@cache
def _table() -> Mapping[str, JsonValue]:
    found = find_spec("litellm")
    if found is None or found.origin is None:
        return {}
    try:
        table: JsonValue = json.loads(Path(found.origin).with_name(_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # a litellm that ships no list: every price is unknown, and nothing else is lost
    return table if isinstance(table, dict) else {}
