"""The command line: `bothways …`. Light to import; every command is loaded when it is asked for."""

from __future__ import annotations

import gc
import os
import sys

from bothways.app.exits import CRASHED

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    from bothways.app.cli.group import cli
    from bothways.app.streams import prepare, say

    # What is read from a file is a great many small tuples and no cycles: looking for those at Python's own
    # pace takes a fifth of the time of a large gate.
    gc.set_threshold(50_000, 20, 20)
    prepare()
    try:
        cli.main(prog_name="bothways")
    except Exception as error:  # noqa: BLE001  # the last frame: a traceback would exit with 1
        if os.environ.get("BOTHWAYS_DEBUG"):
            import traceback

            traceback.print_exc()
        say(f"bothways is broken here: {type(error).__name__}: {error}")
        say("Set BOTHWAYS_DEBUG=1 to see where, and please report it.")
        sys.exit(CRASHED)
