"""The queue as a list shows it: filtered, and each row painted only when it is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from bothways.engine.analysis.model import Outcome, RowEvidence, ToolState
from bothways.engine.analysis.queue import QueueItem
from bothways.widgets.listing import Cells, Column
from bothways.widgets.plain import Run, Tone

__all__ = ["COLUMNS", "QueueRows", "matches", "verdict_word"]

COLUMNS = (Column("", 2), Column("row"), Column("why", 14), Column("judge", 6), Column("final", 5))
_OUTCOMES: dict[Outcome, str] = {
    Outcome.FLIP_HARD: "FLIP", Outcome.FLIP_SOFT: "flip", Outcome.FLIP_NIGHTS: "nights", Outcome.TIE: "tie",
    Outcome.UNANSWERED: "none", Outcome.ERROR: "error", Outcome.ONE_PASS: "1 pass", Outcome.PENDING: "…",
}  # fmt: skip


def verdict_word(row: RowEvidence) -> str:
    """Return what the judge made of a row in at most six letters: base, cand, tie, FLIP (hard), flip …"""
    if row.outcome is Outcome.WIN:
        return "cand" if row.winner == "candidate" else "base"
    return _OUTCOMES[row.outcome]


def _final_word(row: RowEvidence) -> Run:
    standing = row.standing
    if standing is None:
        return Run("")
    if standing.verdict is not None:
        word = (
            "bad"
            if standing.both_bad
            else {"baseline": "base", "candidate": "cand", "tie": "tie"}[standing.verdict]
        )
        agrees: Tone = "good" if standing.verdict == row.judged else "accent"
        return Run(word, agrees)
    return Run("skip" if standing.skipped else "note" if standing.note else "", "muted")


class QueueRows(Sequence[Cells]):
    """The rows of the queue as cells, made one by one as they are looked at."""

    def __init__(self, items: Sequence[QueueItem], row_of: Callable[[QueueItem], RowEvidence]) -> None:
        self._items = items
        self._row_of = row_of

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Cells: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cells]: ...
    def __getitem__(self, index: int | slice) -> Cells | Sequence[Cells]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        item = self._items[index]
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


def matches(words: Sequence[str], item: QueueItem, row: RowEvidence) -> bool:
    """Whether a row has every word of a filter: `is:flip`, `judge:tie`, `tag:refund`, or plain text."""
    return all(_matches(word.casefold(), item, row) for word in words)


def _matches(word: str, item: QueueItem, row: RowEvidence) -> bool:
    name, _, value = word.partition(":")
    if name == "is" and value:
        states = {"open": not item.done, "done": item.done, "stakes": row.high_stakes}
        return states.get(value, value in item.reason.casefold() or value in row.outcome.value)
    if name == "judge" and value:
        return value in verdict_word(row).casefold() or value == row.judged
    if name == "final" and value:
        return value == row.final
    tags = [f"{key}:{tag}".casefold() for key, tag in row.tags.items()]
    if name == "tag" and value:
        return any(value in tag for tag in tags)
    return (
        word in row.case_id.casefold() or word in item.reason.casefold() or any(word in tag for tag in tags)
    )
