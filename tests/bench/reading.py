"""From row to row in a review, on a real pseudo-terminal, beside an empty app and beside stock widgets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.answers import build_stretches
from tests.bench.empty import EMPTY, READY
from tests.bench.figure import Figure, median
from tests.bench.process import BOTHWAYS, ENVIRONMENT, apart, home
from tests.bench.statics import READY as FIRST
from tests.bench.terminal import Terminal

__all__ = ["OPEN", "figures", "review"]

OPEN = "Asked:"
"""What a review shows once its first row is there, and not before."""

KEYS, WARM, STOCK_KEYS = 100, 10, 12
ROWS = 100_000
LONG, USUAL, SHORT = 5_000, 1_000, 40
LONGEST, SCREENS = 200_000, 15
STATICS = (sys.executable, "-m", "tests.bench.statics")


def review(path: Path, experiment: str, folder: Path) -> Terminal:
    """Return the desk with a review open, in a home of its own."""
    command = [*BOTHWAYS, "--db", str(path), "review", experiment, "--reviewer", "bench"]
    return Terminal(command, home(folder))


def figures(folder: Path) -> Iterator[Figure]:
    """Measure steps at 100,000 rows, the queue's cursor, and the first screen of a very long answer."""
    path = folder / "reading.db"
    stretches = ((WARM + KEYS, LONG), (2 * (WARM + KEYS), USUAL))
    short = ROWS - sum(rows for rows, _ in stretches)
    apart(build_stretches, path, "many", (*stretches, (short, SHORT)))
    apart(build_stretches, path, "few", ((1_000, SHORT),))
    yield from steps(path, folder)
    yield from cursor(path, folder)
    yield first_screens(folder)


def steps(path: Path, folder: Path) -> Iterator[Figure]:
    """Go from row to row with both answers, differences, passes and queue: first the long ones."""
    stock = Terminal((*STATICS, str(path), "many", str(KEYS + WARM)), ENVIRONMENT)
    with review(path, "many", folder) as desk:
        with Terminal(EMPTY, ENVIRONMENT) as empty:
            empty.shown(READY)
            desk.shown(OPEN)
            desk.rest()
            for words, what in ((LONG, median), (USUAL, late)):
                took, floor = in_turn(desk, empty, "J")
                name = f"next row of {ROWS:,}, {words:,} words a side, {'p95' if what is late else 'median'}"
                yield over_floor(name, what, took, floor, 6.0 if what is late else 8.0)
            yield Figure("  memory of the desk by then", desk.memory_mb, "MB", 120.0)
        with stock:
            stock.shown(FIRST)
            took, other = in_turn(desk, stock, "J", keys=STOCK_KEYS)
    yield Figure(
        "  1,000 words a side / two Statics with difflib, medians", median(took) / median(other), "×", 0.3,
        f"{_ms(median(took))}, {_ms(median(other))}",
    )  # fmt: skip


def cursor(path: Path, folder: Path) -> Iterator[Figure]:
    """Move the queue's cursor upwards from its end, where the answers are short."""
    with (
        Terminal(EMPTY, ENVIRONMENT) as empty,
        review(path, "many", folder / "many") as many,
        review(path, "few", folder / "few") as few,
    ):
        empty.shown(READY)
        for desk in (many, few):
            desk.shown(OPEN)
            desk.rest()
            for key in ("w", "w", END):
                desk.press(key)
        pressed = [(many.press(UP), few.press(UP), empty.press(UP)) for _ in range(KEYS + WARM)][WARM:]
    large, small, floor = (list(times) for times in zip(*pressed, strict=True))
    yield over_floor(f"the queue's cursor at {ROWS:,} rows, median", median, large, floor, 4.0)
    yield Figure(
        "  the same / at 1,000 rows, medians", median(large) / median(small), "×", 1.2,
        f"{_ms(median(large))}, {_ms(median(small))}",
    )  # fmt: skip


def first_screens(folder: Path) -> Figure:
    """Step from one long answer to the next: the time until its first words are on the screen."""
    path = folder / "screens.db"
    times: dict[int, list[float]] = {}
    for characters in (LONGEST, 5_000):
        name = f"of {characters}"
        apart(build_stretches, path, name, ((SCREENS + 2, characters * 10 // 57), (1, SHORT)))
        with review(path, name, folder) as desk:
            desk.shown("Row 0 ")
            desk.rest()
            times[characters] = [desk.until("J", f"Row {n} ") for n in range(1, SCREENS + 1)][1:]
    long, short = (median(found) for found in times.values())
    return Figure(
        "first screen of 200,000 characters / of 5,000", long / short, "×", 3.0, f"{_ms(long)}, {_ms(short)}"
    )


END, UP = "\x1b[F", "\x1b[A"


def in_turn(desk: Terminal, other: Terminal, key: str, keys: int = KEYS) -> tuple[list[float], list[float]]:
    """Press a key in both in turn: both meet what else the machine does."""
    pressed = [(desk.press(key), other.press(key)) for _ in range(WARM + keys)][WARM:]
    return [one for one, _ in pressed], [another for _, another in pressed]


def late(times: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[int(0.95 * len(times))]


def over_floor(
    name: str, what: Callable[[Sequence[float]], float], took: list[float], floor: list[float], bound: float
) -> Figure:
    """Compare what keys took with what they take in an empty app."""
    return Figure(
        f"{name} / an empty app's key", what(took) / what(floor), "×", bound,
        f"p95 {_ms(late(took))}, {_ms(late(floor))}; medians {_ms(median(took))}, {_ms(median(floor))}",
    )  # fmt: skip


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
