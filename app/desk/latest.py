"""Work that is asked for more often than it can be done: once more after the running one, and no queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

__all__ = ["Latest"]


class Latest:
    """Runs a job; asked while it runs, runs it once more afterwards. `start` puts a coroutine to work."""

    def __init__(
        self,
        start: Callable[[Coroutine[Any, Any, None]], object],
        job: Callable[[], Awaitable[None]],
        pause_s: float = 0.0,
    ) -> None:
        self._start = start
        self._job = job
        self._pause_s = pause_s
        self._running = False
        self._wanted = False

    def ask(self) -> None:
        """See to it that the job is run after this moment."""
        self._wanted = True
        if not self._running:
            self._running = True
            self._start(self._run())

    async def _run(self) -> None:
        try:
            while self._wanted:
                self._wanted = False
                await self._job()
                if self._pause_s:
                    await asyncio.sleep(self._pause_s)
        finally:
            self._running = False
