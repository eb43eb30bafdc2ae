"""Output into a file: all of it or nothing, always UTF-8."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bothways.engine.errors import UsageError

__all__ = ["writing"]


@contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """Open a file for writing; it takes its name only once everything is in it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", newline="") as out:
            yield out
        draft.replace(path)
    except OSError as error:
        raise UsageError(f"Cannot write {path}", error.strerror or str(error)) from error
    finally:
        draft.unlink(missing_ok=True)
