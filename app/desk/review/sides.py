"""Whose answer stands left, and whose right."""

from __future__ import annotations

from bothways.app.desk.review.reader import Reader
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.lots import sides
from bothways.engine.verdicts import Side

__all__ = ["Sides"]


class Sides:
    """The sides of one sitting: the baseline left, unless swapped; by lot where a row is, or was, read blind.

    A lot that was shown stays: what the reader sees does not turn around when they tell their name. Nor is
    forgotten which rows they had before them with names and judge, wherever in the sitting: `unveiled`, by
    row and candidate. No vote on these is blind any more.
    """

    def __init__(self, unveiled: set[tuple[int, str]]) -> None:
        self._turned = False
        self._swapped: set[int] = set()
        self._unveiled = unveiled
        self._drawn: dict[tuple[int, int], tuple[Side, Side]] = {}

    def of(self, row: RowEvidence, evidence: Evidence, reader: Reader) -> tuple[Side, Side]:
        """Return whose answer is left, and whose is right, on a row that is shown now."""
        if not reader.veiled(row):
            self._unveiled.add((row.row_id, evidence.candidate))
        left: Side = "baseline"
        right: Side = "candidate"
        swapped = self._turned
        if _by_lot(row, reader):
            left, right = self._lot(row, evidence, reader)
            swapped = row.row_id in self._swapped
        return (right, left) if swapped else (left, right)

    def told(self, row: RowEvidence, evidence: Evidence) -> bool:
        """Whether a row was shown with names and judge."""
        return (row.row_id, evidence.candidate) in self._unveiled

    def swap(self, row: RowEvidence, reader: Reader) -> None:
        """Swap the sides: of this row where they are drawn by lot, of all rows else."""
        if _by_lot(row, reader):
            self._swapped ^= {row.row_id}
        else:
            self._turned = not self._turned

    def _lot(self, row: RowEvidence, evidence: Evidence, reader: Reader) -> tuple[Side, Side]:
        look = 2 if reader.looks_again(row) else 1
        key = (row.row_id, look)
        if key not in self._drawn:
            name = evidence.experiment.name
            self._drawn[key] = sides(name, evidence.candidate, row.case_id, reader.name, look)
        return self._drawn[key]


def _by_lot(row: RowEvidence, reader: Reader) -> bool:
    return reader.blind or reader.looks_again(row)
