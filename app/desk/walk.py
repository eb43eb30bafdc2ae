"""The way through the queue: the rows that are wanted, which of them wait, and where the reader is.

A step looks at no row on its way: what waits is one byte a row, and the counts follow what changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from bothways.engine.gate.queue import QueueItem

__all__ = ["Tally", "Walk"]


class Walk:
    """Some rows in an order, and the place among them."""

    def __init__(self, items: Sequence[QueueItem] = (), waits: Sequence[bool] = ()) -> None:
        self.items = list(items)
        self.at = 0
        self._waits = bytearray(waits)
        self._by_row = {item.row_id: n for n, item in enumerate(self.items)}
        self._by_case = {item.case_id: n for n, item in enumerate(self.items)}

    @property
    def item(self) -> QueueItem | None:
        """The entry at the place; None where there is none."""
        return self.items[self.at] if self.at < len(self.items) else None

    def has(self, item: QueueItem) -> bool:
        """Whether the row of an entry is among the wanted ones."""
        return item.row_id in self._by_row

    def put(self, item: QueueItem, *, waits: bool) -> None:
        """Replace one entry in its place; one that is not wanted here changes nothing."""
        at = self._by_row.get(item.row_id)
        if at is not None:
            self.items[at] = item
            self._waits[at] = waits

    def step(self, by: Literal[1, -1], *, undecided: bool) -> bool:
        """Go to the next row in a direction, or the next that waits; False where there is none."""
        if not undecided:
            at = self.at + by
        elif by > 0:
            at = self._waits.find(1, self.at + 1)
        else:
            at = self._waits.rfind(1, 0, self.at)
        if not 0 <= at < len(self.items):
            return False
        self.at = at
        return True

    def to_first(self) -> bool:
        """Go to the first row that waits; False where none does."""
        first = self._waits.find(1)
        self.at = self.at if first < 0 else first
        return first >= 0

    def seek(self, case_id: str) -> bool:
        """Go to a case; False where it is not among the rows."""
        found = self._by_case.get(case_id)
        self.at = min(self.at, max(0, len(self.items) - 1)) if found is None else found
        return found is not None


class Tally:
    """How many rows there are, and how many of them wait, by why they are in the queue."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._waiting: dict[int, str] = {}
        self._left: Counter[str] = Counter()

    def count(self, row_id: int, reason: str, *, waits: bool) -> None:
        """Count a row as it is now; how it was counted before no longer counts."""
        before = self._waiting.pop(row_id, None)
        if before is not None:
            self._left[before] -= 1
        if waits:
            self._waiting[row_id] = reason
            self._left[reason] += 1

    @property
    def left(self) -> dict[str, int]:
        """How many rows wait, by reason; those without any are left out."""
        return {reason: count for reason, count in self._left.items() if count}

    @property
    def done(self) -> int:
        """How many rows wait for nobody."""
        return self.total - len(self._waiting)
