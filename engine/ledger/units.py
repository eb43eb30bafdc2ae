"""What a run works on: units of work, and what is said of them while it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["AnswerRef", "AnswerUnit", "Busy", "Claim", "PassUnit", "Spent", "Unit"]


@dataclass(frozen=True, slots=True)
class AnswerUnit:
    """One answer that the spec asks for.

    `key` is the hash of what the target sees; `slot` 0 is the baseline.
    """

    key: str
    row_id: int
    variant: str
    slot: int
    night: int = 1
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class PassUnit:
    """One pass that the spec asks for.

    `shown` are the variants in the order shown; `order` 1 is the pass that shows the baseline first.
    `key` is the hash of what the judge sees.
    """

    key: str
    row_id: int
    judge: str
    shown: tuple[str, ...]
    order: int
    night: int = 1
    repeat: int = 1
    take: int = 1


Unit: TypeAlias = AnswerUnit | PassUnit


@dataclass(frozen=True, slots=True)
class AnswerRef:
    """An answer that is there: enough to key the passes over it without reading it."""

    id: int
    digest: str
    cost_usd: float | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to send one attempt of one call; its intent is committed."""

    call_id: int


@dataclass(frozen=True, slots=True)
class Busy:
    """Another live run is at this unit: leave it alone."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Known costs in USD, the dearest call among them, and the number of calls whose cost is unknown."""

    usd: float = 0.0
    unknown: int = 0
    dearest_usd: float = 0.0
