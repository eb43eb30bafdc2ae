"""Which reader takes which file: told from its beginning, never from its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias

from bothways.engine.errors import DataError, Place
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.experiment import Experiment
from bothways.engine.facts import JsonObject
from bothways.engine.files.json import read_json_lines
from bothways.engine.files.text import stream_lines
from bothways.engine.ledger import ImportedRow

__all__ = ["Reader", "read_file"]

_Sniff: TypeAlias = Callable[[JsonObject], bool]
"""Whether a file is of some format, by its first object."""


class Reader(Protocol):
    """Reads one format; the arguments are those of `read_pairs`."""

    def __call__(
        self, path: Path, *, name: str | None = None, baseline: str | None = None, as_reviews: bool = False
    ) -> tuple[Experiment, Iterator[ImportedRow]]:
        """Return the experiment and its rows; DataError where it is not of this format."""
        ...


def _is_pairs(first: JsonObject) -> bool:
    """Our own interchange format has two sides."""
    return "a" in first or "b" in first or "pair_id" in first


_READERS: Mapping[_Sniff, Reader] = {_is_pairs: read_pairs}


def read_file(
    path: Path, *, name: str | None = None, baseline: str | None = None, as_reviews: bool = False
) -> tuple[Experiment, Iterator[ImportedRow]]:
    """Read a file in whichever known format it is; DataError where it is none of them."""
    node = next(read_json_lines(stream_lines(path), str(path)), None)
    first = node and node.plain()
    if not isinstance(first, dict):
        raise DataError(Place(str(path)), "empty", "one JSON object a line")
    for sniff, reader in _READERS.items():
        if sniff(first):
            return reader(path, name=name, baseline=baseline, as_reviews=as_reviews)
    fields = ", ".join(sorted(first)[:8])
    raise DataError(Place(str(path), 1), f"an object with {fields or 'no fields'}", "pairs: pair_id, a, b")
