"""What every row of an experiment adds up to, by case, candidate and judge: beside what was said of it."""

from __future__ import annotations

from bothways.engine.analysis.afresh import judged_in_full
from bothways.engine.analysis.choose import judges_of
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.outcomes import Asked
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, RowDetail
from bothways.engine.pairs import seen
from bothways.engine.standing import Rule, Standing, fold, standings

__all__ = ["COLUMNS", "Verdicts"]

COLUMNS = (
    "judge", "outcome", "judge_verdict", "human_verdict", "final_verdict", "source", "reviewer", "time",
    "note", "blind",
)  # fmt: skip


class Verdicts:
    """The conclusions on the rows of an experiment, each drawn as the gate draws it, from the row in hand."""

    def __init__(self, facts: Facts, spec_id: int) -> None:
        spec = facts.spec(spec_id)
        self._judges = judges_of(facts.specs(spec.name)[0], spec) or [""]
        self._baseline = spec.baseline.name
        extent = facts.extent(spec_id)
        self._asked = {one.name: Asked.of(spec, one.name, *extent) for one in spec.candidates}
        self._reviews = standings(facts.records(spec.name, "review"))
        self._rule = Rule.of(spec.review)

    def of(self, detail: RowDetail, sides: tuple[str, str], judge: str | None) -> JsonObject:
        """Return what a row adds up to by one judge, under the names of `COLUMNS`.

        Where there are several judges and None is named, only what people said stands in it. A pair without
        the baseline is no row of any gate: it adds up to nothing.
        """
        candidate = next((name for name in reversed(sides) if name != self._baseline), "")
        if self._baseline not in sides or candidate not in self._asked:
            return {}
        one = judge if judge in self._judges else self._judges[0] if len(self._judges) == 1 else None
        row = self._row(detail, candidate, one or self._judges[0])
        standing = row.standing if row.standing is not None and row.standing.verdict else None
        judged = self.named(sides, row.judged) if one is not None else None
        human = self.named(sides, standing.verdict, both_bad=standing.both_bad) if standing else None
        found: JsonObject = {
            "human_verdict": human,
            "final_verdict": self.named(sides, row.final) if human or one is not None else None,
            "source": "human" if human else "judge" if judged and row.final else "",
        }
        if one is not None:
            found |= {"judge": one, "outcome": row.outcome.value, "judge_verdict": judged}
        if row.standing is not None:
            found["note"] = row.standing.note
        if standing:
            found |= {"reviewer": standing.reviewer, "time": standing.at, "blind": standing.blind}
        return found

    def _row(self, detail: RowDetail, candidate: str, judge: str) -> RowEvidence:
        said = judged_in_full(detail, judge, self._asked[candidate])
        case = detail.case
        return RowEvidence(
            detail.row_id,
            case.id,
            detail.position,
            case.tags,
            case.high_stakes is True,
            said.outcome,
            said.winner,
            said.first,
            said.second,
            standing=self._standing(detail, candidate),
        )

    def _standing(self, detail: RowDetail, candidate: str) -> Standing | None:
        acts = self._reviews.get((candidate, detail.case.id))
        stands_on = seen(detail.newest(self._baseline), detail.newest(candidate)) if acts else None
        return fold(acts, stands_on, self._rule) if acts and stands_on else None

    def named(self, sides: tuple[str, str], verdict: str | None, *, both_bad: bool = False) -> str | None:
        """Return a verdict by the name of its variant, as `tie` or `both-bad`; None where there is none."""
        if both_bad:
            return "both-bad"
        others = [name for name in sides if name != self._baseline]
        names = {"baseline": self._baseline, "candidate": others[-1] if others else ""}
        return None if verdict is None else names.get(verdict, verdict)
