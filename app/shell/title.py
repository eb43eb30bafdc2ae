"""The terminal's title: set while the desk is open, and given back when it is left.

The sequences are xterm's: 22;0t keeps the title on the terminal's own stack, 23;0t takes it from there. A
terminal that knows no stack ignores both, and shows the last title until something else sets one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bothways.engine.text import visible_line

__all__ = ["titled", "titling"]


def titling(title: str) -> str:
    """Return the sequence that sets a title; whatever the title holds, it ends nothing and begins nothing."""
    return f"\x1b]0;{visible_line(title)}\x07"


@contextmanager
def titled() -> Iterator[None]:
    """Keep the terminal's title, and give it back however the block ends."""
    terminal = sys.__stderr__
    if terminal is None or not terminal.isatty():
        yield
        return
    terminal.write("\x1b[22;0t")
    terminal.flush()
    try:
        yield
    finally:
        with suppress(OSError):  # after a closed connection there is no title to give back
            terminal.write("\x1b[23;0t")
            terminal.flush()
