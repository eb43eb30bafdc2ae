"""One judge over all rows of a file, as A and B: rows of many variants have no one candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.choose import choose_judge
from bothways.engine.analysis.stats import share
from bothways.engine.analysis.streams import RowStream
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, PassFact
from bothways.engine.methods.pair import mapped

__all__ = ["AB", "SideRow", "SideTally", "side_rows", "tally_sides"]

AB: TypeAlias = Literal["A", "B", "tie"]


class SideRow(NamedTuple):
    """One row: its two variants as A and B, and what each pass said; `second` showed B first.

    None is unreadable or not there; `passes` are how many are there.
    """

    row_id: int
    a: str
    b: str
    first: AB | None
    second: AB | None
    passes: int

    @property
    def stable(self) -> AB | None:
        """What both passes agree on."""
        return self.first if self.first == self.second else None


@dataclass(frozen=True, slots=True)
class SideTally:
    """The tallies of one judge. `valid` rows have two readable passes; `first_shown` is (named, of)."""

    rows: int
    valid: int
    stable: dict[AB, int]
    flips: int
    flips_hard: int
    first_shown: tuple[int, int]
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
    named = choose_judge(info, facts.spec(info.id), judge)
    answers = RowStream(facts.answers(info.id))
    passes = RowStream(facts.passes(info.id, named))
    for row in facts.rows(info.id):
        variants = list(dict.fromkeys(fact.variant for fact in answers.take(row.row_id)))
        said = passes.take(row.row_id)
        if len(variants) == 2:
            yield _row(row.row_id, variants[0], variants[1], said)


def tally_sides(rows: list[SideRow]) -> SideTally:
    """Add up one judge's rows."""
    valid = [row for row in rows if row.first is not None and row.second is not None]
    flips = [row for row in valid if row.stable is None]
    decisive = [
        (shown, said)
        for row in valid
        for shown, said in (("A", row.first), ("B", row.second))
        if said != "tie"
    ]
    return SideTally(
        rows=len(rows),
        valid=len(valid),
        stable=_count(row.stable for row in valid),
        flips=len(flips),
        flips_hard=sum("tie" not in (row.first, row.second) for row in flips),
        first_shown=(sum(shown == said for shown, said in decisive), len(decisive)),
        first=_count(row.first for row in rows),
        second=_count(row.second for row in rows),
    )


def _row(row_id: int, a: str, b: str, passes: list[PassFact]) -> SideRow:
    names: dict[str, AB] = {a: "A", b: "B"}
    said = {
        fact.shown[0]: mapped(fact.choice, fact.shown, names)
        for fact in passes
        if fact.tried and set(fact.shown) == {a, b}
    }
    return SideRow(row_id, a, b, said.get(a), said.get(b), len(said))


def _json(counts: Mapping[AB, int]) -> JsonObject:
    return {side: count for side, count in counts.items()}  # noqa: C416 — dict() keeps the narrower key type


def _count(verdicts: Iterator[AB | None]) -> dict[AB, int]:
    counts = Counter(verdicts)
    return {"A": counts["A"], "B": counts["B"], "tie": counts["tie"]}
