"""A measured figure, the bound it must keep, and the table they stand in."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Figure", "median", "table"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `bound` None is shown for information and cannot be missed."""

    name: str
    value: float
    unit: str
    bound: float | None
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Tell whether the bound holds."""
        return self.bound is None or self.value <= self.bound


def median(values: Sequence[float]) -> float:
    """Return the median: the figure to quote from a machine that others share."""
    return statistics.median(values)


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as text, one a line, misses marked in words."""
    width = max((len(f.name) for f in figures), default=0)
    lines = []
    for f in figures:
        bound = "" if f.bound is None else f"≤ {f.bound:g} {f.unit}"
        verdict = "" if f.bound is None else ("kept" if f.kept else "MISSED")
        lines.append(f"{f.name:<{width}}  {f.value:>9.3f} {f.unit:<3} {bound:<12} {verdict:<7} {f.detail}")
    return "\n".join(lines)
