"""Everything that the conditions look at, counted in one walk over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bothways.engine.analysis.model import FLIPS, READABLE, Evidence, Outcome, RowEvidence, ToolState, Verdict
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.completions import OpenVotes
from bothways.engine.gate.required import asks_verdict, lacks_signature, lacks_verdict
from bothways.engine.spec.model import GateSettings

__all__ = ["Situation", "situation"]


@dataclass(frozen=True, slots=True)
class Situation:
    """The rows, sorted by what they mean to the conditions.

    `votes` are all verdicts as they stand now; `settled` are those that no required review can change.
    `missing` wait for a verdict, `unsigned` for a signature under their tool difference. The case ids in
    `lost` and `unclear` are high-stakes rows; those in `unread` have neither two readable passes nor a
    review.
    """

    evidence: Evidence
    close: bool
    votes: Votes
    settled: Votes
    required: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    """Cases that the candidate left without an answer where the baseline gave one."""
    broken: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Cases whose tool difference a person signed as bad."""
    flipped: tuple[str, ...] = ()
    high_stakes: int = 0
    readable: int = 0
    """Rows with two readable passes: what a flip rate is a share of."""
    unreviewed: int = 0

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
        return OpenVotes(self.settled, len(self.missing), len(self.pending))

    def reviewed(self, row: RowEvidence, verdict: Verdict) -> Situation:
        """Return the situation after a person gave `verdict` on a row that nobody has reviewed."""
        was, case = row.judged, row.case_id
        settled = self.settled
        if case not in self.missing:
            settled = _moved(settled, was, verdict)
        else:
            settled = _moved(settled, None, verdict)
        lost = _without(self.lost, case)
        return replace(
            self,
            votes=_moved(self.votes, was, verdict),
            settled=settled,
            missing=_without(self.missing, case),
            pending=_without(self.pending, case),
            lost=(*lost, case) if row.high_stakes and verdict == "baseline" else lost,
            unclear=_without(self.unclear, case),
            unread=_without(self.unread, case),
            unreviewed=self.unreviewed - 1,
        )


def situation(evidence: Evidence, *, close: bool, people: bool = True) -> Situation:
    """Sort the rows; with `people` False as if nobody had given a verdict and none were required."""
    asks = people and asks_verdict(evidence, close=close)
    found = _Sorted(asks=asks, people=people)
    for row in evidence.rows:
        found.add(row)
    return Situation(
        evidence=evidence,
        close=close,
        votes=Votes.of(found.votes),
        settled=Votes.of(found.settled),
        **{name: tuple(ids) for name, ids in found.ids.items()},
        high_stakes=found.high_stakes,
        readable=found.readable,
        unreviewed=found.unreviewed,
    )


class _Sorted:
    """Collects what one walk over the rows finds."""

    def __init__(self, *, asks: bool, people: bool) -> None:
        self.asks = asks
        self.people = people
        self.votes: list[Verdict | None] = []
        self.settled: list[Verdict | None] = []
        self.high_stakes = self.readable = self.unreviewed = 0
        names = (
            "required", "missing", "unsigned", "pending", "lost", "unclear", "unread", "silent", "broken",
            "refused", "flipped",
        )  # fmt: skip
        self.ids: dict[str, list[str]] = {name: [] for name in names}

    def add(self, row: RowEvidence) -> None:
        """Sort one row in."""
        reviewed = self.people and row.standing is not None and row.standing.verdict is not None
        verdict = row.final if self.people else row.judged
        missing = self.asks and lacks_verdict(row)
        self.votes.append(verdict)
        self.settled.append(None if missing else verdict)
        self.unreviewed += not reviewed
        ids, case = self.ids, row.case_id
        if missing:
            ids["missing"].append(case)
        if row.outcome is Outcome.PENDING and verdict is None:
            ids["pending"].append(case)
        if row.outcome in READABLE:
            self.readable += 1
            if row.outcome in FLIPS:
                ids["flipped"].append(case)
        elif not reviewed and not missing:
            ids["unread"].append(case)
        if row.high_stakes:
            self.high_stakes += 1
            self._money(row, verdict, missing=missing)
        if row.failed == ("candidate",):
            ids["silent"].append(case)
        if (self.asks and row.high_stakes) or (self.people and row.tools is ToolState.CHANGED):
            ids["required"].append(case)
        if row.tools is not ToolState.NONE and row.tools is not ToolState.SAME:
            self._tools(row)

    def _money(self, row: RowEvidence, verdict: Verdict | None, *, missing: bool) -> None:
        if missing or verdict is None:
            self.ids["unclear"].append(row.case_id)
        elif verdict == "baseline":
            self.ids["lost"].append(row.case_id)

    def _tools(self, row: RowEvidence) -> None:
        if row.tools is ToolState.BROKEN:
            self.ids["broken"].append(row.case_id)
        elif lacks_signature(row):
            self.ids["unsigned"].append(row.case_id)
        elif row.standing is not None and row.standing.tools == "bad":
            self.ids["refused"].append(row.case_id)


def _moved(votes: Votes, was: Verdict | None, now: Verdict) -> Votes:
    less = {was: -1} if was is not None else {}
    change = {**less, now: less.get(now, 0) + 1}
    return votes.plus(**{str(name): by for name, by in change.items()})


def _without(cases: Sequence[str], case: str) -> tuple[str, ...]:
    return tuple(one for one in cases if one != case)
