"""The desk on a real pseudo-terminal, beside the least that Textual can do, in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.empty import EMPTY, READY
from tests.bench.figure import Figure, median
from tests.bench.large import hundred_thousand
from tests.bench.process import BOTHWAYS, home
from tests.bench.terminal import Terminal

__all__ = ["figures"]

STARTS = 9


def figures(folder: Path) -> Iterator[Figure]:
    """Measure the first screen."""
    yield first_screen(hundred_thousand(folder), home(folder))


def first_screen(path: Path, environment: Mapping[str, str]) -> Figure:
    """Start both in turn, until the desk lists the experiment and the empty app its line."""
    desk, empty = [], []
    for _ in range(STARTS):
        with Terminal(EMPTY, environment) as terminal:
            empty.append(terminal.shown(READY))
        with Terminal([*BOTHWAYS, "--db", str(path)], environment) as terminal:
            desk.append(terminal.shown("large "))
    ratio = median([one / other for one, other in zip(desk, empty, strict=True)])
    return Figure(
        "desk: first screen, 100,000 rows in the file / an empty app's", ratio, "×", 1.3,
        f"{median(desk):.2f} s, {median(empty):.2f} s",
    )  # fmt: skip
