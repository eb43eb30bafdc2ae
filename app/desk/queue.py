"""The queue as a list shows it: filtered, and each row painted only when it is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from bothways.app.desk.filter import verdict_word
from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.gate.queue import QueueItem
from bothways.widgets.listing import Cells, Column
from bothways.widgets.plain import Run, Tone

__all__ = ["COLUMNS", "QueueRows"]

COLUMNS = (
    Column("", 2), Column("row", keep_end=6), Column("why", 14), Column("judge", 6, from_width=42),
    Column("final", 8, from_width=50),
)  # fmt: skip


def _final_word(row: RowEvidence) -> Run:
    standing = row.standing
    if standing is None:
        return Run("")
    if standing.verdict is not None:
        word = (
            "both bad"
            if standing.both_bad
            else {"baseline": "base", "candidate": "cand", "tie": "tie"}[standing.verdict]
        )
        agrees: Tone = "good" if standing.verdict == row.judged else "accent"
        return Run(word, agrees)
    return Run("skip" if standing.skipped else "note" if standing.note else "", "muted")


class QueueRows(Sequence[Cells]):
    """The rows of the queue as cells, made one by one as they are looked at."""

    def __init__(self, items: Sequence[QueueItem], row_of: Callable[[QueueItem], RowEvidence]) -> None:
        self.items = items
        self._row_of = row_of

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Cells: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cells]: ...
    def __getitem__(self, index: int | slice) -> Cells | Sequence[Cells]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        item = self.items[index]
        row = self._row_of(item)
        tools: Run = Run(" T", "warn") if row.tools in (ToolState.CHANGED, ToolState.BROKEN) else Run("")
        open_ = "!" if row.high_stakes else "·"
        decides = "±" if item.decides else " "
        sign = Run(f"✓{decides}", "good") if item.done else Run(f"{open_}{decides}", "warn")
        why: Tone = "muted" if item.done else ""
        return (
            sign,
            Run(row.case_id, "strong"),
            Run(item.reason + tools.text, why),
            Run(verdict_word(row)),
            _final_word(row),
        )
