"""How far a judge agrees with people, and people with each other.

Krippendorff's α for nominal labels is written out here: it is twelve lines over counts, where the library of
that name would bring numpy into a command that needs no arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from bothways.engine.analysis.choose import choose, choose_judge
from bothways.engine.analysis.sides import SideRow, SideTally, side_rows, tally_sides
from bothways.engine.analysis.stats import cohen_kappa
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, Label

__all__ = ["Agreement", "Match", "agreement", "krippendorff_alpha", "majority"]


@dataclass(frozen=True, slots=True)
class Match:
    """Two raters over the rows that both labelled."""

    n: int
    agree: int
    kappa: float | None

    def as_json(self) -> JsonObject:
        """Return the counts with the agreement; None where no row has both labels."""
        return {
            "n": self.n,
            "agree": self.agree,
            "agreement": round(self.agree / self.n, 6) if self.n else None,
            "kappa": None if self.kappa is None else round(self.kappa, 6),
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge against people in three readings, each pair of annotators, and all of them together.

    `people_say` is what the rows' people say in all: the majority where there are several.
    """

    experiment: str
    judge: str
    tally: SideTally
    readings: Mapping[str, Match]
    people: Mapping[tuple[str, str], Match]
    people_say: Mapping[str, int]
    alpha: float | None

    def as_json(self) -> JsonObject:
        """Return it as JSON; names are a contract."""
        return {
            "experiment": self.experiment,
            "judge": self.judge,
            "judge_vs_people": {name: match.as_json() for name, match in self.readings.items()},
            "people": [{"a": a, "b": b, **match.as_json()} for (a, b), match in self.people.items()],
            "people_say": dict(self.people_say),
            "krippendorff_alpha": None if self.alpha is None else round(self.alpha, 6),
            "tally": self.tally.as_json(),
        }


def agreement(
    facts: Facts, experiment: str, judge: str | None = None, candidate: str | None = None
) -> Agreement:
    """Compare one judge with the labels that came with the rows; UsageError where the judge must be named.

    With `candidate` only the rows that compare it with the baseline count; without, every row of the file.
    """
    info = facts.specs(experiment)[0]
    named = choose_judge(info, facts.spec(info.id), judge)
    rows = list(side_rows(facts, experiment, named))
    if candidate is not None:
        spec = choose(facts, experiment, candidate=candidate, judge=judge).experiment
        compared = {spec.baseline.name, candidate}
        rows = [row for row in rows if {row.a, row.b} == compared]
    votes = _votes(facts.labels(info.id), {row.row_id: row for row in rows})
    said = {row_id: majority(row.values()) for row_id, row in votes.items() if row}
    annotators = sorted({name for row in votes.values() for name in row})
    return Agreement(
        experiment=experiment,
        judge=named,
        tally=tally_sides(rows),
        readings=_readings(rows, said),
        people={pair: _match([(v[pair[0]], v[pair[1]]) for v in votes.values() if v.keys() >= set(pair)])
                for pair in combinations(annotators, 2)},
        people_say=Counter(said.values()),
        alpha=krippendorff_alpha([list(row.values()) for row in votes.values()]),
    )  # fmt: skip


def majority(verdicts: Iterable[str]) -> str:
    """Return what most say; where no verdict has more votes than every other, people are level: a tie."""
    ranked = Counter(verdicts).most_common(2)
    level = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return "tie" if level else ranked[0][0]


def krippendorff_alpha(units: Iterable[Sequence[str]]) -> float | None:
    """Return Krippendorff's α, nominal: exact; None where nothing can be paired or all labels are one."""
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    totals: Counter[str] = sum(counted, Counter())
    n = totals.total()
    apart = sum(
        (
            Fraction(unit.total() ** 2 - sum(c * c for c in unit.values()), unit.total() - 1)
            for unit in counted
        ),
        Fraction(0),
    )
    expected = n * n - sum(count * count for count in totals.values())
    return float(1 - (n - 1) * apart / expected) if expected else None


def _votes(labels: Iterable[Label], rows: Mapping[int, SideRow]) -> dict[int, dict[str, str]]:
    """Sort the votes by row and annotator, as A, B or tie."""
    votes: dict[int, dict[str, str]] = {}
    for label in labels:
        row = rows.get(label.row_id)
        if row is not None and label.verdict is not None:
            side = {row.a: "A", row.b: "B", "tie": "tie"}[label.verdict]
            votes.setdefault(label.row_id, {})[label.annotator] = side
    return votes


def _readings(rows: Iterable[SideRow], said: Mapping[int, str]) -> dict[str, Match]:
    """Compare the first pass alone, the stable rows, and all valid rows with a flip read as a tie."""
    known = [(row, said[row.row_id]) for row in rows if row.row_id in said]
    valid = [(row, person) for row, person in known if row.valid]
    return {
        "first_pass": _match([(row.first, person) for row, person in known if row.first is not None]),
        "stable_only": _match([(row.stable, person) for row, person in valid if row.stable is not None]),
        "unstable_as_tie": _match([(row.stable or "tie", person) for row, person in valid]),
    }


def _match(pairs: Sequence[tuple[str | None, str]]) -> Match:
    return Match(len(pairs), sum(a == b for a, b in pairs), cohen_kappa(pairs))
