"""`python -m tests.bench [names…]`: measure all parts, or those named; exit 1 where a bound is missed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Figure, table
from tests.bench.parts import PARTS, measured
from tests.bench.process import apart


def main() -> int:
    """Measure one part after the other, so that none disturbs another, and print one table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure speed and size.")
    parser.add_argument("names", nargs="*", choices=[[], *PARTS], metavar="|".join(PARTS))
    names = parser.parse_args().names or list(PARTS)
    found: list[Figure] = []
    with TemporaryDirectory(prefix="bothways-bench-") as folder:
        try:
            for name in names:
                print(f"{name} …", file=sys.stderr)  # noqa: T201 - it takes minutes
                found += apart(measured, name, Path(folder))
        finally:  # what took minutes to find is shown, whatever the next part came to
            print(table(found))  # noqa: T201 - the table is what it is for
    return 0 if all(figure.kept for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
