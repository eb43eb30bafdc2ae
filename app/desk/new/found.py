"""The files around: specs, data sets, prompts, tools and judges, found without reading much of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bothways.app.desk.new.fields import Offer
from bothways.engine.errors import DataError
from bothways.engine.files.text import opened

__all__ = ["Found", "find", "look_around"]

_DEEPEST = 4
_MOST = 20_000
"""Files that are looked at: a home folder is not searched to its end."""
_HEAD = 65_536
"""Bytes of a YAML file that tell what it is."""
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "venv", "build", "dist"})
_YAML = (".yaml", ".yml")
_ENDINGS: dict[Offer, tuple[str, ...]] = {
    "cases": (".jsonl", ".ndjson", ".csv", ".tsv", ".json", *_YAML),
    "prompts": (".md", ".txt"),
    "tools": (*_YAML, ".json"),
    "judges": _YAML,
    "recordings": (".jsonl", ".ndjson"),
}
_SPEC = re.compile(r"^baseline\s*:", re.MULTILINE)
_NAME = re.compile(r"^name\s*:\s*(.+?)\s*(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """What lies under a folder: specs with their names, and all other files, in the order of their paths."""

    specs: tuple[tuple[Path, str], ...] = ()
    files: tuple[Path, ...] = ()

    def offered(self, offer: Offer) -> list[Path]:
        """Return the files that may be meant, the likeliest endings first."""
        endings = _ENDINGS.get(offer, ())
        fitting = [path for path in self.files if path.suffix.lower() in endings]
        return sorted(fitting, key=lambda path: endings.index(path.suffix.lower()))


def look_around(folder: Path) -> Found:
    """Look under a folder: this belongs into a thread."""
    specs: list[tuple[Path, str]] = []
    files: list[Path] = []
    endings = {ending for some in _ENDINGS.values() for ending in some}
    for path in find(folder):
        if path.suffix.lower() not in endings:
            continue
        if path.suffix.lower() in _YAML and (name := _spec_name(path)) is not None:
            specs.append((path, name))
        else:
            files.append(path)
    return Found(tuple(specs), tuple(files))


def find(folder: Path) -> Iterator[Path]:
    """Yield files by folder and name, not those of hidden folders and of other people's packages.

    Names that are no text are left out: no spec could name such a file.
    """
    seen = 0
    for at, folders, names in os.walk(folder):
        depth = len(Path(at).relative_to(folder).parts)
        folders[:] = sorted(
            name for name in folders if depth < _DEEPEST and not name.startswith(".") and name not in _SKIPPED
        )
        for name in sorted(names):
            seen += 1
            if seen > _MOST:
                return
            if not name.startswith(".") and _is_text(name):
                yield Path(at) / name


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _spec_name(path: Path) -> str | None:
    """Return the name that a spec gives itself; None where a file is no spec."""
    try:
        with opened(path) as source:
            head = source.read(_HEAD).decode("utf-8", errors="replace")
    except DataError:
        return None
    if not _SPEC.search(head):
        return None
    found = _NAME.search(head)
    return found[1].strip("\"'") if found else ""
