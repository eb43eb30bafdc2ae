"""The sample project: an online shop, one frozen baseline and four candidates."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

__all__ = ["EXPERIMENTS", "files", "lay_out"]

EXPERIMENTS = ("plain-text-line.yaml", "shipping-tool.yaml", "refund-flow.yaml", "plain-text-narrow.yaml")
"""The specs, in the order in which the shop tried them."""


def files() -> Traversable:
    """Return the folder of the sample project, wherever the package is installed."""
    return resources.files(__name__)


def lay_out(target: Path) -> tuple[Path, ...]:
    """Copy the project into the folder `target` and return the files written.

    A file that is already there stays as it is, so that nobody's edits are lost to a second demo.
    """
    written = []
    for name, source in _walk(files(), PurePosixPath()):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("xb") as new:
                new.write(source.read_bytes())
        except FileExistsError:
            continue
        written.append(path)
    return tuple(written)


def _walk(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[PurePosixPath, Traversable]]:
    """Go through the project's files with their paths in it; the package's own code is no part of it."""
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, at / entry.name)
        elif not entry.name.endswith(".py"):
            yield at / entry.name, entry
