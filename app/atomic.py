"""Output into a file: all of it or nothing, always UTF-8."""

from __future__ import annotations

import os
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
    target = path.resolve()
    if _holds_database(target):
        raise UsageError(f"{path} is a database", "writing there would destroy it", "Choose another name.")
    plain = not target.exists() or target.is_file()
    draft = target.with_name(f".{target.name}.{os.getpid()}") if plain else target
    try:
        with draft.open("w", encoding="utf-8", newline="") as out:
            yield out
        if plain:
            draft.replace(target)
    except OSError as error:
        raise UsageError(f"Cannot write {path}", error.strerror or str(error)) from error
    finally:
        if plain:
            draft.unlink(missing_ok=True)


def is_database(path: Path) -> bool:
    """Whether SQLite's own mark stands at the beginning of a file."""
    with path.open("rb") as found:
        return found.read(len(_MARK)) == _MARK


def _holds_database(path: Path) -> bool:
    """Whether a database stands there, or the path is the log beside one."""
    beside = (path.with_name(path.name.removesuffix(end)) for end in _LOGS)
    return any(file.is_file() and is_database(file) for file in (path, *beside))


_MARK = b"SQLite format 3\0"
_LOGS = ("-wal", "-shm", "-journal")
