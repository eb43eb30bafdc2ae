"""What passes say, mapped to the sides, and what the passes of a row add up to."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

__all__ = ["FLIPS", "READABLE", "Outcome", "Side", "Verdict"]

Side: TypeAlias = Literal["baseline", "candidate"]
Verdict: TypeAlias = Literal["baseline", "candidate", "tie"]


class Outcome(StrEnum):
    """What a row's passes add up to (the judge alone; a person's review is beside it, in `Standing`)."""

    WIN = "win"
    TIE = "tie"
    FLIP_HARD = "flip_hard"
    FLIP_SOFT = "flip_soft"
    FLIP_NIGHTS = "flip_nights"
    UNANSWERED = "unanswered"
    ERROR = "error"
    ONE_PASS = "one_pass"
    PENDING = "pending"


READABLE = (Outcome.WIN, Outcome.TIE, Outcome.FLIP_HARD, Outcome.FLIP_SOFT, Outcome.FLIP_NIGHTS)
"""Outcomes of rows with two readable passes."""

FLIPS = (Outcome.FLIP_HARD, Outcome.FLIP_SOFT, Outcome.FLIP_NIGHTS)
