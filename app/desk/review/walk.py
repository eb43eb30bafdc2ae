"""The way through the queue: the rows that are wanted, which of them wait, and where the reader is.

A step looks at no row on its way: what waits is one byte a row, and the counts follow what changes. A place
is the number of a row among all rows of the comparison.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal

from bothways.engine.analysis.rows import Rows

__all__ = ["UNREAD", "WAITS", "Tally", "Walk"]

WAITS, UNREAD = 1, 2
"""A row that waits for the reader, and one that others have decided and the reader has not voted on."""


class Walk:
    """Some rows in an order, and where one is among them. `waits` is by place: WAITS, UNREAD or 0."""

    def __init__(self, rows: Rows, places: Sequence[int] = (), waits: Sequence[int] = ()) -> None:
        self.places = array("I", places)
        self.at = 0
        self._rows = rows
        self._numbers = array("i", [-1]) * len(rows)
        for number, place in enumerate(self.places):
            self._numbers[place] = number
        self.wait(waits)

    @property
    def place(self) -> int | None:
        """The place of the row where the reader is; None where there is none."""
        return self.places[self.at] if self.at < len(self.places) else None

    def has(self, place: int) -> bool:
        """Whether a row is among the wanted ones."""
        return self._numbers[place] >= 0

    def wait(self, waits: Sequence[int]) -> None:
        """Take in for all rows whether they wait."""
        self._waits = bytearray(waits[place] for place in self.places)

    def put(self, place: int, waits: int) -> None:
        """Take in whether a row waits; one that is not wanted here changes nothing."""
        if self.has(place):
            self._waits[self._numbers[place]] = waits

    def step(self, by: Literal[1, -1], *, undecided: bool) -> bool:
        """Go to the next row in a direction, or the next that waits; False where there is none.

        Where none of all the rows waits, those come that only others have decided.
        """
        if not undecided:
            at = self.at + by
        elif by > 0:
            at = self._waits.find(self._wanted, self.at + 1)
        else:
            at = self._waits.rfind(self._wanted, 0, self.at)
        if not 0 <= at < len(self.places):
            return False
        self.at = at
        return True

    def to_first(self) -> bool:
        """Go to the first row that waits, or that only others have decided; False where there is none."""
        first = self._waits.find(self._wanted)
        self.at = self.at if first < 0 else first
        return first >= 0

    def left(self) -> list[int]:
        """Return the places that steps to undecided rows come to, in order."""
        wanted = self._wanted
        return [place for place, waits in zip(self.places, self._waits, strict=True) if waits == wanted]

    @property
    def _wanted(self) -> int:
        return WAITS if WAITS in self._waits else UNREAD

    def seek(self, case_id: str) -> bool:
        """Go to a case; False where it is not among the rows."""
        place = self._rows.place_of(case_id)
        found = -1 if place is None else self._numbers[place]
        self.at = min(self.at, max(0, len(self.places) - 1)) if found < 0 else found
        return found >= 0


class Tally:
    """How many rows there are, and how many of them wait, by why they are in the queue.

    `of` is how many rows there are in all, where a tally is of some of them.
    """

    def __init__(self, total: int, of: int | None = None) -> None:
        self.total = total
        self._reasons: list[str] = [""]
        self._counts = [0]
        self._waiting = bytearray(total if of is None else of)
        """By place why a row waits, as a number among the reasons; 0 where it does not, or does not count."""
        self._unread: set[int] = set()
        self._mine: set[int] = set()

    def count(self, place: int, reason: str, waits: int, *, mine: bool = False) -> None:
        """Count a row as it is now; how it was counted before no longer counts.

        `waits` is as in `Walk`, `mine` whether the reader has voted on it.
        """
        for rows, among in ((self._unread, waits == UNREAD), (self._mine, mine)):
            (rows.add if among else rows.discard)(place)
        now = self._number(reason) if waits == WAITS else 0
        before, self._waiting[place] = self._waiting[place], now
        self._counts[before] -= before > 0
        self._counts[now] += now > 0

    def _number(self, reason: str) -> int:
        if reason not in self._reasons:
            self._reasons.append(reason)
            self._counts.append(0)
        return self._reasons.index(reason)

    @property
    def left(self) -> dict[str, int]:
        """How many rows wait, by reason; those without any are left out."""
        counts = zip(self._reasons, self._counts, strict=True)
        return {reason: count for reason, count in counts if count}

    @property
    def unread(self) -> int:
        """How many rows others have decided, and not the reader."""
        return len(self._unread)

    @property
    def mine(self) -> int:
        """On how many rows the reader has voted."""
        return len(self._mine)

    @property
    def done(self) -> int:
        """How many rows wait for nobody."""
        return self.total - self.open

    @property
    def open(self) -> int:
        """How many rows wait."""
        return sum(self._counts)
