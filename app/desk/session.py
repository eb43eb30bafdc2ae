"""A review as it goes on: the queue, where the reader is, what people have said. Knows no screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from bothways.app.desk.filter import matches
from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.errors import RefusedError
from bothways.engine.facts import JsonObject
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import QueueItem, Reason
from bothways.engine.ledger import Facts, Record, RowDetail
from bothways.engine.pairs import seen
from bothways.engine.review import Act, about, act
from bothways.engine.standing import Review, Rule, fold, standings
from bothways.engine.verdicts import Side

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = ["Key", "Look", "ReviewSession", "judge_again", "load"]

Key: TypeAlias = Literal["left", "right", "equal", "both bad"]


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that was read at one moment: the facts' conclusions and people's records."""

    evidence: Evidence
    result: GateResult
    items: tuple[QueueItem, ...]
    records: tuple[Record, ...]


def load(store: Store, experiment: str, candidate: str | None, judge: str | None) -> Look:
    """Read and derive all that a review needs; for many rows this belongs into a thread."""
    from bothways.app.reading import reading
    from bothways.engine.gate.queue import queue

    with reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, _):
        records = tuple(store.records(experiment, "review"))
        return Look(evidence, result, tuple(queue(evidence, result)), records)


class ReviewSession:
    """The walk through one candidate's rows.

    `items` is the queue as filtered, `at` the place in it; `shown` is the row in full that the reader had
    before them last. Acts change single rows at once; the gate and the reasons in the queue follow when
    somebody hands in a new `Look` or result.
    """

    def __init__(self, look: Look, *, only: Sequence[str] = ()) -> None:
        self.only = frozenset(only)
        self.filter = ""
        self.swapped = False
        self.at = 0
        self.acts = 0
        self.drafts: dict[str, str] = {}
        self.shown: RowDetail | None = None
        self.items: list[QueueItem] = []
        self._all: dict[int, QueueItem] = {}
        self.refresh(look)

    def refresh(self, look: Look) -> None:
        """Take what is true now, and stay at the row where the reader is, in the order it had."""
        here = self.item.case_id if self.item is not None else ""
        self.evidence = look.evidence
        self.result = look.result
        self._rows = list(look.evidence.rows)
        self._place = {row.row_id: n for n, row in enumerate(self._rows)}
        fresh = {item.row_id: item for item in look.items}
        kept = {row_id: fresh[row_id] for row_id in self._all if row_id in fresh}
        self._all = kept | fresh
        self._records: dict[str, list[Record]] = {}
        for record in look.records:
            self._records.setdefault(str(record.body.get("case")), []).append(record)
        self._select()
        self.seek(here)

    def settle(self, result: GateResult, changed: Iterable[QueueItem]) -> None:
        """Take the gate as it stands after the last acts; the order of the queue stays."""
        self.result = result
        for item in changed:
            self._put(item)

    def _put(self, item: QueueItem) -> None:
        """Replace one entry of the queue in its place."""
        self._all[item.row_id] = item
        if (at := self._at.get(item.row_id)) is not None:
            before = self.items[at]
            self._left[before.reason] -= not before.done
            self._left[item.reason] += not item.done
            self.items[at] = item

    # Where the reader is.

    @property
    def item(self) -> QueueItem | None:
        """The queue's entry for the current row; None where the queue is empty."""
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def row(self) -> RowEvidence | None:
        """The current row."""
        return None if self.item is None else self.row_of(self.item)

    @property
    def current(self) -> RowEvidence:
        """The current row; RefusedError where there is none to act on."""
        if self.row is None:
            raise RefusedError("There is no row here", "the queue is empty", "esc drops the filter")
        return self.row

    def row_of(self, item: QueueItem) -> RowEvidence:
        """Return the row that an entry of the queue is about."""
        return self._rows[self._place[item.row_id]]

    @property
    def left_over(self) -> dict[Reason, int]:
        """How many rows of the queue are undecided, by why they are in it."""
        return {reason: self._left[reason] for reason in get_args(Reason) if self._left[reason]}

    def step(self, by: Literal[1, -1], *, undecided: bool) -> bool:
        """Go to the next row in a direction, or the next undecided one; False where there is none."""
        at = self.at + by
        while undecided and 0 <= at < len(self.items) and self.items[at].done:
            at += by
        if not 0 <= at < len(self.items):
            return False
        self.at = at
        return True

    def advance(self) -> bool:
        """Go to the next undecided row, from the beginning again where none follows."""
        if self.step(1, undecided=True):
            return True
        return self.to_first_undecided()

    def to_first_undecided(self) -> bool:
        """Go to the first undecided row; False where all are decided."""
        first = next((n for n, item in enumerate(self.items) if not item.done), None)
        self.at = self.at if first is None else first
        return first is not None

    def seek(self, case_id: str) -> bool:
        """Go to a case; False where the queue does not hold it."""
        found = next((n for n, item in enumerate(self.items) if item.case_id == case_id), None)
        self.at = min(self.at, max(0, len(self.items) - 1)) if found is None else found
        return found is not None

    def set_filter(self, expression: str) -> int:
        """Show only matching rows, stay at the row if it is among them, and return how many there are."""
        here = self.row.case_id if self.row is not None else ""
        self.filter = expression.strip()
        self._select()
        if not self.seek(here):
            self.at = 0
        return len(self.items)

    def _select(self) -> None:
        words = self.filter.split()
        self.items = [
            item
            for item in self._all.values()
            if (not self.only or item.case_id in self.only)
            and (not words or matches(words, item, self.row_of(item)))
        ]
        self._at = {item.row_id: n for n, item in enumerate(self.items)}
        self._left = Counter(item.reason for item in self.items if not item.done)

    # The sides.

    @property
    def sides(self) -> tuple[Side, Side]:
        """Whose answer is left, and whose is right."""
        return ("candidate", "baseline") if self.swapped else ("baseline", "candidate")

    def variant(self, side: Side) -> str:
        """Return the name of the variant on a side."""
        return self.evidence.candidate if side == "candidate" else self.evidence.experiment.baseline.name

    def meant(self, key: Key) -> Act:
        """Return the act that a verdict key means with the sides as they stand."""
        if key in ("equal", "both bad"):
            return Act.TIE if key == "equal" else Act.BOTH_BAD
        return Act(self.sides[0 if key == "left" else 1])

    def retrace(self, facts: Facts, what: Literal[Act.UNDO, Act.REDO], reviewer: str) -> None:
        """Go to the row that an undo or a redo is about, out of every filter that hides it.

        It is found in the records, so it does not matter in which sitting it was said. Raises RefusedError
        where there is nothing to undo or redo.
        """
        records = facts.records(self.evidence.experiment.name, "review")
        case_id = about(records, what, candidate=self.evidence.candidate, reviewer=reviewer).case
        if not self.seek(case_id):
            self.only = frozenset()
            self.set_filter("")
            self.seek(case_id)

    def overrides(self, what: Act) -> bool:
        """Whether an act would stand against what the judge decided."""
        row = self.row
        if (
            row is None
            or row.judged is None
            or what not in (Act.BASELINE, Act.CANDIDATE, Act.TIE, Act.BOTH_BAD)
        ):
            return False
        return row.judged != ("tie" if what is Act.BOTH_BAD else what.value)

    # Acts.

    def body(self, facts: Facts, what: Act, *, reviewer: str, note: str, reason: str, at: str) -> JsonObject:
        """Return the record of an act on the current row as it was shown; RefusedError where it cannot be."""
        return act(
            facts,
            self.evidence,
            self.result,
            self.current,
            what,
            reviewer=reviewer,
            note=note,
            reason=reason,
            at=at,
            shown=self.shown if self.shown and self.shown.row_id == self.current.row_id else None,
        )

    def acts_on(self, case_id: str) -> list[Review]:
        """Return the acts in force on a case, oldest first."""
        key = (self.evidence.candidate, case_id)
        return standings(self._records.get(case_id, ())).get(key, [])

    def records_on(self, case_id: str) -> list[Record]:
        """Return every record about a case, undone ones too."""
        return self._records.get(case_id, [])

    def took(self, record: Record, detail: RowDetail) -> None:
        """Take in an act that was saved: the row and its place in the queue show it at once."""
        case_id = str(record.body["case"])
        self._records.setdefault(case_id, []).append(record)
        sides = (self.evidence.experiment.baseline.name, self.evidence.candidate)
        stands_on = seen(*(detail.newest(side) for side in sides))
        rule = Rule.of(self.evidence.experiment.review)
        standing = fold(self.acts_on(case_id), stands_on, rule) if stands_on is not None else None
        row = self._rows[self._place[detail.row_id]]._replace(standing=standing)
        self._rows[self._place[detail.row_id]] = row
        item = self._all[detail.row_id]
        self._put(item._replace(done=_decided(item, row)))
        self.acts += 1

    def snapshot(self) -> tuple[Evidence, dict[int, QueueItem]]:
        """Return the evidence with every act so far, and the queue beside it: for a thread to judge again."""
        return replace(self.evidence, rows=tuple(self._rows)), dict(self._all)


def judge_again(evidence: Evidence, known: Mapping[int, QueueItem]) -> tuple[GateResult, list[QueueItem]]:
    """Return the gate as it stands, and the entries of the queue that are not as they were.

    This is where the rows that could still change the decision are found: with many it takes a while.
    """
    from bothways.engine.gate.gate import evaluate
    from bothways.engine.gate.impact import impact
    from bothways.engine.gate.queue import queue

    result = evaluate(evidence)
    items = queue(evidence, result, impact(evidence, result))
    return result, [item for item in items if known.get(item.row_id) != item]


def _decided(item: QueueItem, row: RowEvidence) -> bool:
    """Whether a row needs nobody any more, until the gate is asked again."""
    standing = row.standing
    if row.tools is ToolState.CHANGED and (standing is None or standing.tools is None):
        return False
    return item.reason == "tools" or (standing is not None and standing.verdict is not None)
