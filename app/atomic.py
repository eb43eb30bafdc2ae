"""Output into a file: all of it or nothing, always UTF-8."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bothways.engine.errors import UsageError

__all__ = ["is_database", "writing"]


@contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """Open a file for writing; it takes its name only once everything is in it.

    What is no ordinary file (a pipe, a device) is written to as it stands, a link to what it leads to.
    Raises UsageError where that cannot be done, and always where a database stands there.
    """
    try:
        plain = _is_plain(path)
        target = path.resolve() if plain else path  # what `/dev/stdout` leads to may have no name
        if _holds_database(target):
            raise UsageError(
                f"{path} is a database", "writing there would destroy it", "Choose another name."
            )
        draft = target.with_name(f".{target.name[:_DRAFT]}.{os.getpid()}") if plain else target
        try:
            with draft.open("w", encoding="utf-8", newline="") as out:
                yield out
            if plain:
                draft.replace(target)
        finally:
            if plain:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"Cannot write {path}", error.strerror or str(error)) from error


def _is_plain(path: Path) -> bool:
    """Whether an ordinary file stands there, or would; OSError where a link leads nowhere but to itself."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def is_database(path: Path) -> bool:
    """Whether SQLite's own mark stands at the beginning of a file."""
    with path.open("rb") as found:
        return found.read(len(_MARK)) == _MARK


def _holds_database(path: Path) -> bool:
    """Whether a database stands there, or the path is the log beside one."""
    beside = (path.parent / path.name.removesuffix(end) for end in _LOGS)
    return any(file.is_file() and is_database(file) for file in (path, *beside))


_MARK = b"SQLite format 3\0"
_LOGS = ("-wal", "-shm", "-journal")
_DRAFT = 40
"""Characters of a name that its draft has too: more than that may be more than a file system takes."""
