"""The desk on a real pseudo-terminal, for what only the bytes that reach it can show."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import pexpect

from bothways.app.desk.sitting import Pairing

__all__ = ["Session", "opened"]

PLAIN_LINE = Pairing("plain line")
SOURCE = Path(__file__).parents[2] / "src"


class Session:
    """A desk that runs in a process of its own, and everything that it has painted so far."""

    def __init__(self, child: pexpect.spawn[bytes]) -> None:
        self.child = child
        self.seen = b""

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self.child.pid is not None
        return self.child.pid

    def until(self, words: str, within_s: float = 60.0) -> None:
        """Read until the words are painted from here on."""
        found, ends = b"", time.monotonic() + within_s
        while words.encode() not in found:
            assert time.monotonic() < ends, f"{words!r} never came: {found[-3000:]!r}"
            found += self._read()
        self.seen += found

    def press(self, keys: str, quiet_s: float = 0.4) -> None:
        """Press keys one by one (a sequence whole), and read until nothing is painted any more.

        A key that is pressed again waits for what it did before: two that a busy desk finds together are
        one that is held down.
        """
        pressed = [keys] if keys.startswith("\x1b[") else [*keys]
        for key, following in pairwise([*pressed, ""]):
            self.child.send(key)
            if key == following:
                self.seen += self._read(within_s=30)
            while found := self._read(quiet_s):
                self.seen += found

    def ended(self, within_s: float = 60.0) -> int:
        """Read until the program ends and return its exit code, or minus the signal that ended it."""
        ends = time.monotonic() + within_s
        while time.monotonic() < ends and not self.child.flag_eof:
            self.seen += self._read()
        assert self.child.flag_eof, f"it never ended: {self.seen[-3000:]!r}"
        self.child.close()
        status, number = self.child.exitstatus, self.child.signalstatus
        assert status is not None or number is not None
        return status if status is not None else -int(number or 0)

    def _read(self, within_s: float = 1.0) -> bytes:
        try:
            return bytes(self.child.read_nonblocking(65_536, timeout=within_s))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return b""


def opened(
    db: Path,
    folder: Path,
    *,
    code: str = "pass",
    screen: str = "review",
    pairing: Pairing = PLAIN_LINE,
    reviewer: str = "kim",
    blind: bool = False,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Session:
    """Open the desk on an experiment, after some code of the test's."""
    about = {"experiment": pairing.experiment, "candidate": pairing.candidate, "judge": pairing.judge}
    run = "from pathlib import Path; from bothways.app.shell.app import Desk; "
    run += f"from bothways.app.shell.run import run_desk; {code}; "
    run += (
        f"run_desk(Path({str(db)!r}), screen={screen!r}, reviewer={reviewer!r}, blind={blind}, **{about!r})"
    )
    env = {
        **os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", "XDG_STATE_HOME": str(folder),
        "BOTHWAYS_SETTINGS": str(folder / "settings.yaml"), **variables,
    }  # fmt: skip
    return Session(pexpect.spawn(sys.executable, ["-c", run], env=env, dimensions=(40, 140), timeout=60))
