"""A review of 1,000,000 rows: how soon it is open, and whether the screen lives meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.answers import build_stretches
from tests.bench.copies import grow_experiment
from tests.bench.figure import Figure
from tests.bench.process import apart
from tests.bench.reading import OPEN, review

__all__ = ["figures"]

ROWS, TIMES = 100_000, 10
BETWEEN_S = 0.5
"""Between two keys that are pressed while it opens."""


def figures(folder: Path) -> Iterator[Figure]:
    """Open it once, pressing keys until the first row is there."""
    path = folder / "rows.db"
    apart(build_stretches, path, "million", ((ROWS // 10, 8), (ROWS - ROWS // 10, 8)))
    apart(grow_experiment, path, TIMES - 1)
    with review(path, "million", folder) as desk:
        desk.shown("reading")
        began, keys = time.perf_counter(), list[float]()
        while not desk.has_shown(OPEN):
            keys.append(desk.press("J"))
            desk.watch(BETWEEN_S)
        took = time.perf_counter() - began
        desk.settle()
        yield Figure("a review of 1,000,000 rows: from its first paint to its first row", took, "s", 10.0)
        yield Figure("  the slowest answer to a key meanwhile", max(keys), "s", 0.5, f"{len(keys)} keys")
        yield Figure("  memory of the desk by then", desk.memory_mb, "MB", None)
