"""Which servers a run would call, and whether they answer. Asked politely: once, briefly, without any key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bothways.engine.experiment import Experiment

__all__ = ["KEYS", "Reached", "endpoints", "providers", "reach"]

_PROVIDERS = {
    "OPENAI": "https://api.openai.com/v1",
    "ANTHROPIC": "https://api.anthropic.com",
    "GEMINI": "https://generativelanguage.googleapis.com",
    "MISTRAL": "https://api.mistral.ai/v1",
    "GROQ": "https://api.groq.com/openai/v1",
    "OPENROUTER": "https://openrouter.ai/api/v1",
    "AZURE": "",  # each customer has an own address
}
KEYS = ("BOTHWAYS_API_KEY", *(f"{name}_API_KEY" for name in _PROVIDERS))
"""The environment variables that hold the keys people have most often."""
_PATIENCE_S = 5.0


class Reached(NamedTuple):
    """One server: its address without anything secret, whether it answered, and how."""

    url: str
    answered: bool
    detail: str


def providers() -> Iterator[str]:
    """Yield the address of each provider whose key is set; the environment may name another for it."""
    for name, usual in _PROVIDERS.items():
        own = os.environ.get(f"{name}_BASE_URL") or os.environ.get(f"{name}_API_BASE")
        if os.environ.get(f"{name}_API_KEY") and (own or usual):
            yield own or usual


def endpoints(experiments: Iterable[Experiment]) -> Iterator[str]:
    """Yield the endpoints that specs name. Agents behind HTTP are left alone: asking one may do something."""
    for experiment in experiments:
        for one in (*experiment.variants, experiment.judge):
            if one is not None and one.endpoint and not one.endpoint.startswith("${"):
                yield f"{one.endpoint.rstrip('/')}/models"


def reach(urls: Iterable[str]) -> list[Reached]:
    """Ask each address once, all at the same time."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(_reach, dict.fromkeys(urls)))


def _reach(url: str) -> Reached:
    import httpx

    from bothways.engine.models.scrub import scrub

    try:
        with httpx.Client(timeout=_PATIENCE_S, headers={"user-agent": "bothways doctor"}) as client:
            answer = client.get(url)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Reached(scrub(url), False, scrub(str(error)) or type(error).__name__)
    return Reached(scrub(url), True, f"answers with {answer.status_code}, asked without a key")
