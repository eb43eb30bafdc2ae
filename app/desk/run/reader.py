"""Reading a run again and again, beside the screen that shows it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bothways.app.desk.run.look import RunLook

if TYPE_CHECKING:
    from bothways.app.desk.sitting import Sitting
    from bothways.store import Store

__all__ = ["RunReader"]


class RunReader:
    """Reads one experiment's run in a thread of its own, on a connection that stays open.

    What calls have cost is added up by what is new; a connection of a moment would begin anew each time.
    """

    def __init__(self, sitting: Sitting, experiment: str) -> None:
        self._sitting = sitting
        self._experiment = experiment
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="run")
        self._store: Store | None = None

    async def read(self) -> RunLook:
        """Return how the run stands."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read)

    def close(self) -> None:
        """Give the connection back; waits for nothing."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _read(self) -> RunLook:
        if self._store is None:
            self._store = self._sitting.open()
        store = self._store
        with store.view():
            spec = store.specs(self._experiment)[0]
            runs = tuple(store.runs(self._experiment))
            return RunLook(store.spec(spec.id), store.progress(spec.id), runs)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
