"""The worker: the same `bothways run` that a person can type, in a process of its own.

It is in a session of its own and writes to a log file, so the desk can be closed while it goes on. What it
does is learned from the store alone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from bothways.app.exits import STOPPED_EARLY
from bothways.engine.keys import digest

__all__ = ["Worker", "start"]


class Worker:
    """A run that this desk started."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self.log = log

    @property
    def ended(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    @property
    def how(self) -> str:
        """How it ended, where its exit code says something that the store does not; "" otherwise."""
        code = self.ended
        if code is None or code in (0, STOPPED_EARLY):
            return ""
        if code < 0:
            return f"was killed by signal {-code}: what was committed is kept"
        return f"ended with exit code {code}"

    def fate(self, lines: int) -> list[str]:
        """Return how it ended and its last words, where its exit code says more than the store does."""
        return [f"The worker {self.how}", *self.last_words(lines).splitlines()] if self.how else []

    def last_words(self, lines: int = 1) -> str:
        """Return the last lines of its log."""
        try:
            said = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            return ""
        return "\n".join(said[-lines:])


def start(db: Path, experiment: str, options: Sequence[str] = ()) -> Worker:
    """Start `bothways run EXPERIMENT` on this file and return at once."""
    folder = Path(platformdirs.user_log_path("bothways"))
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"run-{digest(str(db), experiment)[:12]}.log"
    command = [sys.executable, "-m", "bothways", "run", experiment, "--db", str(db), *options]
    with log.open("wb") as sink:
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, creationflags=flags
            )
        else:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True
            )
    return Worker(process, log)
