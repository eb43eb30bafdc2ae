"""Whole experiments that come from a file: stored as they stream by, in one transaction or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from sqlite_utils import Database

from bothways.engine.errors import RefusedError, UsageError
from bothways.engine.facts import Answer, JsonObject, PassResult, dump
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import ImportedRow
from bothways.engine.spec.model import Experiment
from bothways.store.attempts import Attempts, Settlement
from bothways.store.connection import roomy
from bothways.store.names import Names
from bothways.store.part import Part
from bothways.store.records import append
from bothways.store.specs import NewCase, NewSpec, note_judges

__all__ = ["Imports"]

_New: TypeAlias = tuple[Answer | PassResult, str]
"""What a unit of the file holds, and its JSON."""

_CHUNK = 500
_HOME = ("seq", "at", "hash")


class Imports(Part):
    """Take imported experiments."""

    def take(self, experiment: Experiment, rows: Iterable[ImportedRow], at: str) -> int:
        """Store an imported experiment in one transaction and return its spec's id.

        Reviews that come with the rows are appended to the chain, in the order they had at home. What
        stood there as `seq`, `at` and `hash` is cited in the new body's `home`. Whatever `rows` raises
        leaves the file as it was; RefusedError where the name is taken.
        """
        with roomy(self._db), self._writing("importing") as db:
            if db.execute("SELECT 1 FROM experiments WHERE name = ?", (experiment.name,)).fetchone():
                raise RefusedError(
                    f"there is an experiment called {experiment.name!r} already",
                    "an import never adds to an experiment",
                    "Give another --name.",
                )
            return _Import(db, experiment, at).take(rows)


class _Import:
    """One import in its transaction."""

    def __init__(self, db: Database, experiment: Experiment, at: str) -> None:
        self._db = db
        self._name = experiment.name
        self._at = at
        self._how = Settlement(at)
        self._known = [variant.name for variant in experiment.variants]
        self._spec = NewSpec(db, experiment, at)
        self._names = Names(db)
        self._attempts = Attempts(db)
        self._hashes: list[str] = []
        self._judges: dict[str, None] = {}
        self._reviews: list[JsonObject] = []

    def take(self, rows: Iterable[ImportedRow]) -> int:
        rows = iter(rows)
        while chunk := list(islice(rows, _CHUNK)):
            self._chunk(chunk)
        spec_id = self._spec.write(self._hashes)
        self._spec.adopt(spec_id)
        note_judges(self._db, spec_id, self._judges, self._names)
        self._append_reviews()
        return spec_id

    def _chunk(self, rows: list[ImportedRow]) -> None:
        cases = [NewCase.of(row.case) for row in rows]
        first = self._spec.rows(cases)
        self._hashes.extend(case.hash for case in cases)
        answers: list[tuple[object, ...]] = []
        passes: list[tuple[object, ...]] = []
        new: dict[str, _New] = {}
        for row_id, row in enumerate(rows, first):
            answers.extend(self._answers(row_id, row, new))
            passes.extend(self._passes(row_id, row, new))
            self._reviews.extend(row.reviews)
        self._units(new)
        self._link("row_answers (row_id, slot, night, repeat, variant_id, unit_id)", "?, ?, 1, 1, ?", answers)
        self._link(
            "row_passes (row_id, night, repeat, take, ord, judge_id, order_id, unit_id)",
            "?, 1, ?, 1, ?, ?, ?",
            passes,
        )
        self._db.conn.executemany(
            "INSERT INTO labels (row_id, place, annotator, verdict, note) VALUES (?, ?, ?, ?, ?)",
            [
                (row_id, place, *label)
                for row_id, row in enumerate(rows, first)
                for place, label in enumerate(row.labels)
            ],
        )

    def _link(self, columns: str, values: str, links: list[tuple[object, ...]]) -> None:
        self._db.conn.executemany(
            f"INSERT INTO {columns} SELECT {values}, id FROM units WHERE key = ?", links
        )

    def _answers(self, row_id: int, row: ImportedRow, new: dict[str, _New]) -> Iterator[tuple[object, ...]]:
        for slot, (variant, answer) in enumerate(row.answers):
            if variant not in self._known:
                raise UsageError(
                    f"case {row.case.id!r} has an answer of {variant!r}",
                    f"{self._name!r} knows the variants {', '.join(self._known)}",
                )
            body = dump(answer)
            key = digest("imported", self._name, row.case.id, variant, body)
            new[key] = answer, body
            yield row_id, slot, self._names.variant(variant), key

    def _passes(self, row_id: int, row: ImportedRow, new: dict[str, _New]) -> Iterator[tuple[object, ...]]:
        seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
        for judge, shown, result in row.passes:
            seen[judge, shown] += 1
            repeat = seen[judge, shown]
            body = dump(result)
            key = digest("imported", self._name, row.case.id, judge, shown, repeat, body)
            new[key] = result, body
            self._judges[judge] = None
            # Order 1 showed first what stands first in the row: the baseline, where the row has it there.
            order = 1 if shown[0] == row.answers[0][0] else 2
            yield row_id, repeat, order, self._names.judge(judge), self._names.shown(shown), key

    def _units(self, new: dict[str, _New]) -> None:
        """Add the units of a chunk that no earlier line had, with what they hold."""
        kinds = [(key, "answer" if isinstance(what, Answer) else "pass") for key, (what, _) in new.items()]
        before = self._db.execute("SELECT coalesce(max(id), 0) FROM units").fetchone()[0]
        self._db.conn.executemany("INSERT INTO units (key, kind) VALUES (?, ?) ON CONFLICT DO NOTHING", kinds)
        for key, unit_id in self._db.execute("SELECT key, id FROM units WHERE id > ? ORDER BY id", (before,)):
            what, body = new[key]
            if isinstance(what, Answer):
                self._attempts.answer(unit_id, what, body, self._how)
            else:
                self._attempts.passed(unit_id, what, body, self._how)
        self._attempts.write()

    def _append_reviews(self) -> None:
        numbers: dict[object, int] = {}
        for review in sorted(self._reviews, key=_home_seq):
            home = {name: review[name] for name in _HOME if name in review}
            body = {name: value for name, value in review.items() if name not in _HOME}
            body["experiment"] = self._name
            if "undoes" in body:
                body["undoes"] = numbers.get(canonical(body["undoes"]))
            if home:
                body["home"] = home
            record = append(self._db, "review", body, self._at)
            if "seq" in home:
                numbers[canonical(home["seq"])] = record.seq


def _home_seq(review: JsonObject) -> int:
    seq = review.get("seq")
    return seq if isinstance(seq, int) else 0
