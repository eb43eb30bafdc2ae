"""A journal in memory, for tests of what stands between a unit and the world."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from bothways.engine.facts import Answer, Failure, PassResult, Reply
from bothways.engine.ledger import AnswerRef, AnswerUnit, Busy, Claim, PassUnit, Request, Spent, Unit


@dataclass
class MemoryJournal:
    """Keeps what it is told, and replays replies as the protocol says."""

    replies: dict[tuple[str, int], Reply] = field(default_factory=dict)
    settled: list[tuple[int, Reply | Failure]] = field(default_factory=list)
    begun: list[tuple[str, int, int]] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)
    request: Request | None = None

    async def ask(self, units: Sequence[Unit]) -> None:
        await asyncio.sleep(0)

    async def begin(
        self, unit: Unit, seq: int, attempt: int, request: str, *, free: bool = False
    ) -> Claim | Reply | Busy:
        await asyncio.sleep(0)
        if unit.key in self.busy:
            return Busy()
        if (unit.key, seq) in self.replies:
            return self.replies[unit.key, seq]
        self.begun.append((unit.key, seq, attempt))
        return Claim(len(self.begun))

    async def settle(self, claim: Claim, result: Reply | Failure, *, cost_usd: float | None = None) -> None:
        await asyncio.sleep(0)
        self.settled.append((claim.call_id, result))

    async def withdraw(self, claim: Claim) -> None:
        self.withdrawn.append(claim.call_id)

    async def finish_answer(self, unit: AnswerUnit, answer: Answer) -> AnswerRef:
        return AnswerRef(1, answer.digest)

    async def finish_pass(self, unit: PassUnit, result: PassResult) -> None:
        await asyncio.sleep(0)

    async def extend(self, what: Literal["night", "take"]) -> None:
        await asyncio.sleep(0)

    async def spent(self) -> Spent:
        return Spent()

    async def requested(self) -> Request | None:
        return self.request
