"""Whether a run is alive: it holds an OS lock on a file beside the database for as long as it lives.

No clock and no process id is asked: the operating system lets go of the lock however the process ends.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["RunLock"]

_LOOKS = 6
_BETWEEN_LOOKS_S = (0.0005, 0.003)
"""A look takes microseconds, and no two that met wait equally long: they do not meet again and again."""


class RunLock:
    """The lock of one run, seen from inside (`hold`, `free`) or from outside (`held`)."""

    def __init__(self, database: Path, run_id: int) -> None:
        self._path = database.with_name(f"{database.name}.run-{run_id}.lock")
        self._lock = FileLock(self._path, timeout=0, thread_local=False)

    def hold(self) -> None:
        """Take the lock; nobody else has ever heard of this run."""
        self._lock.acquire()

    def free(self) -> None:
        """Let go and leave nothing behind."""
        self._lock.release()
        with suppress(OSError):  # whoever is just looking holds it open, which Windows minds
            self._path.unlink()

    def held(self) -> bool:
        """Tell whether the run is alive, within some milliseconds."""
        return self._path.exists() and all(self._taken() for _ in range(_LOOKS))

    def _taken(self) -> bool:
        """Look once. There is no looking without taking, so who looks at the same moment is in the way."""
        try:
            self._lock.acquire()
        except Timeout:
            time.sleep(random.uniform(*_BETWEEN_LOOKS_S))
            return True
        self._lock.release()
        return False
