"""The queue as one reader works through it: the rows that are wanted, in an order, and how many wait."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from bothways.app.desk.keys import press
from bothways.app.desk.review.counts import counted, waiting
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.known import Known
from bothways.app.desk.review.look import Look
from bothways.app.desk.review.order import ORDERS, Order, kept, ordered
from bothways.app.desk.review.question import Answer, Question
from bothways.app.desk.review.reader import Reader
from bothways.app.desk.review.walk import Tally, Walk
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.errors import RefusedError
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import Queue, QueueItem
from bothways.engine.ledger import Record
from bothways.engine.standing import Standing

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = ["Layout", "Worklist"]


class Layout(NamedTuple):
    """The rows of the queue that are wanted, in an order, and how many wait: of all, and of these."""

    filter: Filter
    order: Order
    walk: Walk
    tally: Tally
    wanted: Tally


class Worklist:
    """The rows of one candidate as their reader goes through them: filtered, ordered, counted.

    What is said changes single rows at once; the gate and the reasons follow when somebody hands in what was
    judged or read anew. Where it takes a while with many rows there is a half that changes nothing and
    belongs into a thread, and one that puts its result to use.
    """

    def __init__(self, look: Look, *, only: Sequence[str] = ()) -> None:
        self.only = frozenset(only)
        self.filter = Filter()
        self.order: Order = ORDERS[0]
        self._rows = Rows()
        self._order = array("I")
        self._touched: set[int] = set()
        self.walk = Walk(self._rows)
        self._take(look)

    def refreshed(self, look: Look) -> Worklist:
        """Return what is true now, at the same row and in the same order; this one stays."""
        fresh = copy(self)
        fresh._take(look)
        return fresh

    def _take(self, look: Look) -> None:
        here = "" if self.walk.place is None else self._rows.case_at(self.walk.place)
        before = self._rows
        self.evidence: Evidence = look.evidence
        self.result: GateResult = look.result
        self.reader: Reader = look.reader
        self.of = look.of
        self._rows = Rows.of(look.evidence.rows).standing({})
        self._touched = set()
        self._queue = look.items
        self._order = kept(self._order, before, self._rows, self._queue.order)
        self._lay(self.laid_out(self.filter, self.order), here)

    @property
    def whole(self) -> bool:
        """Whether these are all rows that there are, and not the few that are read first."""
        return len(self._rows) == self.of

    def question(self) -> Question:
        """Return what the gate is to be asked by now; what is said later is counted when it has answered."""
        self._touched.clear()
        return Question(self.snapshot(), self.reader.still(), self._order, self.walk)

    def settle(self, answer: Answer) -> bool:
        """Take the gate as it stood when it was asked; the order of the queue stays.

        False, and nothing is taken, where other rows have come to be wanted meanwhile.
        """
        if answer.walk is not self.walk:
            return False
        self.result, self._queue, waits, self.tally, self.wanted, _ = answer
        self.walk.wait(waits)
        self.items = self._queue.only(self.walk.places)
        for place in self._touched:
            self._put(place)
        return True

    def took(self, records: Sequence[Record], standing: Standing | None) -> None:
        """Take in what the records about one row add up to; the last one is new."""
        case_id = str(records[-1].body["case"])
        place = self._rows.place_of(case_id)
        if place is None:
            raise KeyError(case_id)
        self._rows.say(place, standing)
        self._touched.add(place)
        self.reader.did(self._rows[place], records[-1], records)
        self._put(place)

    def _put(self, place: int) -> None:
        """Count one row anew: what was said of it has changed."""
        item, row = self._queue.at(place), self._rows[place]
        waits, reason = waiting(self.reader, item, row), self.reader.reason(item, row)
        mine = self.reader.voted(row)
        self.tally.count(place, reason, waits, mine=mine)
        if self.wanted is not self.tally and self.walk.has(place):
            self.wanted.count(place, reason, waits, mine=mine)
        self.walk.put(place, waits)

    def laid_out(self, wanted: Filter, order: Order) -> Layout:
        """Return the rows that are wanted, in the order that is wanted; changes nothing.

        With many rows it takes a while and belongs into a thread; `lay` puts it to use.
        """
        places: Sequence[int] = self._order
        if self.only:
            places = [place for place in places if self._rows.case_at(place) in self.only]
        if wanted.words:
            places = [place for place in places if wanted.matches(self._knows_at(place))]
        waits, tally = self._counted(self._queue, self._order)
        counts = tally if len(places) == len(self._order) else self._counted(self._queue, places)[1]
        blind, due = self.reader.blind, self.reader.due_places(self._rows)
        places = ordered(places, order, self._knows_at, blind=blind, due=due)
        return Layout(wanted, order, Walk(self._rows, places, waits), tally, counts)

    def _counted(self, queue: Queue, places: Sequence[int]) -> tuple[bytearray, Tally]:
        return counted(self.reader, queue, self._rows, places)

    def lay(self, layout: Layout) -> None:
        """Walk through these rows, and stay at the row; else go to the first that waits."""
        here = self.item.case_id if self.item is not None else ""
        if not self._lay(layout, here):
            self.walk.at = 0
            self.walk.to_first()

    def _lay(self, layout: Layout, here: str) -> bool:
        """Walk through these rows; where the row is not among them, stay as far down as before."""
        at = self.walk.at
        self.filter, self.order, self.walk, self.tally, self.wanted = layout
        self.items = self._queue.only(self.walk.places)
        self.walk.at = at
        return self.walk.seek(here)

    @property
    def filtered(self) -> bool:
        """Whether there are rows that are not shown."""
        return bool(self.filter.words or self.only)

    @property
    def item(self) -> QueueItem | None:
        """The queue's entry for the current row; None where the queue is empty."""
        place = self.walk.place
        return None if place is None else self._queue.at(place)

    @property
    def row(self) -> RowEvidence | None:
        """The current row."""
        place = self.walk.place
        return None if place is None else self._rows[place]

    @property
    def current(self) -> RowEvidence:
        """The current row; RefusedError where there is none to act on."""
        if self.row is None:
            raise RefusedError(
                "There is no row here", "the queue is empty", f"{press('desk.back')} drops the filter"
            )
        return self.row

    @property
    def gate_hidden(self) -> bool:
        """Whether how the gate stands would tell a blind reader of rows that they have not read."""
        return self.reader.blind and bool(self.tally.left or self.tally.unread)

    @property
    def known(self) -> Known | None:
        """What the reader may know of the current row."""
        place = self.walk.place
        return None if place is None else self._knows_at(place)

    def row_of(self, item: QueueItem) -> RowEvidence:
        """Return the row that an entry of the queue is about."""
        place = self._rows.place(item.row_id)
        if place is None:
            raise KeyError(item.row_id)
        return self._rows[place]

    def knows(self, item: QueueItem) -> Known:
        """Return what the reader may know of the row of an entry."""
        return self.reader.knows(item, self.row_of(item))

    def _knows_at(self, place: int) -> Known:
        return self.reader.knows(self._queue.at(place), self._rows[place])

    def left(self) -> list[str]:
        """Return the cases that `advance` would come to."""
        return [self._rows.case_at(place) for place in self.walk.left()]

    def advance(self) -> bool:
        """Go to the next row that waits, from the beginning again where none follows."""
        return self.walk.step(1, undecided=True) or self.walk.to_first()

    def show_only(self, wanted: Filter) -> int:
        """Show only matching rows, as `lay` does, and return how many there are."""
        self.lay(self.laid_out(wanted, self.order))
        return len(self.items)

    def search(self, store: Store) -> None:
        """Look for the texts of the filter in what the rows of by now ask; belongs into a thread."""
        found = self.filter.searched(partial(store.rows_asking, self.evidence.spec_id))
        self.lay(self.laid_out(found, self.order))

    def set_order(self, order: Order) -> None:
        """Put the queue into another order, and stay at the row."""
        self.lay(self.laid_out(self.filter, order))

    def set_blind(self, blind: bool) -> None:
        """Hide names and the judge until the vote, for this sitting, or stop doing so."""
        self.reader.blind = blind or self.evidence.experiment.review.blind
        self.lay(self.laid_out(self.filter, self.order))

    def reach(self, case_id: str) -> bool:
        """Go to a case, out of every filter that hides it; False where the queue does not hold it."""
        if self.walk.seek(case_id):
            return True
        self.only = frozenset()
        self.show_only(Filter())
        return self.walk.seek(case_id)

    def named(self, case_id: str) -> RowEvidence | None:
        """Return the row of a case, whatever the filter; None where there is none."""
        place = self._rows.place_of(case_id)
        return None if place is None else self._rows[place]

    def snapshot(self) -> Evidence:
        """Return the evidence with every act so far."""
        return replace(self.evidence, rows=self._rows.standing({}))
