"""The desk on a real pseudo-terminal, beside the least that Textual can do, in turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.empty import READY
from tests.bench.figure import Figure, median
from tests.bench.large import build, hundred_thousand
from tests.bench.process import BOTHWAYS, ENVIRONMENT
from tests.bench.terminal import Terminal

__all__ = ["figures"]

EMPTY = (sys.executable, "-m", "tests.bench.empty")
STARTS, KEYS, KEYS_FIRST = 9, 150, 10
WORDS_OF_5000 = 860


def figures(folder: Path) -> Iterator[Figure]:
    """Measure the first screen, and the way from row to row."""
    # The desk remembers where one was, in a folder of its own kind.
    environment = {**ENVIRONMENT, "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder)}
    yield first_screen(hundred_thousand(folder), environment)
    build(long := folder / "long.db", "long", 10_000, length=WORDS_OF_5000)
    yield next_row(long, environment)


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


def next_row(path: Path, environment: Mapping[str, str]) -> Figure:
    """Press keys in both in turn, and compare the 95th percentiles: both meet what else the machine does."""
    review = [*BOTHWAYS, "--db", str(path), "review", "long", "--reviewer", "bench"]
    with Terminal(review, environment) as desk, Terminal(EMPTY, environment) as empty:
        empty.shown(READY)
        desk.shown("characters")
        desk.settle()
        pressed = [(desk.press("J"), empty.press("J")) for _ in range(KEYS_FIRST + KEYS)][KEYS_FIRST:]
    took, floor = (sorted(times) for times in zip(*pressed, strict=True))
    late = int(0.95 * KEYS)
    return Figure(
        "desk: next row of 10,000, 5,000 characters a side / an empty app's key, 95th percentiles",
        took[late] / floor[late], "×", 12.0,
        f"{took[late] * 1000:.0f} ms, {floor[late] * 1000:.1f} ms; "
        f"medians {median(took) * 1000:.0f} ms, {median(floor) * 1000:.1f} ms",
    )  # fmt: skip
