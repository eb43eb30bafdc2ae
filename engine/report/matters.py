"""The rows that matter: required, disputed, overridden, lost, flipped, or with other tool calls.

A page stays readable, and of a size that can be mailed: so many rows, so much of a text. What is left out is
counted, so that every renderer can say so. The fix list is of the lost ones alone, and has all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Facts
from bothways.engine.report.card import Card
from bothways.engine.report.said import acts_by_case
from bothways.engine.text import counted
from bothways.engine.verdicts import FLIPS, Outcome

__all__ = ["MOST_IN_ALL", "MOST_ROWS", "Matters", "is_lost", "lost", "matters"]

MOST_ROWS = 200
"""Rows shown in full."""
MOST_IN_ALL = 3_000_000
"""Characters of all rows shown in full, after which no further row is begun."""

_ORDER = (
    "required review", "disputed", "overridden", "lost", "both bad", "tool calls", "flipped", "unanswered",
    "no answer",
)  # fmt: skip


class Matters(NamedTuple):
    """The rows shown in full, the worst first, and why any row matters, by its id."""

    cards: tuple[Card, ...]
    why: Mapping[int, tuple[str, ...]]

    @property
    def told(self) -> str:
        """What is left out, as a sentence; "" where nothing is."""
        left = len(self.why) - len(self.cards)
        if not left:
            return ""
        more = counted(left, "more row matters and stands", "more rows matter and stand")
        return f"{more} only in the list of all rows: bothways export writes every row in full."


def matters(evidence: Evidence, result: GateResult, facts: Facts) -> Matters:
    """Read the rows that matter, the worst first."""
    required = frozenset(result.required)
    why = {row.row_id: found for row in evidence.rows if (found := _reasons(row, required))}
    rows = [row for row in evidence.rows if row.row_id in why]
    rows.sort(key=lambda row: (_ORDER.index(why[row.row_id][0]), not row.high_stakes, row.position))
    acts = acts_by_case(facts, evidence)
    cards: list[Card] = []
    size = 0
    for row in rows[:MOST_ROWS]:
        if size > MOST_IN_ALL:
            break
        detail = facts.row(row.row_id)
        cards.append(Card(row, detail, evidence, why[row.row_id], acts.get(row.case_id, ())))
        size += cards[-1].size
    return Matters(tuple(cards), why)


def lost(evidence: Evidence, facts: Facts) -> Iterator[Card]:
    """Yield the losing rows, high stakes first, each read when it is asked for."""
    losing = [row for row in evidence.rows if is_lost(row)]
    losing.sort(key=lambda row: (not row.high_stakes, row.position))
    return (Card(row, facts.row(row.row_id), evidence) for row in losing)


def is_lost(row: RowEvidence) -> bool:
    """Say whether the baseline won the row, or a person found both answers bad."""
    return row.final == "baseline" or (row.standing is not None and row.standing.both_bad)


def _reasons(row: RowEvidence, required: Collection[str]) -> tuple[str, ...]:
    """Say why a row matters, the weightiest reason first; nothing where it does not."""
    true = {
        "required review": row.case_id in required,
        "disputed": row.disputed,
        "overridden": row.spoken and row.judged is not None and row.final != row.judged,
        "lost": row.final == "baseline",
        "both bad": is_lost(row) and row.final != "baseline",
        "tool calls": row.other_tools,
        "flipped": row.outcome in FLIPS,
        "unanswered": row.outcome is Outcome.UNANSWERED,
        "no answer": row.outcome is Outcome.ERROR,
    }
    return tuple(name for name in _ORDER if true[name])
