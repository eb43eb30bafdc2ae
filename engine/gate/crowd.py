"""All rows by what the conditions can tell of them, and the situation as a sum over these kinds.

The gate can so be asked "what if so many of these rows had a verdict" without walking over the rows again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.required import asks_verdict
from bothways.engine.gate.situation import Situation, situation
from bothways.engine.standing import Rule, Standing
from bothways.engine.verdicts import FLIPS, Outcome

__all__ = ["Crowd", "Kind", "Move", "Said"]

Said: TypeAlias = Literal["candidate", "baseline", "ok", "bad"]
"""A verdict on a row, or a signature under its tool difference."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows that no condition can tell apart: one of them, and the ids of all."""

    row: RowEvidence
    cases: tuple[str, ...]
    required: bool
    rule: Rule

    @property
    def open(self) -> bool:
        """Whether people can say who is better: it was tried and answered, and no verdict counts yet."""
        return not self.row.spoken and self.row.outcome is not Outcome.PENDING and len(self.row.failed) < 2

    @property
    def unsigned(self) -> bool:
        """Whether its tool difference waits for a signature."""
        return self.row.unsigned

    @property
    def words(self) -> str:
        """What the rows have in common, for people."""
        if self.required:
            return "required"
        if self.row.disputed:
            return "disputed"
        stakes = "high-stakes, " if self.row.high_stakes else ""
        if self.row.judged is not None:
            return f"{stakes}judged {'equal' if self.row.judged == 'tie' else f'for the {self.row.judged}'}"
        return stakes + ("flipped" if self.row.outcome in FLIPS else self.row.outcome.value.replace("_", " "))

    def acts(self, said: Said) -> int:
        """Return how many people have to say this of one of its rows until it counts."""
        if self.row.standing is None or said == "ok" or said == "bad":
            return 1
        return self.rule.lacks(self.row.standing.voices, said)

    def after(self, said: Said) -> RowEvidence:
        """Return one of its rows once so many have said this that it counts."""
        standing = self.row.standing or Standing()
        if said == "ok" or said == "bad":
            return self.row._replace(standing=standing._replace(tools=said))
        return self.row._replace(standing=standing._replace(verdict=said, disputed=False))


class Move(NamedTuple):
    """Something that can be said of every row of a kind, and by how much one of them changes the counts.

    `each` is how many people have to say it of a row.
    """

    said: Said
    kind: Kind
    by: Counter[str]
    each: int


class Crowd:
    """The rows of one comparison, by kind."""

    def __init__(self, evidence: Evidence, *, close: bool) -> None:
        self._evidence = evidence
        self._close = close
        asked = asks_verdict(evidence, close=close)
        alike: dict[Hashable, list[RowEvidence]] = {}
        rule = Rule.of(evidence.experiment.review)
        for row in evidence.rows:
            alike.setdefault(_likeness(row, rule), []).append(row)
        self.kinds = [
            Kind(rows[0], tuple(row.case_id for row in rows), asked and rows[0].high_stakes, rule)
            for rows in alike.values()
        ]
        self._now: Counter[str] = Counter()
        for kind in self.kinds:
            for name, count in self._counts(kind.row).items():
                self._now[name] += count * len(kind.cases)

    def move(self, said: Said, kind: Kind) -> Move:
        """Return what it does to the counts when this is said of a row of a kind."""
        by = self._counts(kind.after(said))
        by.subtract(self._counts(kind.row))
        return Move(said, kind, by, kind.acts(said))

    def after(self, made: Iterable[tuple[Move, int]]) -> Situation:
        """Return the situation once each move was made so many times."""
        total = self._now.copy()
        for move, times in made:
            for name, by in move.by.items():
                total[name] += by * times
        return _situated(self._evidence, total, close=self._close)

    def _counts(self, row: RowEvidence) -> Counter[str]:
        return _counted(situation(replace(self._evidence, rows=(row,)), close=self._close))


def _likeness(row: RowEvidence, rule: Rule) -> Hashable:
    standing = row.standing or Standing()
    lacks = tuple(rule.lacks(standing.voices, side) for side in _SIDES) if standing.disputed else ()
    return (
        row.high_stakes, row.outcome, row.winner, row.failed, row.tools, standing.verdict, standing.tools,
        standing.disputed, standing.differ, lacks,
    )  # fmt: skip


_SIDES: tuple[Literal["candidate", "baseline"], ...] = ("candidate", "baseline")
_VOTES = ("votes", "settled")
_NUMBERS = ("differing", "high_stakes", "readable", "unreviewed", "calling")
_LISTS = tuple(f.name for f in fields(Situation) if f.name not in ("evidence", "close", *_VOTES, *_NUMBERS))


def _counted(one: Situation) -> Counter[str]:
    """Return a situation as numbers that can be added up."""
    counts = Counter({name: len(getattr(one, name)) for name in _LISTS})
    counts.update({name: getattr(one, name) for name in _NUMBERS})
    for name in _VOTES:
        votes: Votes = getattr(one, name)
        counts.update({f"{name} {side}": getattr(votes, side) for side in ("candidate", "baseline", "tie")})
    return counts


def _situated(evidence: Evidence, counts: Counter[str], *, close: bool) -> Situation:
    """Return the situation of these numbers; conditions ask how many cases there are, not which."""
    votes, settled = (
        Votes(counts[f"{name} candidate"], counts[f"{name} baseline"], counts[f"{name} tie"])
        for name in _VOTES
    )
    return Situation(
        evidence=evidence,
        close=close,
        votes=votes,
        settled=settled,
        differing=counts["differing"],
        high_stakes=counts["high_stakes"],
        readable=counts["readable"],
        unreviewed=counts["unreviewed"],
        calling=counts["calling"],
        **{name: ("",) * counts[name] for name in _LISTS},
    )
