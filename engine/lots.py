"""Everything that is drawn by lot: seeded by what it is about, so that anybody draws the same again."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from fractions import Fraction

from bothways.engine.keys import digest
from bothways.engine.verdicts import Side

__all__ = ["part", "pick", "sample", "sides"]


def sides(experiment: str, candidate: str, case: str, reviewer: str, look: int = 1) -> tuple[Side, Side]:
    """Return whose answer stands left, and whose right, while a reviewer reads a row blind.

    `experiment` is its name. Each row, reviewer and look has a lot of its own.
    """
    drawn = digest("sides", experiment, candidate, case, reviewer, look)
    return ("baseline", "candidate") if int(drawn, 16) % 2 else ("candidate", "baseline")


def sample(share: float, ids: Collection[str], *seed: str) -> frozenset[str]:
    """Return a random `share` of `ids`, rounded up; the same seed over the same ids gives the same ones."""
    return pick(part(share, len(ids)), ids, *seed)


def part(share: float, of: int) -> int:
    """Return a share of so many, rounded up; as a decimal, since a float's 0.1 of 30 is more than 3."""
    return math.ceil(Fraction(str(share)) * of)


def pick(count: int, ids: Collection[str], *seed: str) -> frozenset[str]:
    """Return `count` of `ids`, which are all different, or all that there are.

    Every id has its place in the order of the lots, whatever other ids there are: with one more of them one
    at most is another.
    """
    start = hashlib.sha256(digest("pick", *seed).encode())

    def lot(one: str) -> bytes:
        drawn = start.copy()
        drawn.update(one.encode("utf-8", "surrogatepass"))
        return drawn.digest()

    return frozenset(sorted(ids, key=lot)[:count] if count > 0 else ())
