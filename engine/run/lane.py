"""Lanes: how many calls may be in flight, in all and to each provider, and when the next may start.

A person's `concurrency` bounds all calls together. Each provider has a lane of its own below it: a 429
narrows that lane for everybody in it and opens it again as calls succeed (additive increase,
multiplicative decrease); a Retry-After closes it until then. How long nothing but refusals came is counted
for the lane too: it is the provider that is out of patience then, not a call.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Lanes", "RunStopped"]

NARROW = 0.9
"""Factor of one 429. Gentle: one in twenty must not halve the rate; many in a row add up, and wait."""
WIDEN = 0.25
"""Slots gained by one success: a lane narrowed once is whole again after a round of calls."""
PATIENCE = 3
"""Refusals in a row, without one success between, after which the lane also waits."""
LONGEST_WAIT_S = 60.0
Fits: TypeAlias = Callable[[str, int, int], bool]
"""Tells whether there is money for a call to somebody, beside so many of theirs and so many in all."""


class RunStopped(Exception):
    """The run is stopping: nothing new is begun. What was not begun is simply still missing."""


@dataclass(slots=True)
class Lane:
    """One provider's share."""

    width: float
    busy: int = 0
    opens_at: float = 0.0
    refused: int = 0
    refused_since: float = 0.0
    waiting: deque[tuple[str, asyncio.Future[None]]] = field(default_factory=deque)


class Lanes:
    """Hands out slots. Use from one event loop only.

    `fits` is asked before each: somebody else may know of a reason to wait.
    """

    def __init__(self, concurrency: int) -> None:
        self.fits: Fits = lambda *_: True
        self._concurrency = concurrency
        self._busy: Counter[str] = Counter()
        self._going = asyncio.Event()
        self._going.set()
        self._closed = False
        self._lanes: dict[str, Lane] = {}

    @property
    def busy(self) -> int:
        """Calls in flight."""
        return self._busy.total()

    @property
    def waiting(self) -> bool:
        """Whether anybody waits for a slot."""
        return any(lane.waiting for lane in self._lanes.values())

    async def acquire(self, name: str, who: str = "") -> None:
        """Wait for a slot in a lane for a call to somebody; RunStopped once the lanes are closed.

        Pair with `release`.
        """
        if self._closed:
            raise RunStopped
        lane = self._lane(name)
        if not lane.waiting and self._free(lane, who):
            self._take(lane, who)
            return
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.waiting.append((who, ticket))
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled() and ticket.exception() is None:
                self.release(name, who)  # the slot came at the moment of cancelling
            raise

    def release(self, name: str, who: str = "") -> None:
        """Give a slot back."""
        lane = self._lane(name)
        lane.busy -= 1
        self._busy[who] -= 1
        self._wake()

    def succeeded(self, name: str) -> None:
        """Widen the lane a little: a call got through."""
        lane = self._lane(name)
        lane.refused = 0
        lane.width = min(self._concurrency, lane.width + WIDEN)

    def refused(self, name: str, retry_after: float | None) -> float:
        """Narrow the lane after a 429 and return for how many seconds that closes it.

        What was under way when the lane closed tells nothing new by being refused too: a wait doubles
        when the one before it did not help, not with the number of calls that met the same wall.
        """
        lane, now = self._lane(name), asyncio.get_running_loop().time()
        if lane.refused == 0:
            lane.refused_since = now
        lane.width = max(1.0, lane.width * NARROW)
        if lane.opens_at > now and retry_after is None:
            return 0.0
        lane.refused += 1
        if retry_after is not None:
            wait = retry_after
        elif lane.refused > PATIENCE:
            wait = min(LONGEST_WAIT_S, 0.25 * 2 ** (lane.refused - PATIENCE))
        else:
            return 0.0
        self._close(lane, wait)
        return wait

    def refused_for(self, name: str) -> float:
        """Return for how many seconds a lane has met nothing but refusals; 0 where it was only a few."""
        lane = self._lane(name)
        if lane.refused <= PATIENCE:
            return 0.0
        return asyncio.get_running_loop().time() - lane.refused_since

    def hold(self) -> None:
        """Start nothing new until `resume`; what is in flight goes on."""
        self._going.clear()

    def resume(self) -> None:
        """Go on after `hold`. Refusals from before it say nothing about what is to come."""
        self._going.set()
        for lane in self._lanes.values():
            lane.refused = 0
        self._wake()

    async def going(self) -> None:
        """Wait while a hold lasts, for one who has a slot and sends again; RunStopped once closed."""
        await self._going.wait()
        if self._closed:
            raise RunStopped

    def close(self) -> None:
        """Send everybody who waits away with RunStopped, and whoever comes later."""
        self._closed = True
        self._going.set()
        for lane in self._lanes.values():
            for _, ticket in lane.waiting:
                if not ticket.done():
                    ticket.set_exception(RunStopped())
            lane.waiting.clear()

    def _lane(self, name: str) -> Lane:
        return self._lanes.setdefault(name, Lane(float(self._concurrency)))

    def _close(self, lane: Lane, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        lane.opens_at = max(lane.opens_at, loop.time() + seconds)
        # A hair later than asked: a timer may fire a clock tick early, and find the lane still closed.
        loop.call_at(lane.opens_at + 0.002, self._wake)

    def _free(self, lane: Lane, who: str) -> bool:
        if not self._going.is_set() or self.busy >= self._concurrency or lane.busy >= int(lane.width):
            return False
        if lane.opens_at > asyncio.get_running_loop().time():
            return False
        return self.fits(who, self._busy[who], self.busy)

    def _take(self, lane: Lane, who: str) -> None:
        lane.busy += 1
        self._busy[who] += 1

    def _wake(self) -> None:
        for lane in self._lanes.values():
            while lane.waiting and self._free(lane, lane.waiting[0][0]):
                who, ticket = lane.waiting.popleft()
                if not ticket.done():
                    self._take(lane, who)
                    ticket.set_result(None)
