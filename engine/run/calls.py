"""The only way out: every paid call of every unit goes through here.

Claim, slot, attempt, reply: the intent is committed before the request is sent and the reply after, so a
killed run loses at most what was in flight. Retries live here and nowhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable

from bothways.engine.errors import CallFailed
from bothways.engine.facts import FailureKind, Reply
from bothways.engine.ledger import Busy, Claim, Journal, Unit
from bothways.engine.run.budget import Budget
from bothways.engine.run.lane import Lanes, RunStopped
from bothways.engine.run.options import RunEvent, Watch

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
        self, journal: Journal, lanes: Lanes, budget: Budget, retries: int, watch: Watch, ahead: int
    ) -> None:
        self.journal = journal
        self.lanes = lanes
        self.budget = budget
        self.retries = retries
        self.watch = watch
        self.made = 0
        self.replayed = 0
        self.stop_reason: str | None = None
        # Claims are committed a little ahead of their slots, so that no slot waits for the disk.
        self.claims = asyncio.Semaphore(ahead)
        self._stopping = asyncio.Event()
        self._jitter = random.Random()

    def stop(self, reason: str) -> None:
        """Begin nothing new from now on. The first reason stands."""
        if self.stop_reason is None:
            self.stop_reason = reason
            self._stopping.set()
            self.lanes.close()
            self.watch(RunEvent("stopping", detail=reason, cost_usd=self.budget.spent_usd))

    def may_begin(self) -> None:
        """Raise RunStopped when nothing new may be begun: a stop was asked for, or the money is used up."""
        if self.stop_reason is None and not self.budget.allows(self.lanes.busy):
            self.stop(f"the budget of {self.budget.limit_usd:g} USD is used up")
        if self.stop_reason is not None:
            raise RunStopped

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
        self._case = case_id
        self._seq = 0

    async def send(self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Make the unit's next call: replay its stored reply, or send it, retrying what is worth it."""
        self._seq += 1
        tried = changed = 0
        while True:
            try:
                return await self._once(lane, request, attempt, tried + changed)
            except CallFailed as failed:
                if failed.action == "retry_now" and changed < MOST_CHANGES:
                    changed += 1
                    continue
                if failed.action != "retry" or tried >= self._outside.retries:
                    raise
                await self._wait(lane, failed, tried)
                tried += 1

    async def _once(
        self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]], number: int
    ) -> Reply:
        outside = self._outside
        async with outside.claims:
            outside.may_begin()
            claim = await outside.journal.begin(self._unit, self._seq, number, request)
            if isinstance(claim, Busy):
                raise TakenElsewhere
            if isinstance(claim, Reply):
                outside.replayed += 1
                return claim
            reply = await self._through(lane, claim, attempt)
        await outside.journal.settle(claim, reply)
        outside.budget.charge(reply.cost_usd)
        return reply

    async def _through(self, lane: str, claim: Claim, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        outside = self._outside
        try:
            await outside.lanes.acquire(lane)
        except RunStopped:
            await outside.journal.withdraw(claim)  # never sent: nothing is owed
            raise
        try:
            outside.made += 1
            reply = await attempt()
        except CallFailed as failed:
            await outside.journal.settle(claim, failed.failure, cost_usd=failed.cost_usd)
            if failed.cost_usd is not None:
                outside.budget.charge(failed.cost_usd)
            raise
        finally:
            outside.lanes.release(lane)
        outside.lanes.succeeded(lane)
        return reply

    async def _wait(self, lane: str, failed: CallFailed, tried: int) -> None:
        outside = self._outside
        seconds = outside.backoff(tried)
        if failed.failure.kind is FailureKind.RATE_LIMIT:
            closed = outside.lanes.refused(lane, failed.retry_after)
            if closed:
                outside.watch(RunEvent("waiting", self._case, lane, failed.failure, closed))
            seconds = 0.0 if failed.retry_after is not None else seconds
        elif failed.retry_after is not None:
            seconds = failed.retry_after
        outside.watch(RunEvent("retrying", self._case, lane, failed.failure, seconds))
        await outside.sleep(seconds)
