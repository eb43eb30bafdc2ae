"""A program on a pseudo-terminal: keys go in, and the time of every byte that it paints is taken."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

__all__ = ["Terminal"]

SIZE = (40, 120)
QUIET_S = 0.1
"""How long nothing more must come for a repaint to be over."""
_REST_S = 1.0
"""How long nothing must be worked on for a program to be at rest."""
PATIENCE_S = 60.0


class Terminal:
    """Runs a program with a terminal of 120 × 40 until it is left."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}

    def __enter__(self) -> Self:
        self._seen = b""
        self._screen, program_side = os.openpty()
        fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=program_side,
            stdout=program_side,
            stderr=program_side,
            start_new_session=True,
        )
        os.close(program_side)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._screen)

    def shown(self, text: str) -> float:
        """Return the seconds from the program's start until it has painted `text`."""
        seen, wanted = b"", text.encode()
        while wanted not in seen:
            painted = self._read(PATIENCE_S)
            if not painted:
                raise TimeoutError(f"{self._command} never painted {text!r}: {seen[-2000:]!r}")
            seen += painted
        return time.perf_counter() - self._started

    def has_shown(self, text: str) -> bool:
        """Whether `text` was among what was painted of late."""
        return text.encode() in self._seen

    def settle(self) -> None:
        """Wait until nothing is painted any more."""
        while self._read(5 * QUIET_S):
            pass

    def rest(self) -> None:
        """Wait until the program has nothing more to do: it may read on behind its screen."""
        self.settle()
        while True:
            before = self._worked_s
            self.watch(_REST_S)
            if self._worked_s - before < 0.05 * _REST_S:
                return

    def watch(self, for_s: float) -> None:
        """Take in what is painted for so long."""
        until = time.perf_counter() + for_s
        while (left := until - time.perf_counter()) > 0:
            self._read(left)

    def press(self, key: str) -> float:
        """Press a key and return the seconds until the last byte of the repaint it causes."""
        pressed = last = time.perf_counter()
        os.write(self._screen, key.encode())
        wait_s = PATIENCE_S
        while self._read(wait_s):
            last, wait_s = time.perf_counter(), QUIET_S
        if last == pressed:
            raise TimeoutError(f"{self._command} did not answer the key {key!r}")
        return last - pressed

    def until(self, key: str, text: str) -> float:
        """Press a key and return the seconds until `text` is painted, whatever is painted after it."""
        pressed = time.perf_counter()
        os.write(self._screen, key.encode())
        seen, wanted = b"", text.encode()
        while wanted not in seen:
            painted = self._read(PATIENCE_S)
            if not painted:
                raise TimeoutError(f"{self._command} never painted {text!r} after the key {key!r}")
            seen += painted
        return time.perf_counter() - pressed

    @property
    def memory_mb(self) -> float:
        """The memory that the program holds now, as Linux counts it; 0 where nobody counts."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return 0.0
        held = re.search(r"VmRSS:\s*(\d+) kB", status.read_text())
        return int(held[1]) / 1024 if held else 0.0

    @property
    def _worked_s(self) -> float:
        """The processor time that the program has used, as Linux counts it; 0 where nobody counts."""
        status = Path(f"/proc/{self._process.pid}/stat")
        if not status.exists():
            return 0.0
        user, system = status.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _read(self, wait_s: float) -> bytes:
        """Return what was painted, or nothing when nothing came for so long."""
        ready, _, _ = select.select([self._screen], [], [], wait_s)
        try:
            painted = os.read(self._screen, 1 << 16) if ready else b""
        except OSError:  # the program is gone
            return b""
        self._seen = (self._seen + painted)[-(1 << 18) :]
        return painted
