"""The signs of a row, each with its word: what the queue, the line above the answers and `--plain` show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bothways.app.desk.review.known import Known
    from bothways.widgets.plain import Tone

__all__ = ["DECIDES", "DONE", "Sign", "of_row", "short"]


class Sign(NamedTuple):
    """One sign, the word that stands beside it where there is room, and its tone."""

    sign: str
    word: str
    tone: Tone

    def __str__(self) -> str:
        return f"{self.sign} {self.word}"


STAKES = Sign("!", "high stakes", "warn")
DECIDES = Sign("±", "could decide", "accent")
WAITS = Sign("·", "waits", "warn")
DONE = Sign("✓", "decided", "good")
NOTED = Sign("n", "noted", "good")


def of_row(row: Known) -> tuple[Sign, ...]:
    """Return what is to be said of a row before anything else: its stakes, and whether it could decide."""
    said = ((STAKES, row.high_stakes), (DECIDES, row.decides and row.open))
    return tuple(sign for sign, holds in said if holds)


def short(row: Known) -> tuple[str, Tone]:
    """Return a row's state in two letters: whether it waits, and whether it could decide or has a note."""
    state = DONE if not row.open else STAKES if row.high_stakes else WAITS
    more = DECIDES.sign if row.decides else NOTED.sign if row.note else " "
    return f"{state.sign}{more}", state.tone
