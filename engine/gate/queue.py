"""The review queue: every row with why it is there, what it would take, and the worst first."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, overload

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.analysis.rows import Likeness, Rows
from bothways.engine.experiment import Policy
from bothways.engine.gate.model import GateResult
from bothways.engine.standing import Rule
from bothways.engine.verdicts import Outcome

__all__ = ["Queue", "QueueItem", "Reason", "Why", "queue"]

Reason: TypeAlias = Literal[
    "required", "tools", "disputed", "flipped hard", "flipped nights", "flipped soft", "unanswered", "error",
    "one pass", "audit", "close", "agreed", "pending",
]  # fmt: skip


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


_Rank: TypeAlias = tuple[bool, int, bool, int]
_RANK: dict[Reason, int] = {
    "required": 0, "tools": 1, "disputed": 2, "flipped hard": 3, "flipped nights": 4, "flipped soft": 5,
    "unanswered": 6, "error": 7, "one pass": 8, "audit": 9, "close": 10, "agreed": 11, "pending": 12,
}  # fmt: skip
_BY_OUTCOME: dict[Outcome, tuple[Reason, str]] = {
    Outcome.FLIP_HARD: ("flipped hard", "the two passes name different variants: a verdict decides it"),
    Outcome.FLIP_NIGHTS: ("flipped nights", "the nights disagree: a verdict decides it"),
    Outcome.FLIP_SOFT: ("flipped soft", "one pass says tie: a verdict decides it"),
    Outcome.UNANSWERED: ("unanswered", "the judge's verdict cannot be read: a verdict decides it"),
    Outcome.ERROR: ("error", "an answer is missing: retry it, or say what that means"),
    Outcome.ONE_PASS: ("one pass", "judged in one order only: a verdict decides it"),
    Outcome.PENDING: ("pending", "not tried yet: finish the run"),
}


class Why(NamedTuple):
    """What an entry of the queue says beside which row it is about; as in `QueueItem`."""

    reason: Reason
    detail: str
    done: bool
    decides: bool


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
    asked = _Asked(
        frozenset(result.required),
        frozenset(result.tool_diffs_unsigned),
        evidence.audit,
        result.figures.close,
        Rule.of(evidence.experiment.review),
    )
    return _Ranked(Rows.of(evidence.rows), asked, decides).queue()


class _Ranked:
    """Puts rows into the queue. Rows that nobody acted on and that are alike are looked at once."""

    def __init__(self, rows: Rows, asked: _Asked, decides: Collection[int]) -> None:
        self._rows = rows
        self._asked = asked
        self._decides = decides
        self._numbers: dict[Why, int] = {}
        self._known: dict[Hashable, tuple[int, array[int]]] = {}
        self._ranks: dict[_Rank, array[int]] = {}

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
        reason, detail = _why(row, self._asked)
        why = Why(reason, detail, _done(row, reason, self._asked), decides)
        number = self._numbers.setdefault(why, len(self._numbers))
        return number, self._ranks.setdefault(_rank(row, why), array("I"))


class _Asked(NamedTuple):
    """What is asked of people, by case: what the gate requires, and what was drawn."""

    required: frozenset[str]
    unsigned: frozenset[str]
    audit: frozenset[str]
    close: bool
    rule: Rule


def _done(row: RowEvidence, reason: Reason, asked: _Asked) -> bool:
    """Say whether people have given what a row takes; for the audit, that anybody read it will do."""
    if row.case_id in asked.unsigned:
        return False
    if reason not in ("tools", "audit"):
        return row.spoken
    return row.case_id not in asked.audit or (row.standing is not None and row.standing.read)


def _why(row: RowEvidence, asked: _Asked) -> tuple[Reason, str]:
    case = row.case_id
    if case in asked.required and row.high_stakes and row.outcome is not Outcome.PENDING:
        return "required", _required(row, asked)
    if row.other_tools and not _still_open(row, asked):
        return "tools", _tools(row) + ("; drawn for the audit too" if case in asked.audit else "")
    if row.disputed:
        return "disputed", _disputed(asked.rule)
    if row.outcome in _BY_OUTCOME:
        return _BY_OUTCOME[row.outcome]
    if case in asked.audit:
        return "audit", "drawn by lot from the rows on which both passes agree: confirm or override the judge"
    if asked.close:
        return "close", "the vote is close: confirm or override"
    return "agreed", "both passes agree: read a few of these too"


def _still_open(row: RowEvidence, asked: _Asked) -> bool:
    """Whether a signature has settled the calls of a row, and nothing yet which answer is better."""
    signed = row.tools is ToolState.CHANGED and row.case_id not in asked.unsigned
    return signed and (row.disputed or row.outcome in _BY_OUTCOME)


def _required(row: RowEvidence, asked: _Asked) -> str:
    if row.disputed:
        wanted = _disputed(asked.rule)
    elif row.judged:
        wanted = "confirm or override the judge"
    else:
        wanted = f"{_BY_OUTCOME[row.outcome][0]}: choose a side"
    return f"high stakes: {wanted}" + ("; sign its tool difference" if row.case_id in asked.unsigned else "")


_UNSETTLED: Mapping[Policy, str] = {
    "latest": "",
    "majority": "; as many say one thing as another, one more verdict for one of these settles it",
    "adjudicator": ", which settles it",
}


def _disputed(rule: Rule) -> str:
    return f"reviewers differ: {rule.words}{_UNSETTLED[rule.policy]}"


def _tools(row: RowEvidence) -> str:
    if row.tools is ToolState.BROKEN:
        return "the candidate breaks a tool rule that the baseline keeps: change the candidate"
    return "other tools, or other writes, than the baseline: sign the difference"


def _rank(row: RowEvidence, why: Why) -> _Rank:
    """Return the rank of a row; those drawn for the audit come as they lie, whatever the judge said."""
    by_outcome = _BY_OUTCOME.get(row.outcome)
    doubted = row.judged == "baseline" and why.reason != "audit"
    trouble = _RANK[by_outcome[0]] if by_outcome else _RANK["agreed"] - doubted
    return why.done, _RANK[why.reason], not row.high_stakes, trouble
