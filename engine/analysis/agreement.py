"""How far a judge agrees with people, and people with each other: by labels of a file, and by reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bothways.engine.analysis.choose import choose, choose_judge
from bothways.engine.analysis.raters import Match, krippendorff_alpha, majority, match, pairwise
from bothways.engine.analysis.reviewers import Reviewers, reviewers
from bothways.engine.analysis.sides import SideRow, SideTally, side_rows, tally_sides
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, Label

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge against people in three readings, each pair of annotators, all of them together; and reviewers.

    `people_say` is what the rows' people say in all: the majority where there are several.
    """

    experiment: str
    baseline: str
    judge: str
    tally: SideTally
    readings: Mapping[str, Match]
    people: Mapping[tuple[str, str], Match]
    people_say: Mapping[str, int]
    alpha: float | None
    reviewers: Reviewers

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
            **self.reviewers.as_json(),
        }


def agreement(
    facts: Facts, experiment: str, judge: str | None = None, candidate: str | None = None
) -> Agreement:
    """Compare one judge with the labels that came with the rows, and with the reviews that were made of them.

    UsageError where the judge must be named. With `candidate` only the rows that compare it with the baseline
    count; without, every row of the file.
    """
    info = facts.specs(experiment)[0]
    asked = facts.spec(info.id)
    named = choose_judge(info, asked, judge)
    rows = list(side_rows(facts, experiment, named))
    if candidate is not None:
        spec = choose(facts, experiment, candidate=candidate, judge=judge).experiment
        compared = {spec.baseline.name, candidate}
        rows = [row for row in rows if {row.a, row.b} == compared]
    votes = _votes(facts.labels(info.id), {row.row_id: row for row in rows})
    said = {row_id: majority(row.values()) for row_id, row in votes.items() if row}
    return Agreement(
        experiment=experiment,
        baseline=asked.baseline.name,
        judge=named,
        tally=tally_sides(rows),
        readings=_readings(rows, said),
        people=pairwise(votes.values()),
        people_say=Counter(said.values()),
        alpha=krippendorff_alpha([list(row.values()) for row in votes.values()]),
        reviewers=reviewers(facts, info, named, candidate),
    )


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
        "first_pass": match([(row.first, person) for row, person in known if row.first is not None]),
        "stable_only": match([(row.stable, person) for row, person in valid if row.stable is not None]),
        "unstable_as_tie": match([(row.stable or "tie", person) for row, person in valid]),
    }
