"""Where a command writes what it is asked for: a file that somebody names, or stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bothways.app.atomic import writing
from bothways.app.streams import shown_safely

__all__ = ["writing_to"]


@contextmanager
def writing_to(output: Path | None) -> Iterator[IO[str]]:
    """Write to a file, all of it or nothing, or to stdout where None is named."""
    if output is not None:
        with writing(output) as out:
            yield out
        return
    out = shown_safely(sys.stdout)
    yield out
    out.flush()
