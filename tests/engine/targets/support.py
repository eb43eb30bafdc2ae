"""What the tests of targets share: a way out that sends at once, and asks."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Case, Message, Reply
from bothways.engine.targets.base import Ask

__all__ = ["RUN", "Direct", "ask"]

RUN = RunSettings(timeout_s=20, concurrency=20)
_numbers = itertools.count(1)


class Direct:
    """Makes every call at once, again as often as `tries` allows; keeps lanes and digests."""

    def __init__(self, tries: int = 1) -> None:
        self.lanes: list[str] = []
        self.requests: list[str] = []
        self._tries = tries

    async def send(self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        self.lanes.append(lane)
        self.requests.append(request)
        for left in reversed(range(self._tries)):
            try:
                return await attempt()
            except CallFailed as failed:
                if failed.action != "retry" or not left:
                    raise
        raise AssertionError("tries is at least 1")

    async def keep(self, request: str, act: Callable[[], Awaitable[str]]) -> str:
        return await act()


def ask(variant: Variant, text: str = "Where is order 7?", *, id: str = "r-1", context: str = "") -> Ask:
    """One case put to a variant, in a session of its own."""
    case = Case(id, (Message("user", text),), context=context, reference="the secret reference")
    return Ask(case, variant, f"session-{next(_numbers)}")
