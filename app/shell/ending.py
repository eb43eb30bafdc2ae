"""How the desk ends when nobody left it: the terminal is given back, and what happened is written down.

After a crash, a signal or a closed connection the shell must not be left with mouse codes, a hidden cursor
or the second screen; no step of that waits for another to work. What happened goes into a file without the
values of any variable: a key may be among them.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from types import FrameType

import platformdirs

from bothways.engine.text import visible

__all__ = ["crash_log", "end_if_hung_up", "given_back", "on_signals"]

_PATIENCE_S = 2.0
"""Seconds that a signal gives the desk to end by itself: with the terminal gone, writing to it never ends."""
_SIGNALS = ("SIGTERM", "SIGHUP")
_STEPS = (
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l",  # mouse
    "\x1b[?2004l\x1b[?1004l\x1b[?2048l\x1b[<u",  # paste, focus, size reports, Kitty's keyboard
    "\x1b[?1049l",  # main screen
    "\x1b[?25h\x1b[?7h\x1b[0m",  # cursor, wrapping, colours
)


@contextmanager
def given_back(wanted: Callable[[], bool]) -> Iterator[None]:
    """Give the terminal back as it was found, once the body has ended and where `wanted` says so then."""
    modes = _modes()
    try:
        yield
    finally:
        if wanted():
            _give_back(modes)


def _give_back(modes: list[object] | None) -> None:
    for step in _STEPS:
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.__stderr__.fileno(), step.encode())  # type: ignore[union-attr]
    if modes is not None:
        import termios

        with suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, modes)  # type: ignore[arg-type]


def _modes() -> list[object] | None:
    """Return the modes of the terminal; None where there is none, or none of that kind."""
    try:
        import termios
    except ImportError:  # Windows
        return None
    try:
        return list(termios.tcgetattr(sys.stdin.fileno()))
    except (OSError, ValueError, termios.error):
        return None


@contextmanager
def on_signals(end: Callable[[int], None]) -> Iterator[None]:
    """Call `end` with the exit code when the system asks the program to go; insist where it does not go.

    `end` runs between any two lines of the program, so it may only note what is to be done.
    """
    modes = _modes()
    insisting: list[Timer] = []

    def insist(code: int) -> None:
        _give_back(modes)
        os._exit(code)

    def ended(number: int, _: FrameType | None) -> None:
        timer = Timer(_PATIENCE_S, insist, [128 + number])
        timer.daemon = True
        timer.start()
        insisting.append(timer)
        end(128 + number)

    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.signal(number, ended) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for timer in insisting:
            timer.cancel()


def end_if_hung_up() -> None:
    """End as a closed connection does where the terminal has gone and no signal said so.

    The system tells only the session that a terminal belongs to; any other would read its end for ever.
    """
    if hasattr(select, "poll"):  # Windows has none, and no such terminals
        terminal = select.poll()
        terminal.register(0, 0)
        if any(event & select.POLLHUP for _, event in terminal.poll(0)):
            os.kill(os.getpid(), signal.SIGHUP)


def crash_log(error: BaseException, now: str) -> Path | None:
    """Write down where an error came from and return the file; None where it cannot be written."""
    from bothways.engine.models.scrub import scrub

    path = platformdirs.user_state_path("bothways") / "crash.log"
    told = scrub("".join(traceback.format_exception(error)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{now}\n{visible(told)}", encoding="utf-8")
    except OSError:
        return None
    return path
