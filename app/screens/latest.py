"""Work that is asked for more often than it can be done: once more after the running one, and no queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

__all__ = ["Latest"]


class Latest:
    """Runs a job; asked while it runs, runs it once more afterwards. `start` puts a coroutine to work.

    After a job it rests for `pause_s`, and for no less than `rest` times as long as the job took: what takes
    long on a large file is done more rarely there.
    """

    def __init__(
        self,
        start: Callable[[Awaitable[None]], object],
        job: Callable[[], Awaitable[None]],
        pause_s: float = 0.0,
        rest: float = 0.0,
    ) -> None:
        self._start = start
        self._job = job
        self._pause_s = pause_s
        self._rest = rest
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
                began = time.monotonic()
                await self._job()
                pause = max(self._pause_s, self._rest * (time.monotonic() - began))
                if pause:
                    await asyncio.sleep(pause)
        finally:
            self._running = False
