"""The parts of the bench by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.bench import alive, desk, journal, large, million, peer, reading, runs, startup
from tests.bench.figure import Figure

__all__ = ["PARTS", "measured"]

PARTS: Mapping[str, Callable[[Path], Iterator[Figure]]] = {
    "startup": startup.figures,
    "journal": journal.figures,
    "runs": runs.figures,
    "peer": peer.figures,
    "large": large.figures,
    "desk": desk.figures,
    "reading": reading.figures,
    "million": million.figures,
    "alive": alive.figures,
}


def measured(name: str, folder: Path) -> list[Figure]:
    """Measure one part."""
    return list(PARTS[name](folder))
