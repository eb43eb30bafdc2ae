"""The review without a screen: one queued row after the other, a key and Enter for each.

For screen readers, pipes and logs: rows go to stdout, the question to stderr, keys come from stdin. The keys
are those of the desk.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from bothways.app.cli.streams import put, say
from bothways.app.desk.keys import Key as DeskKey
from bothways.app.desk.keys import key_named, press, shown
from bothways.app.desk.session import Key, ReviewSession, load
from bothways.app.reading import reading
from bothways.engine.analysis.afresh import afresh
from bothways.engine.clock import now
from bothways.engine.errors import RefusedError
from bothways.engine.facts import TIE, Answer
from bothways.engine.gate.queue import queue
from bothways.engine.review import Act
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bothways.engine.analysis.model import Evidence, RowEvidence
    from bothways.engine.ledger import RowDetail
    from bothways.engine.verdicts import Side
    from bothways.store import Store

__all__ = ["walk"]

_VERDICTS: dict[str, Key] = {
    "review.left": "left", "review.right": "right", "review.equal": "equal", "review.both_bad": "both bad",
}  # fmt: skip
_ACTS = {
    "review.confirm": Act.CONFIRM, "review.skip": Act.SKIP, "review.note": Act.NOTE, "review.undo": Act.UNDO,
    "review.redo": Act.REDO,
}  # fmt: skip
_TOOLS = {"ok": Act.TOOLS_OK, "bad": Act.TOOLS_BAD}
_STEPS: dict[str, tuple[Literal[1, -1], bool]] = {
    "review.next_open": (1, True), "review.previous_open": (-1, True), "review.next": (1, False),
    "review.previous": (-1, False),
}  # fmt: skip
_HERE = (*_VERDICTS, *_ACTS, "review.tools", *_STEPS, "review.swap", "desk.help", "desk.quit")
"""What the table of keys has that needs no screen."""


def _letters(key: DeskKey) -> list[str]:
    """Return what a key is called here: what can be typed into a line."""
    names = [shown(name) for name in key.keys.split(",")]
    return [name for name in names if len(name) == 1] or names


_STAYS = (Act.NOTE, Act.TOOLS_OK, Act.TOOLS_BAD, Act.UNDO, Act.REDO)
"""Acts that leave the reader on the row: its verdict is still to be given, or to be looked at again."""


def walk(store: Store, experiment: str, *, candidate: str | None, judge: str | None, reviewer: str) -> None:
    """Show the rows that are still to be read and record what is typed, until q or the end of stdin."""
    look = load(store, experiment, candidate, judge)
    left = [item.case_id for item in look.items if not item.done]
    say(
        f"{len(left)} rows to read. A key and enter; words behind it are your reason or note. "
        f"{press('desk.help')} lists keys."
    )
    _Walk(store, ReviewSession(look, only=left), reviewer).go()
    _say_where(store, experiment, look.evidence)


def _keys() -> str:
    """Return the keys that work here, from the desk's table."""
    lines = []
    for id in _HERE:
        key = key_named(id)
        more = f": {key.shown} ok, or {key.shown} bad" if id == "review.tools" else ""
        lines.append(f"  {' or '.join(_letters(key))}  {key.label}{more}")
    return "\n".join(lines)


class _Walk:
    """One reader's way through the rows of a session."""

    def __init__(self, store: Store, session: ReviewSession, reviewer: str) -> None:
        self._store = store
        self._session = session
        self._reviewer = reviewer
        self._ids = {letter: id for id in _HERE for letter in _letters(key_named(id))}

    def go(self) -> None:
        """Show a row and do what is typed, over and over."""
        self._show()
        for line in _lines():
            key, _, words = line.strip().partition(" ")
            id = self._ids.get(key)
            if id == "desk.quit":
                return
            if id is None:
                say(f"{key!r} is no key; {press('desk.help')} lists them.")
            else:
                self._do(id, words.strip())

    def _do(self, id: str, words: str) -> None:
        session = self._session
        if id == "desk.help":
            say(_keys())
        elif id == "review.swap":
            session.swapped = not session.swapped
            self._show()
        elif id in _STEPS:
            self._step(*_STEPS[id])
        elif id == "review.tools":
            word, _, note = words.partition(" ")
            if word in _TOOLS:
                self._act(_TOOLS[word], note)
            else:
                key = press("review.tools")
                say(f"Say {key} ok, or {key} bad.")
        else:
            self._act(session.meant(_VERDICTS[id]) if id in _VERDICTS else _ACTS[id], words)

    def _step(self, by: Literal[1, -1], undecided: bool) -> None:
        if self._session.step(by, undecided=undecided):
            self._show()
        else:
            what = "undecided row" if undecided else "row"
            say(f"There is no {what} {'below' if by > 0 else 'above'}.")

    def _act(self, what: Act, words: str) -> None:
        try:
            case_id = self._save(what, words)
        except RefusedError as error:
            say(". ".join(part for part in (error.title, error.cause, error.next_step) if part))
            shown_last = self._session.shown
            if shown_last is not None and self._store.row(shown_last.row_id) != shown_last:
                self._show()
            return
        say(f"{case_id}: {what.value} by {self._reviewer}")
        if what in (Act.UNDO, Act.REDO):
            self._show()
        elif what not in _STAYS:
            if self._session.advance():
                self._show()
            else:
                undo, back, leave = map(press, ("review.undo", "review.previous", "desk.quit"))
                say(f"Every row is decided. {undo} takes back, {back} goes back, {leave} leaves.")

    def _save(self, what: Act, words: str) -> str:
        """Put an act on record and return whose row it was."""
        session, store = self._session, self._store
        if what is Act.UNDO or what is Act.REDO:
            session.retrace(store, what, self._reviewer)
        with store.writing():
            at = now()
            body = session.body(store, what, reviewer=self._reviewer, note=words, reason=words, at=at)
            record = store.append("review", body, at)
        row = session.current
        session.took(record, store.row(row.row_id))
        return row.case_id

    def _show(self) -> None:
        session, item, row = self._session, self._session.item, self._session.row
        if item is None or row is None:
            return
        detail = session.shown = self._store.row(row.row_id)
        where = f"[{session.at + 1}/{len(session.items)}] {item.case_id}: {item.reason}. {item.detail}"
        put(where.rstrip(". "))
        put(_shown(detail, afresh(row, detail, session.evidence), session.evidence, session.sides))


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


def _shown(detail: RowDetail, row: RowEvidence, evidence: Evidence, sides: tuple[Side, Side]) -> str:
    names = {"baseline": evidence.experiment.baseline.name, "candidate": evidence.candidate}
    parts = [f"Asked: {detail.case.input}"]
    parts += [f"Context: {detail.case.context}"] if detail.case.context else []
    parts += [f"Reference: {detail.case.reference}"] if detail.case.reference else []
    for place, side in zip(("left", "right"), sides, strict=True):
        parts.append(f"--- {place}: {names[side]}, the {side}\n{_answer(detail.newest(names[side]))}")
    parts.append("--- passes\n" + "\n".join(_passes(detail, evidence, set(names.values()))))
    parts.append(f"Adds up to: {row.outcome.value.replace('_', ' ')} {row.winner or ''}".rstrip())
    if (standing := row.standing) is not None and standing.verdict is not None:
        said = "both bad (counts as a tie)" if standing.both_bad else standing.verdict
        parts.append(f"Said so far: {said}, by {standing.reviewer}")
    return "\n".join(parts)


def _answer(answer: Answer | None) -> str:
    if answer is None:
        return "(not tried yet)"
    if answer.failure:
        return f"(no answer: {answer.failure.kind.value}: {answer.failure.message})"
    calls = [f"tool: {call.name} {visible_line(str(call.arguments))}" for call in answer.tool_calls]
    return "\n".join([answer.shown, *calls])


def _passes(detail: RowDetail, evidence: Evidence, names: set[str]) -> Iterator[str]:
    for unit, result, _ in detail.passes:
        if unit.judge != evidence.judge or set(unit.shown) != names:
            continue
        if result is None:
            verdict = "pending"
        elif result.choice is None:
            verdict = "unreadable"
        else:
            verdict = "tie" if result.choice == TIE else unit.shown[result.choice]
        yield f"{unit.shown[0]} shown first: {verdict}. {result.rationale if result else ''}".rstrip()
