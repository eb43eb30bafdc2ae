"""Experiments and the versions of their specs."""

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database

from bothways.engine.experiment import Experiment
from bothways.engine.facts import Case, dump
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import SpecInfo
from bothways.store.names import Names
from bothways.store.part import Asked, Part

__all__ = ["Asked", "NewCase", "NewSpec", "Specs", "ask_more", "note_judges"]


_BODY = """
SELECT coalesce(
  (SELECT body FROM adoptions WHERE spec_id = s.id AND body IS NOT NULL ORDER BY id DESC LIMIT 1), s.body
) FROM specs s WHERE s.id = ?
"""


class Specs(Part):
    """Read and add specs."""

    def experiments(self) -> list[str]:
        """Return the names, newest first."""
        newest = "ORDER BY (SELECT max(a.id) FROM specs s JOIN adoptions a ON a.spec_id = s.id "
        newest += "WHERE s.experiment_id = e.id) DESC"
        return [row[0] for row in self._all(f"SELECT e.name FROM experiments e {newest}")]

    def specs(self, experiment: str) -> list[SpecInfo]:
        """Return the versions of one experiment's spec, the one adopted last first."""
        found = self._all(
            "SELECT s.id, max(a.id), a.at, s.row_count, s.body FROM specs s "
            "JOIN adoptions a ON a.spec_id = s.id WHERE s.experiment_id = ? AND (?2 IS NULL OR a.at <= ?2) "
            "GROUP BY s.id ORDER BY max(a.id) DESC",
            self._experiment_id(experiment),
            self._before and self._before.at,
        )
        return [self._spec_info(experiment, *row) for row in found]

    def _spec_info(self, name: str, spec_id: int, _adoption: int, at: str, rows: int, body: str) -> SpecInfo:
        experiment = Experiment.model_validate_json(body)
        asked = self._all(
            "SELECT j.name FROM spec_judges s JOIN judges j ON j.id = s.judge_id WHERE s.spec_id = ?", spec_id
        )
        own = [experiment.judge.name] if experiment.judge else []
        judges = tuple(dict.fromkeys([*own, *(row[0] for row in asked)]))
        return SpecInfo(spec_id, name, at, rows, judges, tuple(v.name for v in experiment.variants))

    def spec(self, spec_id: int) -> Experiment:
        """Return one resolved spec."""
        self._extent(spec_id)
        return Experiment.model_validate_json(self._one(_BODY, spec_id)[0])

    def extend(self, spec_id: int, what: Asked, at: str) -> int:
        """Ask for one more night of everything, or one more take of the judging; return its number.

        It is asked of the experiment, and stands through every later version of its spec.
        """
        with self._writing("extending an experiment") as db:
            ask_more(db, spec_id, what, at)
            return self._asked(spec_id, what)

    def add(self, experiment: Experiment, cases: Iterable[Case], at: str) -> int:
        """Store a resolved spec with its cases and return its id; the same content gives the same id.

        Going back to an older version makes that one the newest again. Where its files lie is no content:
        the places of the newest adoption are those that a run reads.
        """
        new = [NewCase.of(case) for case in cases]
        with self._writing("storing a spec") as db:
            spec = NewSpec(db, experiment, at)
            known = spec.known(case.hash for case in new)
            if known is None:
                spec.rows(new)
                known = spec.write(case.hash for case in new)
            spec.adopt(known)
            return known


class NewCase:
    """A case with its hash: the same content is kept once, whichever experiments use it."""

    __slots__ = ("body", "case", "hash")

    def __init__(self, case: Case, body: str) -> None:
        self.case = case
        self.body = body
        self.hash = digest("case", body)

    @classmethod
    def of(cls, case: Case) -> NewCase:
        """Hash a case."""
        return cls(case, dump(case))

    @property
    def head(self) -> tuple[object, ...]:
        """What the streams read of it."""
        case = self.case
        rules = canonical(case.tool_rules) if case.tool_rules else None
        stakes = None if case.high_stakes is None else int(case.high_stakes)
        return self.hash, case.id, stakes, canonical(dict(case.tags)), rules


class NewSpec:
    """A spec on its way into the file, inside one write transaction: first its rows, then itself."""

    def __init__(self, db: Database, experiment: Experiment, at: str) -> None:
        self._db = db
        self._experiment = experiment
        self._body = experiment.model_dump_json()
        self._at = at
        db.execute(
            "INSERT INTO experiments (name, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (experiment.name, at),
        )
        self._experiment_id = self._value("SELECT id FROM experiments WHERE name = ?", experiment.name)
        self.id = self._value("SELECT coalesce(max(id), 0) + 1 FROM specs")
        self._first_row = self._next_row = self._value("SELECT coalesce(max(id), 0) + 1 FROM rows")

    def _value(self, sql: str, *values: object) -> int:
        return int(self._db.execute(sql, values).fetchone()[0])

    def _hash(self, case_hashes: Iterable[str]) -> str:
        return digest("spec", self._experiment.digest, digest(*case_hashes))

    def known(self, case_hashes: Iterable[str]) -> int | None:
        """Return the id of the spec with this very content, if the experiment has had it."""
        found = self._db.execute(
            "SELECT id FROM specs WHERE experiment_id = ? AND hash = ?",
            (self._experiment_id, self._hash(case_hashes)),
        ).fetchone()
        return found and int(found[0])

    def rows(self, cases: list[NewCase]) -> int:
        """Append rows for these cases and return the first one's id; the others follow it."""
        write = self._db.conn.executemany
        insert = "INSERT INTO cases (hash, case_id, high_stakes, tags, rules) VALUES (?, ?, ?, ?, ?)"
        write(f"{insert} ON CONFLICT DO NOTHING", [case.head for case in cases])
        body = (
            "INSERT INTO case_bodies (id, body) SELECT id, ? FROM cases WHERE hash = ? ON CONFLICT DO NOTHING"
        )
        write(body, [(case.body, case.hash) for case in cases])
        first, self._next_row = self._next_row, self._next_row + len(cases)
        row = "INSERT INTO rows (id, case_ref) SELECT ?, id FROM cases WHERE hash = ?"
        write(row, [(first + place, case.hash) for place, case in enumerate(cases)])
        return first

    def write(self, case_hashes: Iterable[str]) -> int:
        """Insert the spec over the rows appended so far and return its id."""
        extent = (self._first_row, self._next_row - self._first_row)
        self._db.execute(
            "INSERT INTO specs (id, experiment_id, hash, body, first_row, row_count) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (self.id, self._experiment_id, self._hash(case_hashes), self._body, *extent),
        )
        return self.id

    def adopt(self, spec_id: int) -> None:
        """Make a spec its experiment's newest as it is written now, unless it is already."""
        newest = self._db.execute(
            "SELECT a.spec_id FROM adoptions a JOIN specs s ON s.id = a.spec_id WHERE s.experiment_id = ? "
            "ORDER BY a.id DESC LIMIT 1",
            (self._experiment_id,),
        ).fetchone()
        written = self._db.execute(_BODY, (spec_id,)).fetchone()
        if newest is None or newest[0] != spec_id or written[0] != self._body:
            moved = None if written[0] == self._body else self._body
            self._db.execute(
                "INSERT INTO adoptions (spec_id, at, body) VALUES (?, ?, ?)", (spec_id, self._at, moved)
            )


def note_judges(db: Database, spec_id: int, judges: Iterable[str], names: Names) -> None:
    """Remember which judges a spec's rows ask, so that listing them reads no rows."""
    db.conn.executemany(
        "INSERT INTO spec_judges (spec_id, judge_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(spec_id, names.judge(judge)) for judge in dict.fromkeys(judges)],
    )


def ask_more(db: Database, spec_id: int, what: Asked, at: str) -> None:
    """Ask for one more night, or take, of a spec's experiment."""
    db.execute(
        "INSERT INTO extensions (experiment_id, what, at) SELECT experiment_id, ?, ? FROM specs WHERE id = ?",
        (what, at, spec_id),
    )
