"""A review as it goes on: the queue as its reader may know it, where they are, what they have said.

Knows no screen. `Reader` says what may be seen, `Walk` where one is; acts are put on record by `Book`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias, get_args

from bothways.app.desk.filter import Filter
from bothways.app.desk.keys import press
from bothways.app.desk.known import Known
from bothways.app.desk.look import Look
from bothways.app.desk.order import ORDERS, Order, ordered
from bothways.app.desk.reader import Reader
from bothways.app.desk.sides import Sides
from bothways.app.desk.walk import Tally, Walk
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.errors import RefusedError
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import QueueItem
from bothways.engine.ledger import Record, RowDetail
from bothways.engine.pairs import Seen
from bothways.engine.review import Act, taken_for
from bothways.engine.standing import Review, Rule, fold, standings
from bothways.engine.verdicts import Side

__all__ = ["SIDES", "Key", "Layout", "ReviewSession"]


class Layout(NamedTuple):
    """The rows of the queue that are wanted, in an order, and how many wait: of all, and of these."""

    filter: Filter
    order: Order
    walk: Walk
    tally: Tally
    wanted: Tally


Key: TypeAlias = Literal["left", "right", "equal", "both bad"]
SIDES: tuple[Key, ...] = get_args(Key)
_SIDED = (Act.BASELINE, Act.CANDIDATE, Act.TIE, Act.BOTH_BAD)


class ReviewSession:
    """The walk of one reader through one candidate's rows.

    `shown` is the row in full that the reader had before them last. Acts change single rows at once; the
    gate and the reasons in the queue follow when somebody hands in a new `Look` or result.
    """

    def __init__(self, look: Look, *, only: Sequence[str] = ()) -> None:
        self.only = frozenset(only)
        self.filter = Filter()
        self.order: Order = ORDERS[0]
        self.acts = 0
        self.shown: RowDetail | None = None
        self.walk = Walk()
        self._sides = Sides()
        self._told: tuple[int, str] = (0, "")
        self._all: dict[int, QueueItem] = {}
        self._take(look)

    def refreshed(self, look: Look) -> ReviewSession:
        """Return the session with what is true now, at the same row and in the same order; this one stays.

        With many rows it takes a while and belongs into a thread; `follow` catches up with the reader.
        """
        fresh = copy(self)
        fresh._take(look)
        return fresh

    def follow(self, before: ReviewSession) -> None:
        """Go where the reader has gone since this session was made of that one."""
        self.shown = before.shown
        self._told = before._told
        if before.item is not None:
            self.walk.seek(before.item.case_id)

    def _take(self, look: Look) -> None:
        here = self.item.case_id if self.item is not None else ""
        self.evidence: Evidence = look.evidence
        self.result: GateResult = look.result
        self.reader: Reader = look.reader
        self._rows = list(look.evidence.rows)
        self._place = {row.row_id: n for n, row in enumerate(self._rows)}
        self._cases = {row.case_id: n for n, row in enumerate(self._rows)}
        self._records: dict[str, list[Record]] = {}
        for record in look.records:
            self._records.setdefault(str(record.body.get("case")), []).append(record)
        fresh = {item.row_id: item for item in look.items}
        kept = {row_id: fresh[row_id] for row_id in self._all if row_id in fresh}
        self._all = kept | fresh
        self.lay(self.laid_out(self.filter, self.order), here)

    def settle(self, result: GateResult, changed: Iterable[QueueItem]) -> None:
        """Take the gate as it stands after the last acts; the order of the queue stays."""
        self.result = result
        for item in changed:
            self._put(item)

    def _put(self, item: QueueItem) -> None:
        """Replace one entry of the queue in its place; its row may have changed too."""
        row = self.row_of(item)
        waits = self.reader.waits(item, row)
        for tally in {id(tally): tally for tally in (self.tally, self.wanted)}.values():
            if tally is self.tally or self.walk.has(item):
                tally.count(item.row_id, self.reader.reason(item, row), waits=waits)
        self._all[item.row_id] = item
        self.walk.put(item, waits=waits)

    def laid_out(self, wanted: Filter, order: Order) -> Layout:
        """Return the rows that are wanted, in the order that is wanted; changes nothing.

        With many rows it takes a while and belongs into a thread; `lay` puts it to use.
        """
        every = list(self._all.values())
        rows = [item for item in every if not self.only or item.case_id in self.only]
        if wanted.words:
            rows = [item for item in rows if wanted.matches(self.knows(item))]
        tally = self._counted(every)
        counts = tally if len(rows) == len(every) else self._counted(rows)
        rows = ordered(rows, order, self.knows, self.reader)
        waits = [self.reader.waits(item, self.row_of(item)) for item in rows]
        return Layout(wanted, order, Walk(rows, waits), tally, counts)

    def lay(self, layout: Layout, here: str | None = None) -> bool:
        """Walk through these rows, and stay at the row; False where it is not among them."""
        at = self.walk.at
        here = (self.item.case_id if self.item is not None else "") if here is None else here
        self.filter, self.order, self.walk, self.tally, self.wanted = layout
        self.walk.at = at
        return self.walk.seek(here)

    def _counted(self, items: Sequence[QueueItem]) -> Tally:
        tally = Tally(len(items))
        for item in items:
            row = self.row_of(item)
            tally.count(item.row_id, self.reader.reason(item, row), waits=self.reader.waits(item, row))
        return tally

    # Where the reader is.

    @property
    def items(self) -> list[QueueItem]:
        """The queue as filtered and ordered."""
        return self.walk.items

    @property
    def filtered(self) -> bool:
        """Whether there are rows that are not shown."""
        return bool(self.filter.words or self.only)

    @property
    def item(self) -> QueueItem | None:
        """The queue's entry for the current row; None where the queue is empty."""
        return self.walk.item

    @property
    def row(self) -> RowEvidence | None:
        """The current row."""
        return None if self.item is None else self.row_of(self.item)

    @property
    def current(self) -> RowEvidence:
        """The current row; RefusedError where there is none to act on."""
        if self.row is None:
            raise RefusedError(
                "There is no row here", "the queue is empty", f"{press('desk.back')} drops the filter"
            )
        return self.row

    @property
    def known(self) -> Known | None:
        """What the reader may know of the current row."""
        return None if self.item is None else self.knows(self.item)

    def row_of(self, item: QueueItem) -> RowEvidence:
        """Return the row that an entry of the queue is about."""
        return self._rows[self._place[item.row_id]]

    def knows(self, item: QueueItem) -> Known:
        """Return what the reader may know of the row of an entry."""
        return self.reader.knows(item, self.row_of(item))

    def advance(self) -> bool:
        """Go to the next row that waits, from the beginning again where none follows."""
        return self.walk.step(1, undecided=True) or self.walk.to_first()

    def show_only(self, wanted: Filter) -> int:
        """Show only matching rows, stay at the row if it is among them, and return how many there are."""
        if not self.lay(self.laid_out(wanted, self.order)):
            self.walk.at = 0
        return len(self.items)

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

    # The sides.

    @property
    def sides(self) -> tuple[Side, Side]:
        """Whose answer is left, and whose is right."""
        row = self.row
        return ("baseline", "candidate") if row is None else self._sides.of(row, self.evidence, self.reader)

    @property
    def unveiled(self) -> bool:
        """Whether the current row was shown with names and judge, be they hidden by now."""
        return self.row is not None and self._sides.told(self.row)

    def swap(self) -> None:
        """Swap the sides."""
        if self.row is not None:
            self._sides.swap(self.row, self.reader)

    def variant(self, side: Side) -> str:
        """Return the name of the variant on a side."""
        return self.evidence.candidate if side == "candidate" else self.evidence.experiment.baseline.name

    def meant(self, key: Key) -> Act:
        """Return the act that a verdict key means with the sides as they stand."""
        if key in ("equal", "both bad"):
            return Act.TIE if key == "equal" else Act.BOTH_BAD
        return Act(self.sides[0 if key == "left" else 1])

    def overrides(self, what: Act) -> bool:
        """Whether an act would stand against what the judge decided, as far as the reader may know that."""
        row = self.row
        if row is None or row.judged is None or what not in _SIDED or self.reader.veiled(row):
            return False
        return row.judged != ("tie" if what is Act.BOTH_BAD else what.value)

    # Acts.

    @property
    def told(self) -> str:
        """What the vote on the current row has revealed, until the reader goes on."""
        row_id, words = self._told
        return words if self.item is not None and self.item.row_id == row_id else ""

    def repeats(self, what: Act) -> bool:
        """Whether an act would say once more what has just been said, and was answered by a reveal."""
        mine = self.known.mine if self.told and self.known is not None else None
        if mine is None:
            return False
        said = Act.BOTH_BAD if mine.both_bad else Act(mine.verdict)
        return what in (said, Act.CONFIRM)

    def reveal(self, record: Record) -> None:
        """Tell what was hidden before this vote on the current row."""
        left, right = (self.variant(side) for side in self.sides)
        words = f"left is {left}, right is {right}"
        mine = self.known.mine if self.known is not None else None
        if record.body.get("look") == 2 and mine is not None:
            said = (record.body.get("verdict"), record.body.get("both_bad"))
            same = said == (mine.verdict, mine.both_bad)
            words += (
                " · second look: the same as before" if same else " · second look: not what you said before"
            )
        self._told = (self.current.row_id, words)

    def acts_on(self, case_id: str) -> list[Review]:
        """Return the acts in force on a case, oldest first."""
        key = (self.evidence.candidate, case_id)
        return standings(self._records.get(case_id, ())).get(key, [])

    def records_on(self, case_id: str) -> list[Record]:
        """Return every record about a case, undone ones too."""
        return self._records.get(case_id, [])

    def taken_for(self, name: str) -> str:
        """Say for whom somebody would be taken by their name; "" where for nobody."""
        records = (record for records in self._records.values() for record in records)
        return taken_for(name, self.evidence.experiment.review, records)

    def named(self, case_id: str) -> RowEvidence | None:
        """Return the row of a case, whatever the filter; None where there is none."""
        at = self._cases.get(case_id)
        return None if at is None else self._rows[at]

    def took(self, record: Record) -> None:
        """Take in an act that was saved: the row and its place in the queue show it at once."""
        body = record.body
        case_id = str(body["case"])
        at = self._cases[case_id]
        self._told = (0, "")
        records = self._records.setdefault(case_id, [])
        records.append(record)
        stands_on = Seen(str(body["pair"]), str(body["tools"]))
        standing = fold(self.acts_on(case_id), stands_on, Rule.of(self.evidence.experiment.review))
        row = self._rows[at] = self._rows[at]._replace(standing=standing)
        self.reader.did(row, record, records)
        self._put(self._all[row.row_id])
        self.acts += 1

    def snapshot(self) -> tuple[Evidence, dict[int, QueueItem]]:
        """Return the evidence with every act so far, and the queue beside it: for a thread to judge again."""
        return replace(self.evidence, rows=tuple(self._rows)), dict(self._all)
