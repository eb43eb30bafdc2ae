"""What the single passes said over all rows, before two of them make an outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bothways.engine.analysis.model import FirstShown
from bothways.engine.analysis.outcomes import ORDERS, Judged, Order
from bothways.engine.verdicts import Verdict

__all__ = ["Verdicts"]


class Verdicts:
    """Counts judged rows. Few differ from each other, so that they are taken apart only when asked for."""

    def __init__(self) -> None:
        self._rows: Counter[Judged] = Counter()

    def add(self, judged: Judged) -> None:
        """Take in what the judge made of one row."""
        self._rows[judged] += 1

    def waiting(self, takes: int) -> int:
        """Count the rows that stand on an older take than the newest of so many."""
        return sum(rows for judged, rows in self._rows.items() if 0 < judged.take < takes)

    def counts(self) -> Mapping[Order, Mapping[str, int]]:
        """Return how often each single pass named whom."""
        said: Counter[tuple[Order, str]] = Counter()
        for judged, rows in self._nights():
            for order, verdict in _passes(judged):
                said[order, verdict or "unreadable"] += rows
        names = ("candidate", "baseline", "tie", "unreadable")
        return {order: {name: said[order, name] for name in names} for order in ORDERS}

    def first_shown(self) -> FirstShown:
        """Return how often a row's two passes named what they had shown first, and how often one of both."""
        named = of = 0
        for judged, rows in self._nights():
            if len(judged.orders) < len(ORDERS):
                continue
            for order, verdict in _passes(judged):
                if verdict in ("baseline", "candidate"):
                    of += rows
                    named += rows * ((verdict == "baseline") == (order == "first"))
        return FirstShown(named, of)

    def _nights(self) -> Iterator[tuple[Judged, int]]:
        """Yield the single nights of rows that have several, and the others as they are."""
        for judged, rows in self._rows.items():
            for night in judged.nights or (judged,):
                yield night, rows


def _passes(judged: Judged) -> Iterator[tuple[Order, Verdict | None]]:
    for order, verdict in zip(ORDERS, (judged.first, judged.second), strict=True):
        if order in judged.orders:
            yield order, verdict
