"""What comes in with a file of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bothways.engine.facts import Answer, Case, JsonObject, PassResult

__all__ = ["ImportedAnswer", "ImportedPass", "ImportedRow"]


class ImportedAnswer(NamedTuple):
    """One answer of a row that came in with a file."""

    variant: str
    answer: Answer
    night: int = 1


class ImportedPass(NamedTuple):
    """One pass that came in with a file: the judge, the variants in the order shown, and what was said."""

    judge: str
    shown: tuple[str, ...]
    result: PassResult
    night: int = 1
    take: int = 1


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One row of a file of pairs: everything that it says, mapped to variant names.

    `answers` are in the file's order (the baseline first, where one is named). `labels` hold annotator,
    verdict (a variant, "tie" or None) and note. `reviews` are bodies of review records, with `seq`, `at` and
    `hash` as they had them at home.
    """

    case: Case
    answers: tuple[ImportedAnswer, ...]
    passes: tuple[ImportedPass, ...] = ()
    labels: tuple[tuple[str, str | None, str], ...] = ()
    reviews: tuple[JsonObject, ...] = ()
