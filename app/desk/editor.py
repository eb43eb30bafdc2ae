"""A person's own editor, for what is longer than a line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from bothways.engine.errors import RefusedError

__all__ = ["Editor", "command", "edit"]

Editor: TypeAlias = Callable[[str, str], str]
"""Takes a text and what it is about; returns it as a person has changed it, or raises RefusedError."""
_NAMES = ("VISUAL", "EDITOR")
_USUAL = ("nano", "vim", "vi", "notepad")


def command(asked: str = "", environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the editor's command: as set by the person, VISUAL, EDITOR, or one that is usually there."""
    wanted = next(
        (words for words in (asked, *map(environment.get, _NAMES)) if words and words.strip()), None
    )
    if wanted is not None:
        try:
            return shlex.split(wanted)
        except ValueError as error:
            raise RefusedError("The editor cannot be started", f"{wanted}: {error}", _STEP) from error
    found = next((name for name in _USUAL if shutil.which(name)), None)
    if found is None:
        raise RefusedError("There is no editor", "neither VISUAL nor EDITOR names one", _STEP)
    return [found]


_STEP = "set EDITOR, or write it here in one line"


def edit(text: str, about: str = "note", asked: str = "") -> str:
    """Open `text` in the editor and return what was saved, without blank lines at its end.

    `about` is what the file is called, which editors show; `asked` the command that the person has set;
    without one, `command` finds what there is. Raises RefusedError where it cannot be started or ends with
    an error: nothing written there is taken then.
    """
    words = command(asked)
    with tempfile.TemporaryDirectory(prefix="bothways-") as folder:
        path = Path(folder) / f"{re.sub(r'[^0-9A-Za-z.-]+', '_', about)[:80]}.txt"
        path.write_text(text, encoding="utf-8")
        try:
            ended = subprocess.run([*words, str(path)], check=False).returncode
        except OSError as error:
            raise RefusedError(
                "The editor cannot be started", f"{words[0]}: {error.strerror}", _STEP
            ) from error
        if ended:
            raise RefusedError("The editor failed", f"{words[0]} ended with {ended}", "nothing was changed")
        return path.read_text(encoding="utf-8", errors="replace").rstrip()
