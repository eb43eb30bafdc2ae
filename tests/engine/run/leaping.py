"""Time that leaps: where nothing is left to do but wait, the wait is over, and took as long as it said."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

__all__ = ["leaping"]

P = ParamSpec("P")


class _Leaping(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while anything can be done, however long that takes."""

    def __init__(self) -> None:
        super().__init__()
        self._now_s = 0.0

    def time(self) -> float:
        """Return the seconds that were waited so far."""
        return self._now_s

    def _run_once(self) -> None:
        timers: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        while timers and timers[0].cancelled():
            heapq.heappop(timers)._scheduled = False  # type: ignore[attr-defined]
        if timers and not self._ready:  # type: ignore[attr-defined]
            self._now_s = max(self._now_s, timers[0].when())
        super()._run_once()  # type: ignore[misc]


def leaping(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test whose time leaps: only for what waits for nothing outside its own loop."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=_Leaping) as runner:
            runner.run(test(*args, **kwargs))

    return run
