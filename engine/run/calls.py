"""The only way out: every paid call of every unit goes through here.

Claim, slot, attempt, reply: the intent is committed before the request is sent and the reply after, so a
killed run loses at most what was in flight. Retries live here and nowhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Iterator
from itertools import count

from bothways.engine.errors import CallFailed
from bothways.engine.facts import FailureKind, Reply
from bothways.engine.ledger import AnswerUnit, Busy, Claim, Journal, Unit
from bothways.engine.run.budget import Budget
from bothways.engine.run.lane import Lanes, RunStopped
from bothways.engine.run.options import RunEvent, Watch
from bothways.engine.run.used import Used
from bothways.engine.text import usd

__all__ = ["Outside", "RunStopped", "TakenElsewhere", "UnitCalls"]

FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0
MOST_CHANGES = 6
"""How often one call may be changed and sent again at once: shapes and parameters a server does not take."""


class TakenElsewhere(Exception):
    """Another live run is at this unit."""


class Outside:
    """What all calls of one run share: lanes, money, the journal, and whether the run is stopping."""

    def __init__(
        self,
        journal: Journal,
        lanes: Lanes,
        budget: Budget,
        retries: int,
        watch: Watch,
        ahead: int,
        patience_s: float,
    ) -> None:
        self.journal = journal
        self.lanes = lanes
        self.lanes.fits = budget.fits
        self.budget = budget
        self.retries = retries
        self.watch = watch
        self.made = 0
        self.replayed = 0
        self.stop_reason: str | None = None
        self._ahead = ahead
        self._patience_s = patience_s
        self._claims: dict[str, asyncio.Semaphore] = {}
        self._unpriced: set[str] = set()
        self._stopping = asyncio.Event()
        self._jitter = random.Random()

    def claims(self, lane: str) -> asyncio.Semaphore:
        """Return the room for claims in one lane.

        Claims are committed a little ahead of their slots, so that no slot waits for the disk; in each lane
        by itself, so that those who wait for a closed one are in nobody's way.
        """
        return self._claims.setdefault(lane, asyncio.Semaphore(self._ahead))

    def stop(self, reason: str) -> None:
        """Begin nothing new from now on. The first reason stands."""
        if self.stop_reason is None:
            self.stop_reason = reason
            self._stopping.set()
            self.lanes.close()
            self.watch(RunEvent("stopping", detail=reason, cost_usd=self.budget.spent_usd))

    def may_begin(self) -> None:
        """Raise RunStopped when nothing new may be begun: a stop was asked for, or the money is used up."""
        money, limit = self.budget, self.budget.limit_usd
        if self.stop_reason is None and limit is not None and not money.affords():
            left = f"{usd(money.spent_usd, 4)} are spent, and a call took up to {usd(money.dearest_usd, 4)}"
            self.stop(f"the budget of {usd(limit)} is used up: {left}")
        if self.stop_reason is not None:
            raise RunStopped

    def replied(self, who: str, reply: Reply) -> None:
        """Charge what somebody's reply cost; where nobody can tell, no budget holds, and that is said."""
        self.budget.charge(who, reply.cost_usd)
        if reply.cost_usd is None and self.budget.limit_usd is not None and who not in self._unpriced:
            self._unpriced.add(who)
            detail = "what its calls cost is not known: the budget does not limit them"
            self.watch(RunEvent("unpriced", variant=who, detail=detail, cost_usd=self.budget.spent_usd))

    def released(self, lane: str, who: str) -> None:
        """Give a slot back; whoever waits for money that will never be there is sent away."""
        self.lanes.release(lane, who)
        if self.lanes.waiting:
            with contextlib.suppress(RunStopped):
                self.may_begin()

    def refused(self, lane: str, failed: CallFailed) -> float:
        """Narrow a lane after a 429; return for how many seconds it is closed, or end the run.

        A call may fail while others get through. Where none does for as long as a call and its retries may
        take, the next thousand would be refused as well: whoever runs it should know, and not wait a night.
        """
        closed = self.lanes.refused(lane, failed.retry_after)
        silent_s = self.lanes.refused_for(lane)
        if silent_s >= self._patience_s:
            self.stop(
                f"{failed.failure.kind}: for {silent_s:.0f} s {lane} has refused every call "
                f"({failed.failure.message}); wait until its limit is over, or lower the concurrency, "
                "then run again"
            )
        return closed

    async def sleep(self, seconds: float) -> None:
        """Wait, but not beyond a stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    def backoff(self, tried: int) -> float:
        """Return the seconds to wait after the `tried`-th failure: doubling, with jitter, bounded."""
        longest: float = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0**tried)
        return longest * self._jitter.uniform(0.5, 1.0)


class UnitCalls:
    """The calls of one unit, numbered from 1 in the order in which they are made."""

    def __init__(self, outside: Outside, unit: Unit, case_id: str) -> None:
        self._outside = outside
        self._unit = unit
        self._who = unit.variant if isinstance(unit, AnswerUnit) else unit.judge
        self._case = case_id
        self._seq = 0
        self.used = Used()

    async def send(self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Make the unit's next call: replay its stored reply, or send it, retrying what is worth it."""
        self._seq += 1
        tried, numbers = 0, count()
        while True:
            try:
                return await self._once(lane, request, attempt, numbers)
            except CallFailed as failed:
                if failed.action != "retry" or tried >= self._outside.retries:
                    raise
                await self._wait(lane, failed, tried)
                tried += 1

    async def keep(self, request: str, act: Callable[[], Awaitable[str]]) -> str:
        """Do something of one's own, unless its result is stored already."""
        self._seq += 1
        begun = await self._begin(request, 0, free=True)
        if isinstance(begun, Reply):
            return begun.content or ""
        result = await act()
        await self._outside.journal.settle(begun, Reply(result, cost_usd=0.0))
        return result

    async def _once(
        self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]], numbers: Iterator[int]
    ) -> Reply:
        outside = self._outside
        async with outside.claims(lane):
            begun = await self._begin(request, next(numbers))
            if isinstance(begun, Reply):
                outside.replayed += 1
                self.used.reply(begun)
                return begun
            await self._slot(lane, begun)
            try:
                claim, reply = await self._changing(lane, request, attempt, begun, numbers)
            finally:
                outside.released(lane, self._who)
        outside.lanes.succeeded(lane)
        await outside.journal.settle(claim, reply)
        return reply

    async def _begin(self, request: str, number: int, *, free: bool = False) -> Claim | Reply:
        self._outside.may_begin()
        begun = await self._outside.journal.begin(self._unit, self._seq, number, request, free=free)
        if isinstance(begun, Busy):
            raise TakenElsewhere
        return begun

    async def _slot(self, lane: str, claim: Claim) -> None:
        """Wait for a slot. Where the run stops before there is one, nothing was sent and nothing is owed."""
        try:
            await self._outside.lanes.acquire(lane, self._who)
        except RunStopped:
            await self._outside.journal.withdraw(claim)
            raise

    async def _changing(
        self,
        lane: str,
        request: str,
        attempt: Callable[[], Awaitable[Reply]],
        claim: Claim,
        numbers: Iterator[int],
    ) -> tuple[Claim, Reply]:
        """Send, and send again from the same slot what was changed to be taken.

        Going back to the end of the queue, it would learn what the server takes only after everybody in
        the queue had met the same refusal.
        """
        for _ in range(MOST_CHANGES):
            try:
                return claim, await self._attempt(lane, claim, attempt)
            except CallFailed as failed:
                if failed.action != "retry_now":
                    raise
            await self._outside.lanes.going()
            begun = await self._begin(request, next(numbers))
            assert isinstance(begun, Claim)  # the unit is ours, and this call of it has just failed
            claim = begun
        return claim, await self._attempt(lane, claim, attempt)

    async def _attempt(self, lane: str, claim: Claim, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Make one attempt; who waits for the slot finds the money spent and the lane as this one left it."""
        outside = self._outside
        outside.made += 1
        try:
            reply = await attempt()
        except CallFailed as failed:
            self._heed(lane, failed)
            await outside.journal.settle(claim, failed.failure, cost_usd=failed.cost_usd)
            raise
        self.used.reply(reply)
        outside.replied(self._who, reply)
        return reply

    def _heed(self, lane: str, failed: CallFailed) -> None:
        outside = self._outside
        self.used.failure(failed)
        outside.budget.charge(self._who, failed.cost_usd)
        if failed.action == "stop":
            said = f"{failed.failure.kind}: {failed.failure.message}"
            outside.stop("; ".join(part for part in (said, failed.next_step) if part))
        elif failed.failure.kind is FailureKind.RATE_LIMIT:
            closed = outside.refused(lane, failed)
            if closed and outside.stop_reason is None:
                outside.watch(RunEvent("waiting", self._case, lane, failed.failure, closed))

    async def _wait(self, lane: str, failed: CallFailed, tried: int) -> None:
        outside = self._outside
        seconds = outside.backoff(tried)
        if failed.retry_after is not None:
            # The lane itself is closed for so long after a 429.
            seconds = 0.0 if failed.failure.kind is FailureKind.RATE_LIMIT else failed.retry_after
        outside.watch(RunEvent("retrying", self._case, lane, failed.failure, seconds))
        await outside.sleep(seconds)
