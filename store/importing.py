"""Whole experiments that come from a file: stored as they stream by, in one transaction or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from sqlite_utils import Database

from bothways.engine.errors import RefusedError, UsageError
from bothways.engine.experiment import Experiment
from bothways.engine.facts import Answer, JsonObject, PassResult, dump
from bothways.engine.keys import digest
from bothways.engine.ledger import ImportedRow
from bothways.store.attempts import Attempts, Settlement
from bothways.store.connection import roomy
from bothways.store.names import Names
from bothways.store.part import Part
from bothways.store.records import adopt
from bothways.store.specs import Asked, NewCase, NewSpec, ask_more, note_judges

__all__ = ["Imports"]

_New: TypeAlias = tuple[Answer | PassResult, str]
"""What a unit of the file holds, and its JSON."""

_CHUNK = 500


class Imports(Part):
    """Take imported experiments."""

    def take(self, experiment: Experiment, rows: Iterable[ImportedRow], at: str) -> int:
        """Store an imported experiment in one transaction and return its spec's id.

        It asks for as many nights and takes as the rows have. Reviews that come with them are appended to
        the chain, in the order they had at home. What stood there as `seq`, `at` and `hash` is cited in
        the new body's `home`. Whatever `rows` raises leaves the file as it was; RefusedError where the
        name is taken.
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
        self._asked: dict[Asked, int] = {"night": 1, "take": 1}

    def take(self, rows: Iterable[ImportedRow]) -> int:
        rows = iter(rows)
        while chunk := list(islice(rows, _CHUNK)):
            self._chunk(chunk)
        spec_id = self._spec.write(self._hashes)
        self._spec.adopt(spec_id)
        note_judges(self._db, spec_id, self._judges, self._names)
        for what, most in self._asked.items():
            for _ in range(1, most):
                ask_more(self._db, spec_id, what, self._at)
        adopt(self._db, self._name, self._reviews, self._at)
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
        ids = self._units(new)
        self._link("row_answers (row_id, slot, night, repeat, variant_id, unit_id)", answers, ids)
        self._link("row_passes (row_id, night, repeat, take, ord, judge_id, order_id, unit_id)", passes, ids)
        self._db.conn.executemany(
            "INSERT INTO labels (row_id, place, annotator, verdict, note) VALUES (?, ?, ?, ?, ?)",
            [
                (row_id, place, *label)
                for row_id, row in enumerate(rows, first)
                for place, label in enumerate(row.labels)
            ],
        )

    def _link(self, columns: str, links: list[tuple[object, ...]], ids: Mapping[object, int]) -> None:
        """Insert links; the last value of each is its unit's key."""
        marks = ", ".join("?" * (columns.count(",") + 1))
        self._db.conn.executemany(
            f"INSERT INTO {columns} VALUES ({marks})", [(*link[:-1], ids[link[-1]]) for link in links]
        )

    def _answers(self, row_id: int, row: ImportedRow, new: dict[str, _New]) -> Iterator[tuple[object, ...]]:
        slots: dict[str, int] = {}
        for variant, answer, night in row.answers:
            if variant not in self._known:
                raise UsageError(
                    f"case {row.case.id!r} has an answer of {variant!r}",
                    f"{self._name!r} knows the variants {', '.join(self._known)}",
                )
            self._note("night", night)
            body = dump(answer)
            key = digest("imported", self._name, row.case.id, variant, body)
            new[key] = answer, body
            slot = slots.setdefault(variant, len(slots))
            yield row_id, slot, night, 1, self._names.variant(variant), key

    def _passes(self, row_id: int, row: ImportedRow, new: dict[str, _New]) -> Iterator[tuple[object, ...]]:
        seen: Counter[tuple[str, tuple[str, ...], int, int]] = Counter()
        for judge, shown, result, night, take in row.passes:
            self._note("take", take)
            seen[judge, shown, night, take] += 1
            repeat = seen[judge, shown, night, take]
            body = dump(result)
            key = digest("imported", self._name, row.case.id, judge, shown, night, repeat, take, body)
            new[key] = result, body
            self._judges[judge] = None
            # Order 1 showed first what stands first in the row: the baseline, where the row has it there.
            order = 1 if shown[0] == row.answers[0].variant else 2
            where = (row_id, night, repeat, take, order)
            yield *where, self._names.judge(judge), self._names.shown(shown), key

    def _note(self, what: Asked, number: int) -> None:
        self._asked[what] = max(self._asked[what], number)

    def _units(self, new: dict[str, _New]) -> Mapping[object, int]:
        """Add the units of a chunk that no earlier line had, with what they hold; return all ids by key."""
        kinds = [(key, "answer" if isinstance(what, Answer) else "pass") for key, (what, _) in new.items()]
        before = self._db.execute("SELECT coalesce(max(id), 0) FROM units").fetchone()[0]
        self._db.conn.executemany("INSERT INTO units (key, kind) VALUES (?, ?) ON CONFLICT DO NOTHING", kinds)
        added = "SELECT key, id FROM units WHERE id > ? ORDER BY id"
        ids: dict[object, int] = dict(self._db.execute(added, (before,)).fetchall())
        for key, unit_id in ids.items():
            what, body = new[str(key)]
            if isinstance(what, Answer):
                self._attempts.answer(unit_id, what, body, self._how)
            else:
                self._attempts.passed(unit_id, what, body, self._how)
        self._attempts.write()
        for key in new.keys() - ids.keys():
            ids[key] = self._db.execute("SELECT id FROM units WHERE key = ?", (key,)).fetchone()[0]
        return ids
