"""`python -m tests.bench.probe FILE EXPERIMENT LOG`: the desk with a run open, and its event loop watched.

Every 5 ms the loop is asked to wake up; what it is late by is how long a key would have waited. What is more
than 10 ms goes to LOG: when, by the clock that only goes forward, and how long.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from bothways.app.shell import run
from bothways.app.shell.app import Desk

_EVERY_S, _WORTH_S = 0.005, 0.010


class Watched(Desk):
    """The desk, which notes when its loop was busy."""

    def on_ready(self) -> None:
        """Begin to watch when the first screen is painted."""
        self.run_worker(_watch(Path(sys.argv[3])), group="probe")


async def _watch(path: Path) -> None:
    with path.open("a", encoding="ascii", buffering=1) as log:
        before = time.monotonic()
        while True:
            await asyncio.sleep(_EVERY_S)
            now = time.monotonic()
            if (late := now - before - _EVERY_S) > _WORTH_S:
                log.write(f"{now} {late}\n")
            before = time.monotonic()


if __name__ == "__main__":
    run.Desk = Watched  # type: ignore[attr-defined]  # all else is as the command has it
    run.run_desk(Path(sys.argv[1]), screen="run", experiment=sys.argv[2], reviewer="bench")
