"""From lines to rows: lines that say the same of a case, its candidates and nights, are one row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from bothways.engine.errors import DataError, Place
from bothways.engine.exchange.line import Line
from bothways.engine.facts import Answer, Case, JsonObject
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow

__all__ = ["rows_of"]


def rows_of(lines: Iterable[tuple[Place, Line]]) -> Iterator[ImportedRow]:
    """Stream the rows; DataError where a later night contradicts the row that it belongs to."""
    for _, group in groupby(lines, key=lambda one: one[1].case.id):
        rows: list[_Row] = []
        for place, line in group:
            nearest = sorted(rows, key=lambda row: not row.answered_by(line.other[0]))
            if not any(row.joined(line, place) for row in nearest):
                rows.append(_Row(line))
        for row in rows:
            yield row.imported()


class _Row:
    """One row while its lines come in. The answer in front, which a run freezes, is kept once."""

    def __init__(self, line: Line) -> None:
        self._case = line.case
        self._front = line.front[0]
        self._answers = [ImportedAnswer(*line.front), ImportedAnswer(*line.other, line.night)]
        self._passes: list[ImportedPass] = list(line.passes)
        self._labels = line.labels
        self._reviews: list[JsonObject] = list(line.reviews)
        self._voted = line.voted

    def imported(self) -> ImportedRow:
        """Return what came together."""
        return ImportedRow(
            self._case, tuple(self._answers), tuple(self._passes), self._labels, tuple(self._reviews)
        )

    def joined(self, line: Line, place: Place) -> bool:
        """Take a further candidate or night in; false where the line is a row of its own.

        Votes belong to the pair they stand beside, so that a row with votes has one candidate.
        """
        if line.front[0] != self._front:
            return False
        another_night = self.answered_by(line.other[0])
        if not another_night and (self._voted or line.voted):
            return False
        problem = self._contradiction(line)
        if problem and another_night:
            raise DataError(place, problem, "what the earlier line of this pair says")
        if problem or not (another_night or self._knows(line.front[1])):
            return False
        if not self._knows(line.front[1]):
            self._answers.append(ImportedAnswer(*line.front, line.night))
        self._answers.append(ImportedAnswer(*line.other, line.night))
        self._passes += line.passes
        self._reviews += line.reviews
        return True

    def answered_by(self, variant: str) -> bool:
        """Whether an answer of this variant is in it: its further nights belong here and nowhere else."""
        return any(one.variant == variant for one in self._answers)

    def _contradiction(self, line: Line) -> str:
        if _bare(self._case) != _bare(line.case):
            return "another case under the same pair_id"
        if line.voted:
            return "votes on another night's line"
        fronts = [one for one in self._answers if one[::2] == (self._front, line.night)]
        if fronts and not self._knows(line.front[1]):
            return f"another answer of {self._front!r} on the same night"
        return ""

    def _knows(self, front: Answer) -> bool:
        return any(one.variant == self._front and one.answer == front for one in self._answers)


def _bare(case: Case) -> tuple[object, ...]:
    """A case without what stood beside the votes, which only the first line of a pair has."""
    extra = {name: value for name, value in case.extra.items() if name != "humans"}
    said = (case.context, case.reference, case.high_stakes, case.tool_rules, case.checks)
    return (case.messages, *said, dict(case.tags), extra)
