"""Rows as columns: what many rows have in common is held once, and each is made when it is asked for."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple, overload

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.ledger import fields
from bothways.engine.standing import Standing

__all__ = ["Likeness", "Rows"]

_SHARED = fields(RowEvidence, "tags", "tools")
_HASHED = fields(RowEvidence, "high_stakes", "tools")


class Likeness(NamedTuple):
    """What tells a row from others: equal `kind` and no `standing` is the same row but for its names."""

    row_id: int
    case_id: str
    kind: int
    standing: Standing | None


class Rows(Sequence[RowEvidence]):
    """The rows of a comparison, by ascending id; a place is the number of a row among them.

    Of a hundred thousand rows few differ in more than their case and what people said: as a tuple each takes
    four times as much.
    """

    def __init__(self, rows: Iterable[RowEvidence] = ()) -> None:
        self._ids, self._positions = array("q"), array("q")
        self._cases: list[str] = []
        self._by_case: array[int] = array("I")
        self.kinds = array("I")
        """The number of the kind of each row, by place."""
        self._shared: list[tuple[object, ...]] = []
        self._first = array("I")
        self._standings: dict[int, Standing] = {}
        numbers: dict[Hashable, int] = {}
        for place, row in enumerate(rows):
            self._ids.append(row.row_id)
            self._cases.append(row.case_id)
            self._positions.append(row.position)
            # Equal tags are the same mapping, which is held here and so keeps its identity.
            key = (id(row.tags), *_HASHED(row))
            kind = numbers.get(key)
            if kind is None:
                kind = numbers[key] = len(self._shared)
                self._shared.append(_SHARED(row))
                self._first.append(place)
            self.kinds.append(kind)
            if row.standing is not None:
                self._standings[place] = row.standing

    @classmethod
    def of(cls, rows: Iterable[RowEvidence]) -> Rows:
        """Return the rows as columns, themselves where they are such already."""
        return rows if isinstance(rows, Rows) else cls(rows)

    def standing(self, standings: Mapping[int, Standing | None]) -> Rows:
        """Return the rows with what people said on some of them, by place; these stay as they are."""
        changed = copy(self)
        changed._standings = dict(self._standings)
        for place, standing in standings.items():
            changed.say(place, standing)
        return changed

    def say(self, place: int, standing: Standing | None) -> None:
        """Take in what people's acts on one row add up to by now."""
        if standing is None:
            self._standings.pop(place, None)
        else:
            self._standings[place] = standing

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, index: int) -> RowEvidence: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[RowEvidence]: ...
    def __getitem__(self, index: int | slice) -> RowEvidence | Sequence[RowEvidence]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        names = (self._ids[place], self._cases[place], self._positions[place])
        return RowEvidence._make((*names, *self._shared[self.kinds[place]], self._standings.get(place)))

    def __iter__(self) -> Iterator[RowEvidence]:
        make, shared, said = RowEvidence._make, self._shared, self._standings.get
        columns = zip(self._ids, self._cases, self._positions, self.kinds, strict=True)
        for place, (row_id, case_id, position, kind) in enumerate(columns):
            yield make((row_id, case_id, position, *shared[kind], said(place)))

    def likenesses(self) -> Iterator[Likeness]:
        """Yield what tells the rows from each other, in their order: less work than the rows themselves."""
        make, said = Likeness._make, self._standings.get
        for place, names in enumerate(zip(self._ids, self._cases, self.kinds, strict=True)):
            yield make((*names, said(place)))

    def alike(self) -> Iterator[tuple[RowEvidence, int]]:
        """Yield one row of each kind with how many there are, and each on which people acted by itself."""
        yield from ((row, 1) for row in self.acted())
        counts = Counter(self.kinds)
        counts.subtract(self.kinds[place] for place in self._standings)
        yield from ((self.one_of(kind), count) for kind, count in counts.items() if count)

    def one_of(self, kind: int) -> RowEvidence:
        """Return the first row of a kind, as if nobody had acted on it."""
        return self[self._first[kind]]._replace(standing=None)

    def acted(self) -> Iterator[RowEvidence]:
        """Yield the rows on which people acted."""
        return (self[place] for place in sorted(self._standings))

    def acted_places(self) -> Iterable[int]:
        """Return the places of the rows on which people acted."""
        return self._standings.keys()

    def ids(self) -> Sequence[int]:
        """Return the ids of the rows."""
        return self._ids

    def case_at(self, place: int) -> str:
        """Return the id of the case at a place."""
        return self._cases[place]

    def place(self, row_id: int) -> int | None:
        """Return the place of a row by its id; None where there is none."""
        return _found(bisect_left(self._ids, row_id), self._ids, row_id)

    def place_of(self, case_id: str) -> int | None:
        """Return the place of a case; None where there is none. The first time all are put in order."""
        if len(self._by_case) != len(self._cases):
            self._by_case = array("I", sorted(range(len(self._cases)), key=self._cases.__getitem__))
        at = bisect_left(self._by_case, case_id, key=self._cases.__getitem__)
        found = at < len(self._by_case) and self._cases[self._by_case[at]] == case_id
        return self._by_case[at] if found else None


def _found(at: int, ids: Sequence[int], wanted: int) -> int | None:
    return at if at < len(ids) and ids[at] == wanted else None
