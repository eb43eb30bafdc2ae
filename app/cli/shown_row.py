"""One row as plain text, for a reader without a screen: as much of it as they may know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bothways.app.desk.review.known import Known, others_voted
from bothways.app.desk.review.told import verdict_words
from bothways.engine.analysis.afresh import afresh, counting
from bothways.engine.facts import TIE, Answer
from bothways.engine.judging.meant import meant
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from bothways.engine.analysis.model import Evidence, RowEvidence
    from bothways.engine.ledger import RowDetail
    from bothways.engine.verdicts import Side

__all__ = ["shown_row"]


def shown_row(
    detail: RowDetail, row: RowEvidence, evidence: Evidence, sides: tuple[Side, Side], known: Known
) -> str:
    """Return what was asked, both answers, and, unless it is hidden, what the judge and people said."""
    names = evidence.names
    parts = [f"Asked: {detail.case.input}"]
    parts += [f"Context: {detail.case.context}"] if detail.case.context else []
    parts += [f"Reference: {detail.case.reference}"] if detail.case.reference else []
    for place, side in zip(("left", "right"), sides, strict=True):
        whose = "" if known.veiled else f": {names[side]}, the {side}"
        parts.append(f"--- {place}{whose}\n{_answer(detail.newest(names[side]))}")
    if known.veiled:
        parts.append("Blind: names and judge are hidden until you vote.")
    else:
        now = afresh(row, detail, evidence)
        parts.append("--- passes\n" + "\n".join(_passes(detail, evidence)))
        parts.append(f"Adds up to: {now.outcome.value.replace('_', ' ')} {now.winner or ''}".rstrip())
    return "\n".join([*parts, *_said(known, evidence)])


def _said(known: Known, evidence: Evidence) -> Iterator[str]:
    for voice in known.voices:
        said = verdict_words(evidence, voice.verdict, both_bad=voice.both_bad)
        yield f"Said so far: {said}, by {voice.reviewer}"
    if known.mine is None and known.others:
        yield f"{others_voted(known.others)}."


def _answer(answer: Answer | None) -> str:
    if answer is None:
        return "(not tried yet)"
    if answer.failure:
        return f"(no answer: {answer.failure.kind.value}: {answer.failure.message})"
    calls = [f"tool: {call.name} {visible_line(str(call.arguments))}" for call in answer.tool_calls]
    return "\n".join([answer.shown, *calls])


def _passes(detail: RowDetail, evidence: Evidence) -> Iterator[str]:
    for unit, result in counting(detail, evidence):
        if result is None:
            verdict = "pending"
        elif result.choice is None:
            verdict = "unreadable"
        else:
            verdict = "tie" if result.choice == TIE else unit.shown[result.choice]
        said = meant(result.rationale, unit.shown) if result else ""
        yield f"{unit.shown[0]} shown first: {verdict}. {said}".rstrip()
