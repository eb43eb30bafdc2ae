"""One judge over all rows of a file, as A and B: rows of many variants have no one candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.choose import choose_judge
from bothways.engine.analysis.model import FirstShown
from bothways.engine.analysis.outcomes import Asked, Judged, judged
from bothways.engine.analysis.stats import share
from bothways.engine.analysis.verdicts import Verdicts
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts
from bothways.engine.ledger.streams import RowStream
from bothways.engine.verdicts import FLIPS, READABLE, Outcome, Verdict

__all__ = ["AB", "SideRow", "SideTally", "side_rows", "tally_sides"]

AB: TypeAlias = Literal["A", "B", "tie"]
_AS: Mapping[Verdict, AB] = {"baseline": "A", "candidate": "B", "tie": "tie"}


class SideRow(NamedTuple):
    """One row: its two variants as A and B, in the place of a baseline and a candidate of it."""

    row_id: int
    a: str
    b: str
    judged: Judged

    @property
    def first(self) -> AB | None:
        """What the pass said that showed A first; None is unreadable or not there."""
        return _as(self.judged.first)

    @property
    def stable(self) -> AB | None:
        """What the row's passes agree on."""
        return "tie" if self.judged.outcome is Outcome.TIE else _as(self.judged.winner)

    @property
    def valid(self) -> bool:
        """Whether the row has two readable passes."""
        return self.judged.outcome in READABLE


@dataclass(frozen=True, slots=True)
class SideTally:
    """The tallies of one judge. `valid` rows have two readable passes."""

    rows: int
    valid: int
    stable: dict[AB, int]
    flips: int
    flips_hard: int
    first_shown: FirstShown
    first: dict[AB, int]
    second: dict[AB, int]

    def as_json(self) -> JsonObject:
        """Return the tallies with their rates; None where there is nothing to divide by."""
        flip_rate, first_shown = share(self.flips, self.valid), share(*self.first_shown)
        return {
            "rows": self.rows,
            "valid": self.valid,
            "stable": _json(self.stable),
            "flips": self.flips,
            "flips_hard": self.flips_hard,
            "flips_soft": self.flips - self.flips_hard,
            "flip_rate": None if flip_rate is None else round(float(flip_rate), 6),
            "first_shown_rate": None if first_shown is None else round(float(first_shown), 6),
            "passes": {"first": _json(self.first), "second": _json(self.second)},
        }


def side_rows(facts: Facts, experiment: str, judge: str | None = None) -> Iterator[SideRow]:
    """Stream every row of the newest spec as A and B, in the order in which the file has its answers."""
    info = facts.specs(experiment)[0]
    spec = facts.spec(info.id)
    named = choose_judge(info, spec, judge)
    extent = facts.extent(info.id)
    answers = RowStream(facts.answers(info.id))
    passes = RowStream(facts.passes(info.id, named))
    for row in facts.rows(info.id):
        given, said = answers.take(row.row_id), passes.take(row.row_id)
        variants = list(dict.fromkeys(fact.variant for fact in given))
        if len(variants) == 2:
            a, b = variants
            left, right = ([fact for fact in given if fact.variant == name] for name in (a, b))
            asked = Asked.of(spec, b, *extent, baseline=a)
            yield SideRow(row.row_id, a, b, judged(left, right, asked.over(said), asked))


def tally_sides(rows: Iterable[SideRow]) -> SideTally:
    """Add up one judge's rows."""
    rows = list(rows)
    verdicts = Verdicts()
    for row in rows:
        verdicts.add(row.judged)
    passes = {order: {_AS[side]: said[side] for side in _AS} for order, said in verdicts.counts().items()}
    stable = Counter(row.stable for row in rows if row.valid)
    outcomes = Counter(row.judged.outcome for row in rows)
    return SideTally(
        rows=len(rows),
        valid=sum(row.valid for row in rows),
        stable={side: stable[side] for side in _AS.values()},
        flips=sum(outcomes[flip] for flip in FLIPS),
        flips_hard=outcomes[Outcome.FLIP_HARD],
        first_shown=verdicts.first_shown(),
        first=passes["first"],
        second=passes["second"],
    )


def _as(verdict: Verdict | None) -> AB | None:
    return None if verdict is None else _AS[verdict]


def _json(counts: Mapping[AB, int]) -> JsonObject:
    return {side: count for side, count in counts.items()}  # noqa: C416 — dict() keeps the narrower key type
