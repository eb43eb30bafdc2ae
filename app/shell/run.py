"""One run of the desk, from the command to the terminal given back, with what is said when it is left."""

from __future__ import annotations

import ctypes
import gc
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from bothways.app.desk.editor import edit
from bothways.app.desk.settings import read_settings, settings_path
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.state import Memory
from bothways.app.exits import CRASHED
from bothways.app.shell.app import Desk
from bothways.app.shell.ending import crash_log, given_back, on_signals
from bothways.app.shell.pastes import keep_pastes_whole
from bothways.app.shell.pixels import ignore_empty_pixels
from bothways.app.shell.title import titled
from bothways.app.streams import forget
from bothways.engine.text import visible_line

__all__ = ["run_desk"]

_TURN_S = 0.001
"""How long a thread that reads may keep the loop waiting: with Python's own 5 ms three of them stall it."""
_GARBAGE = (2_000, 10, 10)
"""How often garbage is looked for: at the pace of the commands, which read and end, a sitting would grow."""

_ARENA_MAX = -8
"""The number of `M_ARENA_MAX` in malloc.h."""


def run_desk(
    db: Path,
    *,
    screen: str = "experiments",
    experiment: str | None = None,
    candidate: str | None = None,
    judge: str | None = None,
    reviewer: str | None = None,
    blind: bool = False,
) -> None:
    """Open the desk on a database and come back when it is left; SystemExit where it ended otherwise.

    `screen` is "experiments", "review", "gate" or "run"; the last three want an `experiment`. `reviewer`
    is who acts; without it the environment's, the one in the settings, or the name used last. Where there is
    none the first act asks: nobody signs unawares under the name of an account. `blind` hides names and judge
    of the experiment until this reviewer switches that off.
    """
    ignore_empty_pixels()
    keep_pastes_whole()
    _stay_awake()
    _stay_small()
    settings, problem = read_settings(settings_path())
    memory = Memory.read()
    who = reviewer or os.environ.get("BOTHWAYS_REVIEWER") or settings.reviewer or memory.reviewer
    editor = partial(edit, asked=settings.editor)
    sitting = Sitting(db, memory, who, settings=settings, unsettled=problem, editor=editor)
    if blind and experiment:
        sitting.set_blind(experiment, on=True)
    desk = Desk(sitting, screen=screen, at=Pairing(experiment, candidate, judge) if experiment else None)
    with on_signals(desk.end), given_back(lambda: bool(desk.return_code)), titled():
        desk.run()
    code = CRASHED if desk.crash is not None else desk.return_code
    with suppress(OSError):  # after a closed connection there is nobody to tell
        sys.stderr.write("".join(f"{visible_line(line)}\n" for line in _last_words(desk, sitting)))
    for stream in (sys.stdout, sys.stderr):
        forget(stream)  # where the terminal has gone, what is left unsaid must not become the exit code
    if code:
        raise SystemExit(code)


def _stay_awake() -> None:
    """Let nothing keep the loop for long: no thread that reads, and no search for garbage among modules."""
    sys.setswitchinterval(_TURN_S)
    gc.set_threshold(*_GARBAGE)
    gc.freeze()


def _stay_small() -> None:
    """Let all threads take memory from one pool: what a thread that read gave back is of use to the others.

    glibc has a pool for each thread otherwise, and the desk of 100,000 rows would hold a quarter more.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_ARENA_MAX, 1)


def _last_words(desk: Desk, sitting: Sitting) -> Iterator[str]:
    """Yield what is said when the desk has been left: what went wrong, where things are, how to go on."""
    if (error := desk.crash) is not None:
        yield f"bothways is broken here: {type(error).__name__}"
        log = crash_log(error, sitting.now())
        yield f"Please report it with what is in {log}" if log else "Where it happened could not be written."
    elif desk.return_code:
        yield "The desk was told to end."
    yield f"Everything is saved in {sitting.db}. Go on with: {_again(sitting)}"


def _again(sitting: Sitting) -> str:
    """Return the command that comes back to what was looked at last, as this program was called."""
    called = Path(sys.argv[0])
    program = [called.name] if called.stem == "bothways" else [Path(sys.executable).name, "-m", "bothways"]
    words = [*program, "--db", str(sitting.db)]
    if (at := sitting.looked_at) is not None:
        words += ["review", at.experiment]
        words += ["--candidate", at.candidate] if at.candidate else []
        words += ["--judge", at.judge] if at.judge else []
    return shlex.join(words)
