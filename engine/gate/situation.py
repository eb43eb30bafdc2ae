"""Everything that the conditions look at, counted in one walk over the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
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

__all__ = ["Situation", "situation"]


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
    return Situation(
        evidence=evidence,
        close=close,
        votes=Votes.of(found.votes),
        settled=Votes.of(found.settled),
        **{name: tuple(ids) for name, ids in found.ids.items()},
        differing=found.differing,
        high_stakes=found.high_stakes,
        readable=found.readable,
        unreviewed=found.unreviewed,
        calling=found.calling,
        signers=tuple(sorted(found.signers)),
    )


class _Sorted:
    """Collects what one walk over the rows finds."""

    def __init__(self, *, asks: bool, people: bool) -> None:
        self.asks = asks
        self.people = people
        self.votes: Counter[Verdict | None] = Counter()
        self.settled: Counter[Verdict | None] = Counter()
        self.signers: set[str] = set()
        self.high_stakes = self.readable = self.unreviewed = self.calling = self.differing = 0
        names = (
            "required", "missing", "coming", "unsigned", "pending", "lost", "unclear", "empty", "unread",
            "unread_for_good", "silent", "broken", "refused", "signed", "flipped", "disputed",
        )  # fmt: skip
        self.ids: dict[str, list[str]] = {name: [] for name in names}

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
                like[kind] = one, [self.ids[name] for name, cases in one.ids.items() if cases]
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
        for name in ("high_stakes", "readable", "unreviewed", "calling", "differing"):
            setattr(self, name, getattr(self, name) + times * getattr(one, name))

    def add(self, row: RowEvidence) -> None:
        """Sort one row in."""
        standing = row.standing if self.people else None
        reviewed = standing is not None and standing.verdict is not None
        verdict = row.final if self.people else row.judged
        missing = self.asks and lacks_verdict(row)
        self.votes[verdict] += 1
        self.settled[None if missing else verdict] += 1
        self.unreviewed += not reviewed
        ids, case = self.ids, row.case_id
        coming = False
        if missing:
            ids["missing"].append(case)
        if row.outcome is Outcome.PENDING and verdict is None:
            ids["pending"].append(case)
            if self.asks and row.high_stakes:
                coming = True
                ids["coming"].append(case)
        self._passes(row, reviewed=reviewed, owed=missing or coming)
        if row.high_stakes:
            self.high_stakes += 1
            self._money(row, verdict, missing=missing)
        if row.failed == ("candidate",):
            ids["silent"].append(case)
        if (self.asks and row.high_stakes and not is_empty(row)) or (
            self.people and row.tools is ToolState.CHANGED
        ):
            ids["required"].append(case)
        if row.tools is not ToolState.NONE:
            self.calling += 1
            self._tools(row)
        if standing is not None:
            self._voices(case, standing)

    def _passes(self, row: RowEvidence, *, reviewed: bool, owed: bool) -> None:
        if row.outcome in READABLE:
            self.readable += 1
            if row.outcome in FLIPS:
                self.ids["flipped"].append(row.case_id)
        elif not reviewed:
            self.ids["unread"].append(row.case_id)
            if not owed:
                self.ids["unread_for_good"].append(row.case_id)

    def _voices(self, case: str, standing: Standing) -> None:
        self.differing += standing.differ
        if standing.disputed:
            self.ids["disputed"].append(case)

    def _money(self, row: RowEvidence, verdict: Verdict | None, *, missing: bool) -> None:
        if missing or verdict is None:
            self.ids["unclear"].append(row.case_id)
            if is_empty(row):
                self.ids["empty"].append(row.case_id)
        elif verdict == "baseline":
            self.ids["lost"].append(row.case_id)

    def _tools(self, row: RowEvidence) -> None:
        signed = row.standing.tools if self.people and row.standing is not None else None
        if row.tools is ToolState.BROKEN:
            self.ids["broken"].append(row.case_id)
        elif row.tools is ToolState.CHANGED:
            self.ids[_BY_SIGNATURE[signed]].append(row.case_id)
            if signed is not None and row.standing is not None:
                self.signers.add(row.standing.signed_by)


_BY_SIGNATURE: Mapping[Literal["ok", "bad"] | None, str] = {
    None: "unsigned",
    "ok": "signed",
    "bad": "refused",
}


def _lead(counts: Mapping[str, int]) -> int:
    return counts.get("candidate", 0) - counts.get("baseline", 0)
