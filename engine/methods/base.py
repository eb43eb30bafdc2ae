"""What every way of comparing is to the engine: which passes a row needs, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bothways.engine.facts import Case
from bothways.engine.ledger import AnswerRef, PassUnit
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = ["Comparison", "Method", "Row"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Answers that a row has to have judged together: of which variants, on which night."""

    variants: tuple[str, ...]
    night: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison of one row whose answers are there, in the order of its variants."""

    row_id: int
    case: Case
    comparison: Comparison
    answers: tuple[AnswerRef, ...]
    take: int = 1
    repeat: int = 1


class Method(Protocol):
    """One way of comparing, made for one experiment."""

    def comparisons(self, nights: int) -> tuple[Comparison, ...]:
        """Return what has to be compared on every row; nothing where nobody judges."""
        ...

    def orders(self, comparison: Comparison) -> tuple[tuple[str, ...], ...]:
        """Return the orders in which the judge is shown a comparison, one a pass."""
        ...

    def passes(self, row: Row) -> tuple[PassUnit, ...]:
        """Return the passes that a row needs, keyed by what the judge sees."""
        ...

    def outcome(self, verdicts: Sequence[Verdict | None]) -> tuple[Outcome, Side | None]:
        """Return what a row's passes add up to, and who won.

        There is a verdict for each pass that was tried, mapped to the sides; None could not be read. What is
        pending or an error is settled before this, several nights after it.
        """
        ...
