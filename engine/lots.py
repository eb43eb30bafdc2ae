"""Everything that is drawn by lot: seeded by what it is about, so that anybody draws the same again."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from fractions import Fraction

from bothways.engine.keys import digest
from bothways.engine.verdicts import Side

__all__ = ["sample", "sides"]


def sides(experiment: str, candidate: str, case: str, reviewer: str, look: int = 1) -> tuple[Side, Side]:
    """Return whose answer stands left, and whose right, while a reviewer reads a row blind.

    `experiment` is its name. Each row, reviewer and look has a lot of its own.
    """
    drawn = digest("sides", experiment, candidate, case, reviewer, look)
    return ("baseline", "candidate") if int(drawn, 16) % 2 else ("candidate", "baseline")


def sample(share: float, ids: Iterable[str], *seed: str) -> frozenset[str]:
    """Return a random `share` of `ids`, rounded up; the same seed over the same ids gives the same ones.

    Every id has its place in the order of the lots, whatever other ids there are: with one more of them the
    sample changes by one at most, beside growing.
    """
    start = hashlib.sha256(digest("sample", *seed).encode())

    def lot(one: str) -> bytes:
        drawn = start.copy()
        drawn.update(one.encode("utf-8", "surrogatepass"))
        return drawn.digest()

    among = set(ids)
    wanted = math.ceil(Fraction(str(share)) * len(among))  # as a decimal: a float's 0.1 of 30 is more than 3
    return frozenset(sorted(among, key=lot)[:wanted]) if wanted else frozenset()
