"""What of an experiment has a gate of its own, and up to how many rows a list computes them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

__all__ = ["AT_ONCE", "every_pairing"]

AT_ONCE = 5_000
"""Rows up to which gates are computed for a list; a larger experiment shows its own when it is opened."""


def every_pairing(candidates: Iterable[str], judges: Sequence[str]) -> Iterable[tuple[str, str | None]]:
    """Return every candidate under every judge; an import may have none, and people judge it alone."""
    return product(candidates, judges or (None,))
