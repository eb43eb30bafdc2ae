"""The rows that matter, in full: required, disputed, overridden, lost, flipped, or with other tool calls.

A page stays readable, and of a size that can be mailed: so many rows, so much of a text. What is left out is
counted, so that every renderer can say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.tools import align, compare
from bothways.engine.facts import Answer, Case
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Facts, RowDetail
from bothways.engine.report.fixes import is_lost
from bothways.engine.report.said import (
    Acts,
    PassSaid,
    ReviewSaid,
    acts_by_case,
    judge_said,
    people_said,
)
from bothways.engine.rules import Call
from bothways.engine.text import counted, visible
from bothways.engine.verdicts import FLIPS, Outcome

__all__ = [
    "MOST_IN_ALL", "MOST_ROWS", "MOST_TEXT", "CallLine", "Card", "Matters", "Text", "matters", "reasons",
    "verdict_words",
]  # fmt: skip

MOST_ROWS = 200
"""Rows shown in full."""
MOST_TEXT = 20_000
"""Characters shown of one text."""
MOST_IN_ALL = 3_000_000
"""Characters of all rows shown in full, after which no further row is begun."""

_ORDER = (
    "required review", "disputed", "overridden", "lost", "both bad", "tool calls", "flipped", "unanswered",
    "no answer",
)  # fmt: skip


class Text(NamedTuple):
    """The beginning of a text, made safe to show, and how many characters are not shown."""

    shown: str
    left: int = 0

    @classmethod
    def of(cls, written: str) -> Text:
        """Take as much of a text as a report shows."""
        return cls(visible(written[:MOST_TEXT]), max(0, len(written) - MOST_TEXT))

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.shown)


class CallLine(NamedTuple):
    """One line of both sides' tool calls beside each other; "" where a side has no such call."""

    baseline: Text
    candidate: Text
    change: Literal["same", "arguments", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Card:
    """One row in full; `why` says what makes it matter. `failed` stands in place of an answer."""

    position: int
    case: str
    why: tuple[str, ...]
    high_stakes: bool
    tags: tuple[str, ...]
    judge: str
    final: str
    asked: tuple[tuple[str, Text], ...]
    context: Text
    reference: Text
    baseline: Text
    candidate: Text
    failures: tuple[str, str]
    calls: tuple[CallLine, ...]
    call_reasons: tuple[str, ...]
    passes: tuple[PassSaid, ...]
    reviews: tuple[ReviewSaid, ...]

    @property
    def size(self) -> int:
        """Characters of everything that was written for it."""
        texts = [
            self.context,
            self.reference,
            self.baseline,
            self.candidate,
            *(text for _, text in self.asked),
        ]
        texts += [side for call in self.calls for side in (call.baseline, call.candidate)]
        notes = sum(len(said.note) + len(said.reason) for said in self.reviews)
        return (
            sum(len(text.shown) for text in texts) + notes + sum(len(said.rationale) for said in self.passes)
        )


class Matters(NamedTuple):
    """The rows shown in full, the worst first, and how many more matter."""

    cards: tuple[Card, ...]
    left: int

    @property
    def told(self) -> str:
        """What is left out, as a sentence; "" where nothing is."""
        if not self.left:
            return ""
        more = counted(self.left, "more row matters and stands", "more rows matter and stand")
        return f"{more} only in the list of all rows: bothways export writes every row in full."


def matters(evidence: Evidence, result: GateResult, facts: Facts) -> Matters:
    """Read the rows that matter, the worst first."""
    why = {row.row_id: found for row in evidence.rows if (found := reasons(row, result))}
    rows = [row for row in evidence.rows if row.row_id in why]
    rows.sort(key=lambda row: (_ORDER.index(why[row.row_id][0]), not row.high_stakes, row.position))
    acts = acts_by_case(facts, evidence)
    cards: list[Card] = []
    size = 0
    for row in rows[:MOST_ROWS]:
        if size > MOST_IN_ALL:
            break
        cards.append(_card(row, facts.row(row.row_id), evidence, acts, why[row.row_id]))
        size += cards[-1].size
    return Matters(tuple(cards), len(rows) - len(cards))


def reasons(row: RowEvidence, result: GateResult) -> tuple[str, ...]:
    """Say why a row matters, the weightiest reason first; nothing where it does not."""
    reviews = cast("dict[str, object]", result.figures["reviews"])
    disputed = cast("list[str]", reviews.get("disputed", []))
    said = row.standing is not None and row.standing.verdict is not None
    true = {
        "required review": row.case_id in result.required,
        "disputed": row.case_id in disputed,
        "overridden": said and row.judged is not None and row.final != row.judged,
        "lost": row.final == "baseline",
        "both bad": is_lost(row) and row.final != "baseline",
        "tool calls": row.other_tools,
        "flipped": row.outcome in FLIPS,
        "unanswered": row.outcome is Outcome.UNANSWERED,
        "no answer": row.outcome is Outcome.ERROR,
    }
    return tuple(name for name in _ORDER if true[name])


def verdict_words(row: RowEvidence, evidence: Evidence) -> tuple[str, str]:
    """Return what the judge and what everybody together said of a row, by the names of the variants."""
    judge = evidence.said(row.judged) if row.judged else row.outcome.value.replace("_", " ")
    both_bad = row.standing is not None and row.standing.both_bad
    return judge, evidence.said(row.final, both_bad=both_bad) if row.final else "undecided"


def _card(row: RowEvidence, detail: RowDetail, evidence: Evidence, acts: Acts, why: tuple[str, ...]) -> Card:
    old, new = detail.newest(evidence.experiment.baseline.name), detail.newest(evidence.candidate)
    judge, final = verdict_words(row, evidence)
    calls, call_reasons = _calls(old, new, detail.case, evidence)
    return Card(
        position=row.position,
        case=row.case_id,
        why=why,
        high_stakes=row.high_stakes,
        tags=tuple(f"{name}: {value}" if value else name for name, value in row.tags.items()),
        judge=judge,
        final=final,
        asked=tuple((message.role, Text.of(message.content)) for message in detail.case.messages),
        context=Text.of(detail.case.context),
        reference=Text.of(detail.case.reference),
        baseline=Text.of(old.shown if old else ""),
        candidate=Text.of(new.shown if new else ""),
        failures=(_failure(old), _failure(new)),
        calls=calls,
        call_reasons=call_reasons,
        passes=tuple(_shortened(said) for said in judge_said(detail, evidence)),
        reviews=tuple(people_said(acts.get(row.case_id, ()), evidence)),
    )


def _failure(answer: Answer | None) -> str:
    if answer is None:
        return "not tried yet"
    return f"{answer.failure.kind}: {answer.failure.message}" if answer.failure else ""


def _shortened(said: PassSaid) -> PassSaid:
    text = Text.of(said.rationale)
    more = f" … ({text.left} more characters)" if text.left else ""
    return said._replace(rationale=text.shown + more)


def _calls(
    old: Answer | None, new: Answer | None, case: Case, evidence: Evidence
) -> tuple[tuple[CallLine, ...], tuple[str, ...]]:
    """Lay both sides' tool calls beside each other, with a sentence for each difference that counts."""
    before, after = ([Call.of(call) for call in answer.tool_calls] if answer else [] for answer in (old, new))
    if not before and not after:
        return (), ()
    lines = (
        CallLine(_call(line.baseline), _call(line.candidate), line.change) for line in align(before, after)
    )
    return tuple(lines), compare(before, after, case.tool_rules, writes=evidence.experiment.writes).reasons


def _call(call: Call | None) -> Text:
    return Text.of(f"{call.name} {call.arguments}") if call else Text("")
