"""Whose eyes a queue is looked at with: what waits for this reader, what they may know before they vote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace

from bothways.app.desk.review.known import Known, Own, verdict_word
from bothways.engine.analysis.consistency import second_looks
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.gate.queue import QueueItem
from bothways.engine.ledger import Record, by_case
from bothways.engine.standing import Review, Standing, in_force, reviews
from bothways.engine.verdicts import Outcome

__all__ = ["Reader"]

_NOTHING = Own()
_SAY = "say which answer is better"


class Reader:
    """One reviewer of one candidate's rows.

    `blind` hides names and the judge for this sitting; an experiment that is blind by its spec stays so.
    `due` are the ids of the rows that come back to them for a second look.
    """

    def __init__(
        self, name: str, evidence: Evidence, records: Sequence[Record], *, blind: bool = False
    ) -> None:
        self._name = name
        self._settings = evidence.experiment.review
        self.blind = blind or self._settings.blind
        again = second_looks(evidence, records, name)
        rows = Rows.of(evidence.rows)
        places = map(rows.place_of, again)
        self.due = frozenset(rows.ids()[place] for place in places if place is not None)
        self._looked: frozenset[int] = frozenset()
        self._candidate = evidence.candidate
        self._audit = evidence.audit
        self._own = self._read(records)

    @property
    def name(self) -> str:
        """Whose eyes: all that a reader knows hangs on it, so that another name is another reader."""
        return self._name

    @property
    def adjudicates(self) -> bool:
        """Whether the reader is the one who settles what others disagree on."""
        return self._settings.policy == "adjudicator" and self.name == self._settings.adjudicator

    def _read(self, records: Iterable[Record]) -> dict[str, Own]:
        """Learn from the records what the reader has done so far."""
        mine = by_case(filter(self._is_mine, records))
        return {case_id: _own(list(reviews(acts))) for case_id, acts in mine.items()}

    def did(self, row: RowEvidence, record: Record, records: Iterable[Record]) -> None:
        """Learn what the records about one row say by now; `record` is the newest."""
        if record.body.get("look") == 2:
            self.due -= {row.row_id}
            self._looked |= {row.row_id}
        self._own[row.case_id] = _own(list(reviews(record for record in records if self._is_mine(record))))

    def still(self) -> Reader:
        """Return the reader as they are by now, who learns of nothing that is done from here on."""
        same = copy(self)
        same._own = dict(self._own)
        return same

    def due_places(self, rows: Rows) -> list[int]:
        """Return the places of the rows that come back for a second look."""
        return [place for place in map(rows.place, sorted(self.due)) if place is not None]

    def apart(self, rows: Rows) -> frozenset[int]:
        """Return the places of the rows that people, or this reader, have done something about.

        What may be known of any other row is known of all that are like it.
        """
        own = (rows.place_of(case_id) for case_id in tuple(self._own))
        places = (*rows.acted_places(), *self.due_places(rows), *own)
        return frozenset(place for place in places if place is not None)

    def looks_again(self, row: RowEvidence) -> bool:
        """Whether a row came back for a second look, which may just have been had."""
        return row.row_id in self.due or row.row_id in self._looked

    def _is_mine(self, record: Record) -> bool:
        body = record.body
        return body.get("reviewer") == self.name and body.get("candidate") == self._candidate

    def own(self, case_id: str) -> Own:
        """Return what the reader did to a case."""
        return self._own.get(case_id, _NOTHING)

    def veiled(self, row: RowEvidence) -> bool:
        """Whether names and the judge are hidden: until the vote, and once more for a second look."""
        return row.row_id in self.due or (self.blind and not self.own(row.case_id).seen)

    def voted(self, row: RowEvidence) -> bool:
        """Whether a verdict of the reader's is in force."""
        standing = row.standing
        return standing is not None and any(voice.reviewer == self.name for voice in standing.voices)

    def unaware(self, evidence: Evidence) -> Evidence:
        """Return the evidence for the queue: a dispute is none to those who have not voted on the row."""
        if self.adjudicates:
            return evidence
        rows = Rows.of(evidence.rows)
        told = {
            place: row.standing._replace(disputed=False)
            for place in rows.acted_places()
            if (row := rows[place]).standing is not None and row.disputed and not self.voted(row)
        }
        return replace(evidence, rows=rows.standing(told))

    def waits(self, item: QueueItem, row: RowEvidence) -> bool:
        """Whether a row waits for this reader, until the gate is asked again."""
        if row.row_id in self.due:
            return True
        standing = row.standing
        if row.unsigned:
            return True
        if item.reason == "tools" and row.case_id not in self._audit:
            return False
        if self._settings.policy == "latest":
            return not row.spoken
        if self.adjudicates:
            return standing is not None and standing.disputed
        return not self.voted(row)

    def reason(self, item: QueueItem, row: RowEvidence) -> str:
        """Return why a row is in the queue, as far as it may be told."""
        if not self.veiled(row):
            return item.reason
        if row.row_id in self.due:
            return "second look"
        if row.outcome is Outcome.PENDING:
            return "pending"
        return "required" if item.reason == "required" else "tools" if row.unsigned else "to read"

    def knows(self, item: QueueItem, row: RowEvidence) -> Known:
        """Return what the reader may know of a row."""
        own, waits = self.own(row.case_id), self.waits(item, row)
        standing = row.standing
        voices = standing.voices if standing is not None else ()
        others = sum(voice.reviewer != self.name for voice in voices)
        what = (row.row_id, row.case_id, row.position, row.tags, row.high_stakes)
        if self.veiled(row):
            reason = self.reason(item, row)
            return Known(
                *what, reason, _asks(item, row, reason), waits,
                veiled=True, second=reason == "second look", other_tools=row.other_tools,
                others=others, note=own.note, skipped=own.skipped,
            )  # fmt: skip
        known = Known(
            *what, item.reason, item.detail, waits,
            decides=item.decides, other_tools=row.other_tools, outcome=row.outcome.value,
            judge=verdict_word(row), judged=row.judged, others=others, note=own.note, skipped=own.skipped,
        )  # fmt: skip
        return known if standing is None else self._with_people(known, standing)

    def _with_people(self, known: Known, standing: Standing) -> Known:
        """Add what others said, as far as the reader may know that: once they have voted themselves."""
        known = known._replace(signed=standing.tools or "", disputed=standing.disputed and self.adjudicates)
        mine = next((voice for voice in standing.voices if voice.reviewer == self.name), None)
        if mine is None:
            return known
        return known._replace(
            final=standing.verdict, both_bad=standing.both_bad, voices=standing.voices, mine=mine,
            disputed=standing.disputed, note=" · ".join(note for _, note in standing.notes) or known.note,
        )  # fmt: skip


def _asks(item: QueueItem, row: RowEvidence, reason: str) -> str:
    """Say what a row would take, without the judge's opinion of it."""
    if reason == "pending":
        return item.detail
    if reason == "second look":
        return f"once more, as if it were new: {_SAY}"
    stakes = "high stakes: " if row.high_stakes else ""
    return f"{stakes}{_SAY}{'; sign its tool difference' if row.unsigned else ''}"


def _own(acts: list[Review]) -> Own:
    live = in_force(acts)
    given = [act for act in acts if act.act in ("verdict", "confirm")]
    notes = [act.note for act in live if act.note]
    skips = [act for act in live if act.act in ("verdict", "confirm", "clear", "skip")]
    skipped = skips[-1] if skips and skips[-1].act == "skip" else None
    return Own(
        seen=bool(given),
        note=notes[-1] if notes else "",
        skipped=(skipped.reason or skipped.note or "skipped") if skipped else "",
    )
