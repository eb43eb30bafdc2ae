"""What a run writes: plain functions of the journal, each inside a transaction that its caller holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject, PassResult, Reply, dump, load
from bothways.engine.keys import canonical
from bothways.engine.ledger import AnswerRef, AnswerUnit, Busy, Claim, PassUnit, RunState, Unit
from bothways.store.attempts import Attempts, Settled, Settlement
from bothways.store.connection import writing
from bothways.store.liveness import RunLock
from bothways.store.names import Names
from bothways.store.part import Asked
from bothways.store.specs import ask_more, note_judges

__all__ = ["Writes", "start"]

_ASK_ANSWER = """
INSERT INTO row_answers (row_id, slot, night, repeat, variant_id, unit_id)
SELECT ?, ?, ?, ?, ?, id FROM units WHERE key = ?
ON CONFLICT DO UPDATE SET unit_id = excluded.unit_id WHERE unit_id <> excluded.unit_id
"""
_ASK_PASS = """
INSERT INTO row_passes (row_id, night, repeat, take, ord, judge_id, order_id, unit_id)
SELECT ?, ?, ?, ?, ?, ?, ?, id FROM units WHERE key = ?
ON CONFLICT DO UPDATE SET unit_id = excluded.unit_id WHERE unit_id <> excluded.unit_id
"""
_ANSWER_REF = "SELECT id, digest, cost_usd, duration_s FROM answers WHERE id = ?"
_STORED_REPLY = """
SELECT p.body FROM calls c JOIN replies p ON p.call_id = c.id
WHERE c.unit_id = ? AND c.seq = ? AND c.id > ? AND c.request = ? AND p.failure_kind IS NULL
ORDER BY c.id DESC LIMIT 1
"""


def start(db: Database, path: Path, spec_id: int, options: JsonObject, at: str) -> tuple[int, RunLock]:
    """Record a new run and take its lock before anybody can see it; close those that died unheard."""
    with writing(db):
        for (run_id,) in db.execute("SELECT id FROM runs WHERE ended_at IS NULL").fetchall():
            dead = RunLock(path, run_id)
            if not dead.held():
                db.execute("UPDATE runs SET ended_at = ?, state = 'interrupted' WHERE id = ?", (at, run_id))
                dead.free()
        run_id = db.execute(
            "INSERT INTO runs (spec_id, started_at, state, options) VALUES (?, ?, 'running', ?) RETURNING id",
            (spec_id, at, canonical(options)),
        ).fetchone()[0]
        lock = RunLock(path, run_id)
        lock.hold()
    return run_id, lock


class Writes:
    """One run's writes on one connection. `clock` says when something happened."""

    def __init__(self, db: Database, path: Path, spec_id: int, run_id: int, clock: Callable[[], str]) -> None:
        self._db = db
        self._path = path
        self._spec_id = spec_id
        self._run_id = run_id
        self._clock = clock
        self._ended: set[int] = set()

    def ask(self, units: Sequence[Unit]) -> None:
        """Link rows with the units they rely on; the newest link of a place stands."""
        names = Names(self._db)
        answers = [unit for unit in units if isinstance(unit, AnswerUnit)]
        passes = [unit for unit in units if isinstance(unit, PassUnit)]
        write = self._db.conn.executemany
        write(
            "INSERT INTO units (key, kind) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(u.key, _kind(u)) for u in units],
        )
        write(
            _ASK_ANSWER,
            [(u.row_id, u.slot, u.night, u.repeat, names.variant(u.variant), u.key) for u in answers],
        )
        write(
            _ASK_PASS,
            [
                (
                    u.row_id,
                    u.night,
                    u.repeat,
                    u.take,
                    u.order,
                    names.judge(u.judge),
                    names.shown(u.shown),
                    u.key,
                )
                for u in passes
            ],
        )
        note_judges(self._db, self._spec_id, (u.judge for u in passes), names)

    def extend(self, what: Asked) -> None:
        """Ask for one more night, or take, of the experiment."""
        ask_more(self._db, self._spec_id, what, self._clock())

    def begin(self, unit: Unit, seq: int, attempt: int, request: str, free: bool) -> Claim | Reply | Busy:
        """Commit the intent of a call, or say why it must not be made."""
        unit_id = self._unit_id(unit)
        last = Settled.latest(self._db, _stage(unit), unit_id)
        if last is not None and (not last.failed or self._lives(last.run_id)):
            return Busy()
        newest = self._newest_call(unit_id)
        if newest is not None and newest[0] > (last.last_call if last else 0) and self._lives(newest[1]):
            return Busy()
        mark = last.replay_after if last else 0
        stored = self._one(_STORED_REPLY, unit_id, seq, mark, request)
        if stored is not None:
            return load(Reply, stored[0])
        claimed = self._one(
            "INSERT INTO calls (unit_id, seq, attempt, request, free, run_id, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            *(unit_id, seq, attempt, request, int(free), self._run_id, self._clock()),
        )
        return Claim(claimed[0])

    def settle(self, claim: Claim, result: Reply | Failure, cost_usd: float | None) -> None:
        """Write down what a call brought back."""
        if isinstance(result, Failure):
            what: tuple[object, ...] = (result.kind.value, result.message, cost_usd, None)
        else:
            what = (None, None, result.cost_usd, dump(result))
        self._db.execute(
            "INSERT INTO replies (call_id, run_id, at, failure_kind, failure_message, cost_usd, body) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (claim.call_id, self._run_id, self._clock(), *what),
        )

    def withdraw(self, claim: Claim) -> None:
        """Write down that a call was never sent."""
        self.settle(claim, Failure(FailureKind.LOST, "stopped before it was sent"), 0.0)

    def finish_answer(self, unit: AnswerUnit, answer: Answer) -> AnswerRef:
        """Write an answer down; where another run was quicker, its answer stands."""
        unit_id = self._unit_id(unit)
        last = Settled.latest(self._db, "answers", unit_id)
        if last is not None and not last.failed:
            return AnswerRef(*self._one(_ANSWER_REF, last.id))
        attempts = Attempts(self._db)
        number = attempts.answer(unit_id, answer, dump(answer), self._settlement(unit_id, last))
        attempts.write()
        return AnswerRef(number, answer.digest, answer.cost_usd, answer.duration_s)

    def finish_pass(self, unit: PassUnit, result: PassResult) -> None:
        """Write down what a pass said; where another run was quicker, its result stands."""
        unit_id = self._unit_id(unit)
        last = Settled.latest(self._db, "passes", unit_id)
        if last is not None and not last.failed:
            return
        attempts = Attempts(self._db)
        attempts.passed(unit_id, result, dump(result), self._settlement(unit_id, last))
        attempts.write()

    def end(self, state: RunState) -> None:
        """Write down how the run ended."""
        self._db.execute(
            "UPDATE runs SET ended_at = ?, state = ? WHERE id = ?", (self._clock(), state, self._run_id)
        )

    def _settlement(self, unit_id: int, last: Settled | None) -> Settlement:
        """Where the newest call went well, the failure (if it is one) was in what the replies said.

        Asking the same again would bring the same replies back, so the next attempt starts afresh. After
        a call that failed it goes on from there.
        """
        newest = self._newest_call(unit_id)
        call_id, _, went_well = newest or (0, 0, False)
        mark = call_id if went_well else last.replay_after if last else 0
        return Settlement(self._clock(), self._run_id, call_id, mark)

    def _newest_call(self, unit_id: int) -> tuple[int, int, bool] | None:
        """Return a unit's newest call: its id, its run, and whether its reply was a good one."""
        found = self._one(
            "SELECT c.id, c.run_id, p.id IS NOT NULL AND p.failure_kind IS NULL FROM calls c "
            "LEFT JOIN replies p ON p.call_id = c.id WHERE c.unit_id = ? ORDER BY c.id DESC LIMIT 1",
            unit_id,
        )
        return found and (found[0], found[1], bool(found[2]))

    def _lives(self, run_id: int | None) -> bool:
        """Tell whether another run is alive; one that has ended stays so and is not asked after again."""
        if run_id is None or run_id == self._run_id or run_id in self._ended:
            return False
        ended = self._one("SELECT ended_at FROM runs WHERE id = ?", run_id)[0] is not None
        if ended or not RunLock(self._path, run_id).held():
            self._ended.add(run_id)
            return False
        return True

    def _unit_id(self, unit: Unit) -> int:
        found = self._one("SELECT id FROM units WHERE key = ?", unit.key)
        if found is None:
            found = self._one(
                "INSERT INTO units (key, kind) VALUES (?, ?) RETURNING id", unit.key, _kind(unit)
            )
        return int(found[0])

    def _one(self, sql: str, *values: object) -> Any:
        return self._db.execute(sql, values).fetchone()


def _kind(unit: Unit) -> str:
    return "answer" if isinstance(unit, AnswerUnit) else "pass"


def _stage(unit: Unit) -> str:
    return "answers" if isinstance(unit, AnswerUnit) else "passes"
