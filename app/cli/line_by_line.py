"""The review without a screen: one queued row after the other, a key and Enter for each.

For screen readers, pipes and logs: rows go to stdout, the question to stderr, keys come from stdin.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bothways.app.cli.streams import put, say
from bothways.app.reading import reading
from bothways.engine.analysis.afresh import afresh
from bothways.engine.analysis.queue import QueueItem, queue
from bothways.engine.clock import now
from bothways.engine.errors import RefusedError
from bothways.engine.facts import TIE, Answer
from bothways.engine.review import Act, act
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bothways.engine.analysis.model import Evidence, RowEvidence
    from bothways.engine.gate.model import GateResult
    from bothways.engine.ledger import RowDetail
    from bothways.store import Store

__all__ = ["walk"]

ACTS = {
    "b": Act.BASELINE, "c": Act.CANDIDATE, "t": Act.TIE, "x": Act.BOTH_BAD, "y": Act.CONFIRM, "s": Act.SKIP,
    "o": Act.TOOLS_OK, "w": Act.TOOLS_BAD, "u": Act.UNDO,
}  # fmt: skip
KEYS = (
    "b baseline better, c candidate better, t equal, x both bad, y confirm the judge, s skip, "
    "o tools ok, w tools wrong, u undo, n next, q quit; text after the key is your note"
)


def walk(store: Store, experiment: str, *, candidate: str | None, judge: str | None, reviewer: str) -> None:
    """Show each row that is still to be read and record what is typed, until the queue or stdin ends."""
    with reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, _):
        left = [item for item in queue(evidence, result) if not item.done]
    say(f"{len(left)} rows to read. {KEYS}")
    rows = {row.row_id: row for row in evidence.rows}
    for number, item in enumerate(left, 1):
        put(f"[{number}/{len(left)}] {item.case_id}: {item.reason}. {item.detail}".rstrip(". "))
        if not _ask(store, evidence, result, rows[item.row_id], item, reviewer):
            break
    _say_where(store, experiment, evidence)


def _ask(
    store: Store, evidence: Evidence, result: GateResult, row: RowEvidence, item: QueueItem, reviewer: str
) -> bool:
    """Show a row and ask until it is dealt with; False where the person leaves."""
    detail = _show(store, row, evidence)
    for line in _lines():
        key, _, note = line.strip().partition(" ")
        if key == "q":
            return False
        if key == "n":
            return True
        what = ACTS.get(key)
        if what is None:
            say(f"{key!r} is no key. {KEYS}")
            continue
        try:
            with store.writing():
                at = now()
                body = act(
                    store, evidence, result, row, what,
                    reviewer=reviewer, note=note, reason=note, at=at, shown=detail,
                )  # fmt: skip
                store.append("review", body, at)
        except RefusedError as error:
            say(". ".join(part for part in (error.title, error.cause, error.next_step) if part))
            if store.row(row.row_id) != detail:
                detail = _show(store, row, evidence)
            continue
        say(f"{item.case_id}: {what.value} by {reviewer}")
        if what not in (Act.TOOLS_OK, Act.TOOLS_BAD, Act.UNDO):  # the verdict is still to be given
            return True
    return False


def _lines() -> Iterator[str]:
    while True:
        sys.stderr.write("> ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            say("")
            return
        yield line


def _say_where(store: Store, experiment: str, evidence: Evidence) -> None:
    judge = evidence.judge or None
    with reading(store, experiment, candidate=evidence.candidate, judge=judge) as (again, result, _):
        left = sum(not item.done for item in queue(again, result))
    say(f"{left} rows left to read; the gate says {result.decision.words}.")


def _show(store: Store, row: RowEvidence, evidence: Evidence) -> RowDetail:
    detail = store.row(row.row_id)
    put(_shown(detail, afresh(row, detail, evidence), evidence))
    return detail


def _shown(detail: RowDetail, row: RowEvidence, evidence: Evidence) -> str:
    names = (evidence.experiment.baseline.name, evidence.candidate)
    parts = [f"Asked: {detail.case.input}"]
    parts += [f"Context: {detail.case.context}"] if detail.case.context else []
    parts += [f"Reference: {detail.case.reference}"] if detail.case.reference else []
    for side, name in zip(("baseline", "candidate"), names, strict=True):
        parts.append(f"--- {side}: {name}\n{_answer(detail.newest(name))}")
    parts.append("--- passes\n" + "\n".join(_passes(detail, evidence, names)))
    parts.append(f"Adds up to: {row.outcome.value.replace('_', ' ')} {row.winner or ''}".rstrip())
    return "\n".join(parts)


def _answer(answer: Answer | None) -> str:
    if answer is None:
        return "(not tried yet)"
    if answer.failure:
        return f"(no answer: {answer.failure.kind.value}: {answer.failure.message})"
    calls = [f"tool: {call.name} {visible_line(str(call.arguments))}" for call in answer.tool_calls]
    return "\n".join([answer.shown, *calls])


def _passes(detail: RowDetail, evidence: Evidence, names: tuple[str, str]) -> Iterator[str]:
    for unit, result, _ in detail.passes:
        if unit.judge != evidence.judge or set(unit.shown) != set(names):
            continue
        if result is None:
            verdict = "pending"
        elif result.choice is None:
            verdict = "unreadable"
        else:
            verdict = "tie" if result.choice == TIE else unit.shown[result.choice]
        yield f"{unit.shown[0]} shown first: {verdict}. {result.rationale if result else ''}".rstrip()
