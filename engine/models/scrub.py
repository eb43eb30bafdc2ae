"""Keys and passwords taken out of text that goes into the store, a log or a screen."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

__all__ = ["scrub"]

_MARK = "[key]"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_SHORTEST = 8
"""A shorter value is more likely a word of the text than a secret."""
_PATTERNS = (
    (re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|ghp|AIza)[-_][\w*.-]{6,}"), _MARK),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=*-]{6,}"), rf"\1 {_MARK}"),
    (re.compile(r"(?<=://)[^/\s@]+@"), f"{_MARK}@"),
    (
        re.compile(r"(?i)([?&](?:api[-_]?key|key|token|access_token|secret|password)=)[^&\s\"']+"),
        rf"\1{_MARK}",
    ),
)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` without the given secrets, those of the environment, and what looks like one.

    A provider that refuses a key often quotes it in its error.
    """
    known = {value for name, value in os.environ.items() if _SECRET_NAME.search(name)}
    for secret in sorted({*known, *secrets}, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _MARK)
    for pattern, mark in _PATTERNS:
        text = pattern.sub(mark, text)
    return text
