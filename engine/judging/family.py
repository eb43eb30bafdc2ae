"""Whether two models come from the same house: such a judge tends to like its relatives."""

from __future__ import annotations

import re

__all__ = ["family", "same_family"]

_HOUSES = (
    ("openai", r"chatgpt|gpt|o[1345](?=-|$)|davinci"),
    ("anthropic", r"claude"),
    ("google", r"gemini|gemma|palm|bison"),
    ("meta", r"llama"),
    ("mistral", r"mistral|mixtral|ministral|codestral|magistral|pixtral"),
    ("qwen", r"qwen|qwq"),
    ("deepseek", r"deepseek"),
    ("xai", r"grok"),
    ("cohere", r"command|cohere|aya"),
    ("amazon", r"nova|titan"),
    ("microsoft", r"phi"),
    ("zhipu", r"glm"),
    ("moonshot", r"kimi|moonshot"),
)
_KNOWN = re.compile("|".join(rf"(?P<{house}>(?<![a-z]){names})" for house, names in _HOUSES))


def family(model: str) -> str:
    """Return the house that a model's name tells, else the bare name.

    The provider says little (`openrouter/anthropic/claude-…`, `bedrock/…`, `azure/…` all resell), so the
    last part of the name is looked at first and the whole of it then. A distillate
    (`deepseek-r1-distill-llama-70b`) belongs to the house named first.
    """
    lower = model.casefold()
    bare = lower.rsplit("/", 1)[-1]
    found = _KNOWN.search(bare) or _KNOWN.search(lower)
    return found.lastgroup if found and found.lastgroup else bare


def same_family(model_a: str | None, model_b: str | None) -> bool:
    """Whether both names are known and tell the same house."""
    return bool(model_a and model_b) and family(model_a or "") == family(model_b or "")
