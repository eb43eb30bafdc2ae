"""The queue as a list shows it: filtered, and each row painted only when it is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from bothways.app.desk.review.known import Known, side_word
from bothways.app.desk.review.signs import short
from bothways.engine.gate.queue import QueueItem
from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Run, Tone

__all__ = ["COLUMNS", "QueueRows"]

COLUMNS = (
    Column("", 2), Column("row", keep_end=6), Column("why", 14), Column("judge", 6, from_width=42),
    Column("final", 8, from_width=50),
)  # fmt: skip


class QueueRows(Sequence[Cells]):
    """The rows of the queue as cells, made one by one as they are looked at."""

    def __init__(self, items: Sequence[QueueItem], knows: Callable[[QueueItem], Known]) -> None:
        self.items = items
        self._knows = knows

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Cells: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cells]: ...
    def __getitem__(self, index: int | slice) -> Cells | Sequence[Cells]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return _cells(self._knows(self.items[index]))


def _cells(row: Known) -> Cells:
    tools = " T" if row.other_tools else ""
    why = Run(row.reason + tools, "" if row.open else "muted")
    return (Run(*short(row)), Run(row.case_id, "strong"), why, Run(row.judge), _final(row))


def _final(row: Known) -> Run:
    if row.disputed:
        return Run("differ", "warn")
    if row.final is not None:
        agrees: Tone = "good" if row.final == row.judged else "accent"
        return Run(side_word(row.final, both_bad=row.both_bad), agrees)
    if row.others:
        return Run(f"{row.others} voted", "muted")
    return Run("skip" if row.skipped else "note" if row.note else "", "muted")
