"""Which variable of the environment holds the key that a model needs, as far as that is known."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from bothways.engine.models.endpoint import OPENAI_HOST
from bothways.engine.models.prices import provider

__all__ = ["wanted_keys"]

_NAMES: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
}


def wanted_keys(model: str, endpoint: str | None) -> tuple[str, ...]:
    """Return the variables of which one has to be set, the usual one first.

    None for a server of one's own, which may well want no key, and for a provider that has other ways in.
    """
    if endpoint is not None:
        ours = ("BOTHWAYS_API_KEY", *_NAMES["openai"])
        return ours if urlsplit(endpoint).hostname == OPENAI_HOST else ()
    return _NAMES.get(provider(model), ())
