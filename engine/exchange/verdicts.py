"""What every row of an experiment adds up to, by case, candidate and judge: beside what was said of it."""

from __future__ import annotations

from typing import NamedTuple

from bothways.engine.analysis.choose import judges_of
from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts

__all__ = ["COLUMNS", "Verdicts"]

COLUMNS = (
    "judge", "outcome", "judge_verdict", "human_verdict", "final_verdict", "source", "reviewer", "time",
    "note", "blind",
)  # fmt: skip


class _Key(NamedTuple):
    case: str
    candidate: str
    judge: str


class Verdicts:
    """The conclusions on all rows of one experiment, each computed as the gate computes it."""

    def __init__(self, facts: Facts, spec_id: int) -> None:
        spec = facts.spec(spec_id)
        info = facts.specs(spec.name)[0]
        self._baseline = spec.baseline.name
        self._judges = judges_of(info, spec) or [""]
        self._rows: dict[_Key, RowEvidence] = {}
        for candidate in spec.candidates:
            for judge in self._judges:
                found = gather(facts, spec.name, candidate=candidate.name, judge=judge or None, today=info.at)
                for row in found.rows:
                    self._rows[_Key(row.case_id, candidate.name, judge)] = row

    def of(self, case: str, sides: tuple[str, str], judge: str | None) -> JsonObject:
        """Return what a row adds up to by one judge, under the names of `COLUMNS`.

        Where there are several judges and None is named, only what people said stands in it. A pair without
        the baseline is no row of any gate: it adds up to nothing.
        """
        one = judge if judge in self._judges else self._judges[0] if len(self._judges) == 1 else None
        candidate = next((name for name in reversed(sides) if name != self._baseline), "")
        row = self._rows.get(_Key(case, candidate, one or self._judges[0]))
        if row is None or self._baseline not in sides:
            return {}
        names = {"baseline": self._baseline, "candidate": candidate, "tie": "tie"}
        standing = row.standing if row.standing is not None and row.standing.verdict else None
        judged = names[row.judged] if row.judged and one is not None else None
        human = names[standing.verdict] if standing and standing.verdict else None
        found: JsonObject = {
            "human_verdict": "both-bad" if standing and standing.both_bad else human,
            "final_verdict": human or (None if row.disputed else judged),
            "source": "human" if human else "judge" if judged and not row.disputed else "",
        }
        if one is not None:
            found |= {"judge": one, "outcome": row.outcome.value, "judge_verdict": judged}
        if row.standing is not None:
            found["note"] = row.standing.note
        if standing:
            counts = next(voice for voice in standing.voices if voice.reviewer == standing.reviewer)
            found |= {"reviewer": counts.reviewer, "time": counts.at, "blind": counts.blind}
        return found
