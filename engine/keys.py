"""Content hashes: the same content has the same key on every machine and in every year."""

from __future__ import annotations

import hashlib
import json

__all__ = ["canonical", "digest"]


# Made once: `json.dumps` makes a new one for every call with options.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: object) -> str:
    """Return `value` as the one JSON text that stands for it: sorted keys, no spaces, no NaN, UTF-8 kept."""
    return _ENCODER.encode(value)


def digest(*parts: object) -> str:
    """Return the SHA-256 of the parts in their order, as 64 hex digits."""
    return hashlib.sha256(canonical(list(parts)).encode("utf-8", "surrogatepass")).hexdigest()
