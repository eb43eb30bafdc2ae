"""stdout is data, stderr is talk; neither ever breaks because of what it is connected to."""

from __future__ import annotations

import codecs
import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

import click

from bothways.engine.text import visible

__all__ = ["at_terminal", "forget", "prepare", "put", "put_json", "reader_may_leave", "say", "shown_safely"]

_ASCII = {
    "≥": ">=", "≤": "<=", "≠": "!=", "→": "->", "←": "<-", "–": "-", "—": "-", "─": "-", "│": "|", "·": "-",
    "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "✓": "+", "✗": "x", "κ": "kappa",
    "α": "alpha", "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ",
}  # fmt: skip


_GONE = (errno.EPIPE, errno.EBADF)
_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_RECORDED = "Only the output is lost: what the command does to the database is done."


def prepare() -> None:
    """Let both streams take any text: what their encoding lacks is written in ASCII, or as `?`.

    One that was closed (`>&-`) is none at all for Python, and the next file would get its number.
    """
    codecs.register_error("bothways", _stand_in)
    _reopen_closed()
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="bothways")


def _reopen_closed() -> None:
    """Put streams in the place of closed ones, lowest number first: an empty one, two that take nothing."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            null = os.open(os.devnull, os.O_RDONLY)  # writing fails, with EBADF as on the closed one
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8"))


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in lost), error.end


def put(text: str = "") -> None:
    """Write one block of data for whoever reads stdout; untrusted text is made visible."""
    _write(sys.stdout, visible(text) + "\n")


def put_json(value: object) -> None:
    """Write one JSON value; it holds no control characters, and nothing but ASCII where stdout needs that."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    _write(sys.stdout, json.dumps(value, ensure_ascii=not unicode, indent=2, allow_nan=False) + "\n")


def say(text: str) -> None:
    """Tell the person something; stderr."""
    _write(sys.stderr, visible(text) + "\n")


def shown_safely(stream: IO[str]) -> IO[str]:
    """Return where to write data that has to stay exact: `stream`, or at a terminal one that shows marks."""
    return cast("IO[str]", _Marks(stream)) if stream.isatty() else stream


class _Marks:
    """Writes to a terminal, where a control character would be obeyed; nobody reads data back from there."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(visible(text))

    def flush(self) -> None:
        self._stream.flush()


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End the command, and well, when whoever read its output has gone.

    click would exit with 1, which reads as "do not ship". What has an exit code of its own to give writes
    through `put`, which goes on without a reader.
    """
    try:
        yield
    except BrokenPipeError:
        for stream in (sys.stdout, sys.stderr):
            forget(stream)
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        if error.errno not in _LOST:
            raise
        from bothways.engine.errors import UsageError

        forget(sys.stdout)
        raise UsageError(
            "The output could not be written", error.strerror or str(error), _RECORDED
        ) from error


def at_terminal() -> bool:
    """Tell whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _write(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:  # whoever read has gone (`| head`): the command's own exit code still stands
        if error.errno not in _GONE:
            raise
        forget(stream)


def forget(stream: IO[str]) -> None:
    """Send what is still to come nowhere: Python flushes once more at exit, and would complain there."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
