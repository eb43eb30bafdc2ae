"""A review as it goes on: what its reader has before them, what they have said, what that has revealed.

Knows no screen. `Worklist` is the queue as they walk it; acts are put on record by `Book`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Literal, TypeAlias, get_args

from bothways.app.desk.review.known import Known
from bothways.app.desk.review.look import Look
from bothways.app.desk.review.reader import Reader
from bothways.app.desk.review.sides import Sides
from bothways.app.desk.review.walk import Walk
from bothways.app.desk.review.worklist import Worklist
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.ledger import Record, RowDetail, by_case
from bothways.engine.pairs import Seen
from bothways.engine.review import Act, overrides, taken_for
from bothways.engine.standing import Review, Rule, fold, standings
from bothways.engine.verdicts import Side

__all__ = ["SIDES", "Key", "ReviewSession"]

Key: TypeAlias = Literal["left", "right", "equal", "both bad"]
SIDES: tuple[Key, ...] = get_args(Key)


class ReviewSession:
    """One reader at one candidate's rows.

    `work` are the rows they go through, `shown` is the row in full that they had before them last, and
    `acts` counts what they have said. `unveiled` are the rows that they have seen with names and judge.
    """

    def __init__(
        self, look: Look, *, only: Sequence[str] = (), unveiled: set[tuple[int, str]] | None = None
    ) -> None:
        self.work = Worklist(look, only=only)
        self.shown: RowDetail | None = None
        self.acts = 0
        self._records = by_case(look.records)
        self._sides = Sides(set() if unveiled is None else unveiled)
        self._told: tuple[int, str] = (0, "")

    def refreshed(self, look: Look) -> ReviewSession:
        """Return the session with what is true now, at the same row and in the same order; this one stays.

        With many rows it takes a while and belongs into a thread; `follow` catches up with the reader.
        """
        fresh = copy(self)
        fresh.work = self.work.refreshed(look)
        fresh._records = by_case(look.records)
        return fresh

    def follow(self, before: ReviewSession) -> None:
        """Go where the reader has gone since this session was made of that one."""
        self.shown = before.shown
        self._told = before._told
        if before.row is not None:
            self.work.walk.seek(before.row.case_id)

    def serves(self, reviewer: str) -> bool:
        """Whether it holds all rows as this reviewer is to see them, who may have had no name before."""
        return self.work.whole and self.reader.name in ("", reviewer)

    @property
    def stood(self) -> tuple[int, Walk]:
        """Return what differs once something is said, or other rows are wanted, or in another order."""
        return self.acts, self.work.walk

    @property
    def evidence(self) -> Evidence:
        """The conclusions as they were read, before any act of this session."""
        return self.work.evidence

    @property
    def reader(self) -> Reader:
        """Whose review it is."""
        return self.work.reader

    @property
    def row(self) -> RowEvidence | None:
        """The current row; None where the queue is empty."""
        return self.work.row

    @property
    def known(self) -> Known | None:
        """What the reader may know of the current row."""
        return self.work.known

    @property
    def sides(self) -> tuple[Side, Side]:
        """Whose answer is left, and whose is right."""
        row = self.row
        return ("baseline", "candidate") if row is None else self._sides.of(row, self.evidence, self.reader)

    @property
    def unveiled(self) -> bool:
        """Whether the current row was shown with names and judge, be they hidden by now."""
        return self.row is not None and self._sides.told(self.row, self.evidence)

    def swap(self) -> None:
        """Swap the sides."""
        if self.row is not None:
            self._sides.swap(self.row, self.reader)

    def set_blind(self, blind: bool) -> bool:
        """Hide names and the judge until the vote, or stop doing so.

        Who reads blind goes to the first row that waits and that they have not seen with its names: no vote
        on another is blind. False where there is none.
        """
        self.work.set_blind(blind)
        waiting = ((case_id, self.work.named(case_id)) for case_id in self.work.left())
        unseen = (
            case_id
            for case_id, row in waiting
            if row is not None and self.reader.veiled(row) and not self._sides.told(row, self.evidence)
        )
        return blind and any(self.work.walk.seek(case_id) for case_id in unseen)

    def meant(self, key: Key) -> Act:
        """Return the act that a verdict key means with the sides as they stand."""
        if key in ("equal", "both bad"):
            return Act.TIE if key == "equal" else Act.BOTH_BAD
        return Act(self.sides[0 if key == "left" else 1])

    def overrides(self, what: Act) -> bool:
        """Whether an act would stand against what the judge decided, as far as the reader may know that."""
        row = self.row
        return row is not None and not self.reader.veiled(row) and overrides(row, what)

    @property
    def told(self) -> str:
        """What the vote on the current row has revealed, until the reader goes on."""
        row_id, words = self._told
        return words if self.row is not None and self.row.row_id == row_id else ""

    def repeats(self, what: Act) -> bool:
        """Whether an act would say once more what has just been said, and was answered by a reveal."""
        mine = self.known.mine if self.told and self.known is not None else None
        if mine is None:
            return False
        said = Act.BOTH_BAD if mine.both_bad else Act(mine.verdict)
        return what in (said, Act.CONFIRM)

    def reveal(self, record: Record) -> None:
        """Tell what was hidden before this vote on the current row."""
        left, right = (self.evidence.said(side) for side in self.sides)
        words = f"left is {left}, right is {right}"
        mine = self.known.mine if self.known is not None else None
        if record.body.get("look") == 2 and mine is not None:
            said = (record.body.get("verdict"), record.body.get("both_bad"))
            same = said == (mine.verdict, mine.both_bad)
            words += (
                " · second look: the same as before" if same else " · second look: not what you said before"
            )
        self._told = (self.work.current.row_id, words)

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
        return taken_for(name, self.work.evidence.experiment.review, records)

    def took(self, record: Record) -> None:
        """Take in an act that was saved: the row and its place in the queue show it at once."""
        case_id = str(record.body["case"])
        records = self._records.setdefault(case_id, [])
        records.append(record)
        stands_on = Seen(str(record.body["pair"]), str(record.body["tools"]))
        rule = Rule.of(self.evidence.experiment.review)
        self.work.took(records, fold(self.acts_on(case_id), stands_on, rule))
        self._told = (0, "")
        self.acts += 1
