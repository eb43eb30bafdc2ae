"""What people write: append-only records in a hash chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bothways.engine.facts import JsonObject

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One append-only record. `hash` covers `seq`, `at`, `kind`, `body` and `prev`."""

    seq: int
    at: str
    kind: Literal["review", "decision"]
    body: JsonObject
    prev: str
    hash: str
