"""One row of the queue as far as its reader may know it: all that list, filter and order are made of.

Who has not voted yet knows nobody else's verdict; in blind mode they do not know the judge's either. What is
not in here cannot be shown, searched for or sorted by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bothways.engine.analysis.model import RowEvidence
from bothways.engine.standing import Voice
from bothways.engine.text import agreeing, counted
from bothways.engine.verdicts import Outcome, Verdict

__all__ = ["Known", "Own", "others_voted", "side_word", "verdict_word"]

_OUTCOMES: dict[Outcome, str] = {
    Outcome.FLIP_HARD: "FLIP", Outcome.FLIP_SOFT: "flip", Outcome.FLIP_NIGHTS: "nights", Outcome.TIE: "tie",
    Outcome.UNANSWERED: "none", Outcome.ERROR: "error", Outcome.ONE_PASS: "1 pass", Outcome.PENDING: "…",
}  # fmt: skip
_SIDES: Mapping[Verdict, str] = {"baseline": "base", "candidate": "cand", "tie": "tie"}


class Own(NamedTuple):
    """What the reader did to a row, besides the verdict in force.

    `seen` is whether they ever voted on it: names once revealed stay known, also after an undo.
    """

    seen: bool = False
    note: str = ""
    skipped: str = ""


class Known(NamedTuple):
    """What may be shown of one row to one reader.

    `open` is whether it waits for this reader. Where `veiled`, the fields about the judge are empty. `voices`
    are the verdicts that may be seen, `mine` the reader's own, `others` how many others have voted.
    """

    row_id: int
    case_id: str
    position: int
    tags: Mapping[str, str]
    high_stakes: bool
    reason: str
    detail: str
    open: bool
    veiled: bool = False
    second: bool = False
    decides: bool = False
    other_tools: bool = False
    signed: str = ""
    outcome: str = ""
    judge: str = ""
    judged: Verdict | None = None
    final: Verdict | None = None
    both_bad: bool = False
    voices: tuple[Voice, ...] = ()
    mine: Voice | None = None
    others: int = 0
    disputed: bool = False
    note: str = ""
    skipped: str = ""


def side_word(verdict: Verdict, *, both_bad: bool = False) -> str:
    """Return a verdict in a few letters: base, cand, tie, both bad."""
    return "both bad" if both_bad else _SIDES[verdict]


def verdict_word(row: RowEvidence) -> str:
    """Return what the judge made of a row in at most six letters: base, cand, tie, FLIP (hard), flip …"""
    if row.outcome is Outcome.WIN and row.winner is not None:
        return _SIDES[row.winner]
    return _OUTCOMES[row.outcome]


def others_voted(count: int) -> str:
    """Say how many others have voted, without what they said."""
    return f"{counted(count, 'other')} {agreeing(count, 'has', 'have')} voted"
