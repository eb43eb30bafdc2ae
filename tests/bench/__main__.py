"""`python -m tests.bench [names…]`: measure all parts, or those named; exit 1 where a bound is missed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import desk, journal, large, peer, runs, startup
from tests.bench.figure import Figure, table
from tests.bench.process import apart

PARTS: Mapping[str, Callable[[Path], Iterator[Figure]]] = {
    "startup": startup.figures,
    "journal": journal.figures,
    "runs": runs.figures,
    "peer": peer.figures,
    "large": large.figures,
    "desk": desk.figures,
}


def measured(name: str, folder: Path) -> list[Figure]:
    """Measure one part."""
    return list(PARTS[name](folder))


def main() -> int:
    """Measure one part after the other, so that none disturbs another, and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Speed, as ratios where it can be."
    )
    parser.add_argument("names", nargs="*", choices=[[], *PARTS], metavar="|".join(PARTS))
    names = parser.parse_args().names or list(PARTS)
    found: list[Figure] = []
    with TemporaryDirectory(prefix="bothways-bench-") as folder:
        for name in names:
            print(f"{name} …", file=sys.stderr)  # noqa: T201 - it takes minutes
            found += apart(measured, name, Path(folder))
    print(table(found))  # noqa: T201 - the table is what it is for
    return 0 if all(figure.kept for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
