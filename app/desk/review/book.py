"""What a reader says, put on record: one transaction for each thing that a person does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bothways.engine.analysis.afresh import afresh
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.errors import RefusedError
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Record, RowDetail, by_case
from bothways.engine.past import about
from bothways.engine.review import Act, Said, Seeing, act
from bothways.engine.standing import in_force, reviews

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.store import Store

__all__ = ["Book", "Bulk"]


@dataclass(frozen=True, slots=True)
class Bulk:
    """The rows that can be confirmed at once, and how many of the rows shown cannot, by why.

    `known` are the numbers of the reviews of these rows that were there when they were chosen.
    """

    rows: tuple[RowEvidence, ...]
    left_out: dict[str, int]
    known: frozenset[int]

    @property
    def rest(self) -> str:
        """How many rows are left out, why, in words; "" where none is."""
        return ", ".join(f"{count:,} {why}" for why, count in self.left_out.items())


class Book:
    """Appends the acts of a session's reader to the chain, and lets the session take them in."""

    def __init__(self, store: Store, session: ReviewSession, now: Callable[[], str]) -> None:
        self._store = store
        self._session = session
        self._now = now

    def say(self, what: Act, *, note: str = "", reason: str = "") -> list[Record]:
        """Act on the current row as it was shown. Raises RefusedError, saying why, where that cannot be."""
        session = self._session
        row, reader = session.work.current, session.reader
        shown = session.shown if session.shown and session.shown.row_id == row.row_id else None
        look: Literal[1, 2] = 2 if row.row_id in reader.due else 1
        seeing = Seeing(shown, session.sides[0], reader.veiled(row), session.unveiled, look)
        with self._store.writing():
            at = self._now()
            said = Said(reader.name, at, note, reason)
            body = self._act(self._read(row.case_id), row, what, said, seeing)
            records = [self._store.append("review", body, at)]
        return self._taken(records)

    def retrace(self, what: Literal["undo", "redo"]) -> list[Record]:
        """Undo the reader's last act, or redo the last one undone, wherever it was, and go there.

        What was confirmed at once is taken back at once, from where the reader is. Raises RefusedError
        where there is nothing.
        """
        session = self._session
        with self._store.writing():
            at = self._now()
            records = self._store.records(session.evidence.experiment.name, "review")
            found = about(records, what, candidate=session.evidence.candidate, reviewer=session.reader.name)
            told = next(record for record in reversed(records) if record.seq == found.seq)
            taken = self._store.append_all("review", list(self._retraced(what, records, told, at)), at)
        if len(taken) == 1:
            session.work.reach(found.case)
        return self._taken(taken)

    def _retraced(
        self, what: Literal["undo", "redo"], records: Sequence[Record], told: Record, at: str
    ) -> Iterable[JsonObject]:
        """Yield the bodies that take back one record, and all that were made with it."""
        mark = told.body.get("bulk")
        together = [one for one in records if one.body.get("bulk") == mark] if mark else [told]
        history = by_case(records)
        live = {review.seq for review in in_force(list(reviews(records)))}
        name = self._session.reader.name
        said = Said(name, at, bulk=f"{what} {at} {name}" if mark else "")
        for one in together:
            case_id = str(one.body["case"])
            row = self._session.work.named(case_id)
            if one.seq in live and row is not None:
                yield self._act(_OneCase(self._store, history[case_id]), row, Act(what), said)

    def _act(
        self, reading: _OneCase, row: RowEvidence, what: Act, said: Said, seeing: Seeing | None = None
    ) -> JsonObject:
        session = self._session
        return act(reading, session.evidence, session.work.result, row, what, said, seeing)

    def bulk(self) -> Bulk:
        """Return which of the rows shown can be confirmed at once: agreed by the judge, and undecided.

        High stakes and the audit are read one by one, and what is hidden cannot be confirmed.
        """
        session = self._session
        rows: list[RowEvidence] = []
        left_out: dict[str, int] = {}
        for item in session.work.items:
            row = session.work.row_of(item)
            reader, audited = session.reader, row.case_id in session.evidence.audit
            why = _not_at_once(row, veiled=reader.veiled(row), waits=reader.waits(item, row), audited=audited)
            if why:
                left_out[why] = left_out.get(why, 0) + 1
            else:
                rows.append(row)
        known = frozenset(record.seq for row in rows for record in session.records_on(row.case_id))
        return Bulk(tuple(rows), left_out, known)

    def confirm(self, bulk: Bulk) -> list[Record]:
        """Confirm the judge on all these rows in one transaction, or, where one has changed, on none.

        The session has still to take the records in: many rows take a while, and this may be in a thread.
        Raises RefusedError naming the first row that is not as it was when the reader agreed to it.
        """
        session = self._session
        with self._store.writing():
            at = self._now()
            history = by_case(self._store.records(session.evidence.experiment.name, "review"))
            name = session.reader.name
            said = Said(name, at, bulk=f"confirm {at} {name}")
            bodies = []
            for row in bulk.rows:
                reading = _OneCase(self._store, history.get(row.case_id, []))
                self._refuse_changed(row, reading, bulk.known)
                bodies.append(self._act(reading, row, Act.CONFIRM, said))
            return self._store.append_all("review", bodies, at)

    def _read(self, case_id: str) -> _OneCase:
        """Read what was said of a case: an act on it is about nothing else, however much was reviewed."""
        name = self._session.evidence.experiment.name
        return _OneCase(self._store, self._store.reviews_of(name, case_id))

    def _refuse_changed(self, row: RowEvidence, reading: _OneCase, known: frozenset[int]) -> None:
        now = afresh(row, reading.row(row.row_id), self._session.evidence)
        if now != row or any(record.seq not in known for record in reading.records("")):
            raise RefusedError(
                f"{row.case_id} is not as it was", "somebody answered, judged or reviewed it meanwhile",
                "nothing was confirmed: look again",
            )  # fmt: skip

    def _taken(self, records: list[Record]) -> list[Record]:
        for record in records:
            self._session.took(record)
        return records


class _OneCase:
    """What an act on one row reads, when many rows are acted on: nobody writes meanwhile."""

    def __init__(self, store: Store, records: Sequence[Record]) -> None:
        self._store = store
        self._records = list(records)

    def row(self, row_id: int) -> RowDetail:
        """Return the row in full."""
        return self._store.row(row_id)

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:  # noqa: ARG002 (one row's reviews are all there is here)
        """Return what was said of the row."""
        return self._records


def _not_at_once(row: RowEvidence, *, veiled: bool, waits: bool, audited: bool) -> str:
    """Say why a row cannot be confirmed together with others; "" where it can."""
    if not waits:
        return "decided already"
    if veiled:
        return "hidden until you vote"
    if row.judged is None:
        return "not agreed"
    if row.high_stakes:
        return "high stakes: read one by one"
    if audited:
        return "drawn for the audit: read one by one"
    if row.unsigned:
        return "tool difference not signed"
    return ""
