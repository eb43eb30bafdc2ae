"""Attempts at a unit of work: how an answer or a pass, or the failure in its place, is written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sqlite_utils import Database

from bothways.engine.facts import Answer, PassResult
from bothways.engine.keys import canonical

__all__ = ["Attempts", "Settled", "Settlement"]

_COMMON = (
    "id, unit_id, failure_kind, failure_message, cost_usd, duration_s, model, prompt_tokens, "
    "completion_tokens, cached_tokens, last_call, replay_after, run_id, at"
)
_VALUES = ",".join("?" * 14)
_INSERTS = {
    "answers": f"INSERT INTO answers ({_COMMON}, digest, tools_digest) VALUES ({_VALUES}, ?, ?)",
    "answer_bodies": "INSERT INTO answer_bodies (id, body) VALUES (?, ?)",
    "tool_calls": "INSERT INTO tool_calls (answer_id, place, turn, name, arguments) VALUES (?, ?, ?, ?, ?)",
    "passes": f"INSERT INTO passes ({_COMMON}, choice) VALUES ({_VALUES}, ?)",
    "pass_bodies": "INSERT INTO pass_bodies (id, body) VALUES (?, ?)",
}


class Settlement(NamedTuple):
    """When, by which run and after which of its calls a unit was settled; see `answers` in the schema."""

    at: str
    run_id: int | None = None
    last_call: int = 0
    replay_after: int = 0


@dataclass(slots=True)
class Attempts:
    """Attempts on their way into the file; ids are given here, since whoever writes holds the only claim."""

    db: Database
    next_answer: int = field(init=False)
    next_pass: int = field(init=False)
    pending: dict[str, list[tuple[object, ...]]] = field(init=False)

    def __post_init__(self) -> None:
        self.next_answer = self._next("answers")
        self.next_pass = self._next("passes")
        self.pending = {table: [] for table in _INSERTS}

    def _next(self, table: str) -> int:
        return int(self.db.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0])

    def answer(self, unit_id: int, answer: Answer, body: str, how: Settlement) -> int:
        """Note an answer, with its JSON, and return the id it will have."""
        number, self.next_answer = self.next_answer, self.next_answer + 1
        common = _common(number, unit_id, answer, how)
        self.pending["answers"].append((*common, answer.digest, answer.tools_digest))
        self.pending["answer_bodies"].append((number, body))
        self.pending["tool_calls"].extend(
            (number, place, call.turn, call.name, canonical(call.arguments))
            for place, call in enumerate(answer.tool_calls)
        )
        return number

    def passed(self, unit_id: int, result: PassResult, body: str, how: Settlement) -> None:
        """Note what a pass said, with its JSON."""
        number, self.next_pass = self.next_pass, self.next_pass + 1
        self.pending["passes"].append((*_common(number, unit_id, result, how), result.choice))
        self.pending["pass_bodies"].append((number, body))

    def write(self) -> None:
        """Insert everything noted so far, inside the caller's transaction."""
        for table, values in self.pending.items():
            if values:
                self.db.conn.executemany(_INSERTS[table], values)
                values.clear()


def _common(number: int, unit_id: int, what: Answer | PassResult, how: Settlement) -> tuple[object, ...]:
    failure, usage = what.failure, what.usage
    return (
        number,
        unit_id,
        failure and failure.kind.value,
        failure and failure.message,
        what.cost_usd,
        what.duration_s,
        what.model,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.cached_tokens,
        how.last_call,
        how.replay_after,
        how.run_id,
        how.at,
    )


class Settled(NamedTuple):
    """The newest attempt at a unit."""

    id: int
    failed: bool
    last_call: int
    replay_after: int
    run_id: int | None

    @classmethod
    def latest(cls, db: Database, table: str, unit_id: int) -> Settled | None:
        """Return the newest attempt in `answers` or `passes`, if there is one."""
        found = db.execute(
            f"SELECT id, failure_kind IS NOT NULL, last_call, replay_after, run_id FROM {table} "
            "WHERE unit_id = ? ORDER BY id DESC LIMIT 1",
            (unit_id,),
        ).fetchone()
        return found and cls(found[0], bool(found[1]), *found[2:])
