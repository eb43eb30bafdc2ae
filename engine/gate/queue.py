"""The review queue: every row with why it is there, what it would take, and the worst first."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple, overload

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.rows import Likeness, Rows
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.why import Asked, Rank, Reason, Why
from bothways.engine.standing import Rule

__all__ = ["Queue", "QueueItem", "queue"]


class QueueItem(NamedTuple):
    """One row of the queue; `detail` says what it would take, `done` whether a person has given it.

    `decides` is whether what a person says of the row could still change the decision.
    """

    row_id: int
    case_id: str
    reason: Reason
    detail: str
    done: bool
    decides: bool = False


class Queue(Sequence[QueueItem]):
    """The entries in their order, each made when it is asked for: many rows are there for few reasons.

    `order` holds the places of the rows, `kinds` by place the number of why a row is there, among `whys`.
    """

    def __init__(self, rows: Rows, order: array[int], kinds: array[int], whys: Sequence[Why]) -> None:
        self.rows = rows
        self.order = order
        self.kinds = kinds
        self.whys = whys

    def at(self, place: int) -> QueueItem:
        """Return the entry for the row at a place."""
        return QueueItem(self.rows.ids()[place], self.rows.case_at(place), *self.whys[self.kinds[place]])

    def only(self, places: array[int]) -> Queue:
        """Return the entries for some rows, in the order of their places given."""
        return Queue(self.rows, places, self.kinds, self.whys)

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, index: int) -> QueueItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[QueueItem]: ...
    def __getitem__(self, index: int | slice) -> QueueItem | Sequence[QueueItem]:
        if isinstance(index, slice):
            return [self.at(place) for place in self.order[index]]
        return self.at(self.order[index])


def queue(evidence: Evidence, result: GateResult, decides: Collection[int] = frozenset()) -> Queue:
    """Return every row, the worst first: missing before done, required first, high stakes before others.

    `decides` are the ids of the rows that could still change the decision, as far as somebody computed them.
    """
    asked = Asked(
        frozenset(result.required),
        frozenset(result.tool_diffs_unsigned),
        evidence.audit,
        result.figures.close,
        Rule.of(evidence.experiment.review),
    )
    return _Ranked(Rows.of(evidence.rows), asked, decides).queue()


class _Ranked:
    """Puts rows into the queue. Rows that nobody acted on and that are alike are looked at once."""

    def __init__(self, rows: Rows, asked: Asked, decides: Collection[int]) -> None:
        self._rows = rows
        self._asked = asked
        self._decides = decides
        self._numbers: dict[Why, int] = {}
        self._known: dict[Hashable, tuple[int, array[int]]] = {}
        self._ranks: dict[Rank, array[int]] = {}

    def queue(self) -> Queue:
        """Return the rows of each rank in their own order, rank after rank."""
        kinds = array("I")
        for place, likeness in enumerate(self._rows.likenesses()):
            number, rank = self._placed(place, likeness)
            kinds.append(number)
            rank.append(place)
        order = array("I")
        for name in sorted(self._ranks):
            order.extend(self._ranks[name])
        return Queue(self._rows, order, kinds, list(self._numbers))

    def _placed(self, place: int, likeness: Likeness) -> tuple[int, array[int]]:
        """Return the number of why a row is there, and the places of those of its rank."""
        row_id, case, kind, standing = likeness
        asked, decides = self._asked, row_id in self._decides
        if standing is not None:
            return self._look(self._rows[place], decides=decides)
        alike = (kind, case in asked.required, case in asked.unsigned, case in asked.audit, decides)
        known = self._known.get(alike)
        if known is None:
            known = self._known[alike] = self._look(self._rows[place], decides=decides)
        return known

    def _look(self, row: RowEvidence, *, decides: bool) -> tuple[int, array[int]]:
        why = Why.of(row, self._asked, decides=decides)
        number = self._numbers.setdefault(why, len(self._numbers))
        return number, self._ranks.setdefault(why.rank(row), array("I"))
