"""A spec into its file: all of it or nothing, and never over another one unasked."""

from __future__ import annotations

import os
from pathlib import Path

from bothways.engine.errors import DataError, UsageError
from bothways.engine.files.text import read_text

__all__ = ["stands_in_the_way", "write_spec"]


def stands_in_the_way(path: Path, text: str) -> bool:
    """Tell whether there is a file that says something else, be it unreadable."""
    if not os.path.lexists(path):
        return False
    try:
        return read_text(path) != text
    except DataError:
        return True


def write_spec(path: Path, text: str) -> Path:
    """Write a spec, in a folder that is made where it is missing, and return it; raises UsageError."""
    from bothways.app.atomic import writing

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path) as out:
            out.write(text)
    except (OSError, ValueError) as error:  # ValueError: a NUL, or no name at all
        raise UsageError(f"Cannot write {path}", str(error), "Name another spec file.") from error
    return path
