"""Everything that the conditions look at, counted in one walk over the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.analysis.outcomes import ORDERS
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.tally import Votes
from bothways.engine.experiment import GateSettings
from bothways.engine.gate.completions import OpenPasses, OpenVotes
from bothways.engine.gate.required import asks_verdict, is_empty, lacks_verdict
from bothways.engine.standing import Standing
from bothways.engine.verdicts import FLIPS, READABLE, Outcome, Verdict

__all__ = ["Mark", "Number", "Situation", "situated", "situation"]


class Mark(StrEnum):
    """What a row can mean to the conditions: each names the field of `Situation` that holds such cases."""

    REQUIRED = "required"
    MISSING = "missing"
    COMING = "coming"
    UNSIGNED = "unsigned"
    PENDING = "pending"
    LOST = "lost"
    UNCLEAR = "unclear"
    EMPTY = "empty"
    UNREAD = "unread"
    UNREAD_FOR_GOOD = "unread_for_good"
    SILENT = "silent"
    BROKEN = "broken"
    REFUSED = "refused"
    SIGNED = "signed"
    FLIPPED = "flipped"
    DISPUTED = "disputed"


class Number(StrEnum):
    """Of which rows only the number matters: each names the field of `Situation` that holds it."""

    DIFFERING = "differing"
    HIGH_STAKES = "high_stakes"
    READABLE = "readable"
    UNREVIEWED = "unreviewed"
    CALLING = "calling"


@dataclass(frozen=True, slots=True)
class Situation:
    """The rows, sorted by what they mean to the conditions.

    `votes` are all verdicts as they stand now; `settled` are those that no required review can change.
    `missing` wait for a verdict, `coming` will once they are tried, `unsigned` wait for a signature under
    their tool difference. The case ids in `lost` and `unclear` are high-stakes rows; those in `unread` have
    neither two readable passes nor a review, and `unread_for_good` are those of them that nobody has to read.
    """

    evidence: Evidence
    close: bool
    votes: Votes
    settled: Votes
    required: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    coming: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    """High-stakes rows that nobody spoke on, nor can: neither side gave an answer."""
    unread: tuple[str, ...] = ()
    unread_for_good: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    """Cases that the candidate left without an answer where the baseline gave one."""
    broken: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Cases whose tool difference a person signed as bad."""
    signed: tuple[str, ...] = ()
    """Cases whose tool difference a person signed as right."""
    signers: tuple[str, ...] = ()
    flipped: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    """Cases that reviewers differ on, and that no rule settles but that of the latest verdict."""
    differing: int = 0
    """Rows that reviewers differ on, settled ones too."""
    high_stakes: int = 0
    readable: int = 0
    """Rows with two readable passes: what a flip rate is a share of."""
    unreviewed: int = 0
    calling: int = 0
    """Rows on which a tool is called, by either side."""

    @property
    def settings(self) -> GateSettings:
        """The thresholds."""
        return self.evidence.experiment.gate

    @property
    def threshold(self) -> Fraction:
        """The win rate that is needed, as an exact fraction."""
        return Fraction(self.settings.threshold)

    @property
    def rows(self) -> int:
        """All rows."""
        return len(self.evidence.rows)

    @property
    def open(self) -> OpenVotes:
        """The votes with everything that could still become one."""
        due = len(self.missing) + len(self.coming)
        return OpenVotes(self.settled, due, len(self.pending) - len(self.coming))

    @property
    def passes(self) -> OpenPasses:
        """What the single passes said, with everything that those of untried rows could still say."""
        first, second = (_lead(self.evidence.passes[order]) for order in ORDERS)
        return OpenPasses(
            len(self.flipped), self.readable, first, second, len(self.pending), self.evidence.nights
        )

    @property
    def done(self) -> int:
        """Required rows on which people have said all that is required."""
        return len(self.required) - len({*self.missing, *self.coming, *self.unsigned})


def situation(evidence: Evidence, *, close: bool, people: bool = True) -> Situation:
    """Sort the rows; with `people` False as if nobody had said or signed anything and none were asked."""
    asks = people and asks_verdict(evidence, close=close)
    found = _Sorted(asks=asks, people=people)
    found.add_all(Rows.of(evidence.rows))
    polls = Votes.of(found.votes), Votes.of(found.settled)
    cases = {mark: tuple(ids) for mark, ids in found.ids.items()}
    now = situated(evidence, polls, cases, found.numbers, close=close)
    return replace(now, signers=tuple(sorted(found.signers)))


def situated(
    evidence: Evidence,
    polls: tuple[Votes, Votes],
    cases: Mapping[Mark, tuple[str, ...]],
    numbers: Mapping[Number, int],
    *,
    close: bool,
) -> Situation:
    """Return the situation that these make: the votes and those of them that are settled, and the rows."""
    votes, settled = polls
    return Situation(  # numbers by name: mypy takes one `**` for all that is left
        evidence=evidence,
        close=close,
        votes=votes,
        settled=settled,
        **{mark: cases[mark] for mark in Mark},
        differing=numbers[Number.DIFFERING],
        high_stakes=numbers[Number.HIGH_STAKES],
        readable=numbers[Number.READABLE],
        unreviewed=numbers[Number.UNREVIEWED],
        calling=numbers[Number.CALLING],
    )


class _Sorted:
    """Collects what one walk over the rows finds."""

    def __init__(self, *, asks: bool, people: bool) -> None:
        self.asks = asks
        self.people = people
        self.votes: Counter[Verdict | None] = Counter()
        self.settled: Counter[Verdict | None] = Counter()
        self.signers: set[str] = set()
        self.numbers: dict[Number, int] = dict.fromkeys(Number, 0)
        self.ids: dict[Mark, list[str]] = {mark: [] for mark in Mark}

    def add_all(self, rows: Rows) -> None:
        """Sort all rows in. Of those that nobody acted on and that are alike, one is looked at."""
        like: dict[int, tuple[_Sorted, list[list[str]]]] = {}
        times: Counter[int] = Counter()
        for place, (_, case, kind, standing) in enumerate(rows.likenesses()):
            if standing is not None and self.people:
                self.add(rows[place])
                continue
            if kind not in like:
                one = _Sorted(asks=self.asks, people=self.people)
                one.add(rows[place])
                like[kind] = one, [self.ids[mark] for mark, cases in one.ids.items() if cases]
            times[kind] += 1
            for cases in like[kind][1]:
                cases.append(case)
        for kind, (one, _) in like.items():
            self._count(one, times[kind])

    def _count(self, one: _Sorted, times: int) -> None:
        """Take in the numbers of a row as many times as there are rows like it."""
        for counted, said in ((self.votes, one.votes), (self.settled, one.settled)):
            for verdict in said:
                counted[verdict] += times
        for number, count in one.numbers.items():
            self.numbers[number] += times * count

    def add(self, row: RowEvidence) -> None:
        """Sort one row in."""
        standing = row.standing if self.people else None
        reviewed = standing is not None and standing.verdict is not None
        verdict = row.final if self.people else row.judged
        missing = self.asks and lacks_verdict(row)
        self.votes[verdict] += 1
        self.settled[None if missing else verdict] += 1
        self.numbers[Number.UNREVIEWED] += not reviewed
        ids, case = self.ids, row.case_id
        coming = False
        if missing:
            ids[Mark.MISSING].append(case)
        if row.outcome is Outcome.PENDING and verdict is None:
            ids[Mark.PENDING].append(case)
            if self.asks and row.high_stakes:
                coming = True
                ids[Mark.COMING].append(case)
        self._passes(row, reviewed=reviewed, owed=missing or coming)
        if row.high_stakes:
            self.numbers[Number.HIGH_STAKES] += 1
            self._money(row, verdict, missing=missing)
        if row.failed == ("candidate",):
            ids[Mark.SILENT].append(case)
        if (self.asks and row.high_stakes and not is_empty(row)) or (
            self.people and row.tools is ToolState.CHANGED
        ):
            ids[Mark.REQUIRED].append(case)
        if row.tools is not ToolState.NONE:
            self.numbers[Number.CALLING] += 1
            self._tools(row)
        if standing is not None:
            self._voices(case, standing)

    def _passes(self, row: RowEvidence, *, reviewed: bool, owed: bool) -> None:
        if row.outcome in READABLE:
            self.numbers[Number.READABLE] += 1
            if row.outcome in FLIPS:
                self.ids[Mark.FLIPPED].append(row.case_id)
        elif not reviewed:
            self.ids[Mark.UNREAD].append(row.case_id)
            if not owed:
                self.ids[Mark.UNREAD_FOR_GOOD].append(row.case_id)

    def _voices(self, case: str, standing: Standing) -> None:
        self.numbers[Number.DIFFERING] += standing.differ
        if standing.disputed:
            self.ids[Mark.DISPUTED].append(case)

    def _money(self, row: RowEvidence, verdict: Verdict | None, *, missing: bool) -> None:
        if missing or verdict is None:
            self.ids[Mark.UNCLEAR].append(row.case_id)
            if is_empty(row):
                self.ids[Mark.EMPTY].append(row.case_id)
        elif verdict == "baseline":
            self.ids[Mark.LOST].append(row.case_id)

    def _tools(self, row: RowEvidence) -> None:
        signed = row.standing.tools if self.people and row.standing is not None else None
        if row.tools is ToolState.BROKEN:
            self.ids[Mark.BROKEN].append(row.case_id)
        elif row.tools is ToolState.CHANGED:
            self.ids[_BY_SIGNATURE[signed]].append(row.case_id)
            if signed is not None and row.standing is not None:
                self.signers.add(row.standing.signed_by)


_BY_SIGNATURE: Mapping[Literal["ok", "bad"] | None, Mark] = {
    None: Mark.UNSIGNED,
    "ok": Mark.SIGNED,
    "bad": Mark.REFUSED,
}


def _lead(counts: Mapping[str, int]) -> int:
    return counts.get("candidate", 0) - counts.get("baseline", 0)
