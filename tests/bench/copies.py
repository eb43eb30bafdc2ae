"""Large files without the hour that importing them takes: copies of one imported experiment, made in SQL.

Every copy has rows, units and texts of its own, under ids moved up by a whole experiment and hashes that say
which copy it is: the file is as deep, and its indexes as wide, as if each had been imported.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

__all__ = ["copy_experiment", "grow_experiment"]

_MOVED = {
    "specs": ("id", "experiment_id", "first_row"),
    "adoptions": ("id", "spec_id"),
    "experiments": ("id",),
    "cases": ("id",),
    "case_bodies": ("id",),
    "rows": ("id", "case_ref"),
    "spec_judges": ("spec_id",),
    "units": ("id",),
    "row_answers": ("row_id", "unit_id"),
    "row_passes": ("row_id", "unit_id"),
    "answers": ("id", "unit_id"),
    "answer_bodies": ("id",),
    "passes": ("id", "unit_id"),
    "pass_bodies": ("id",),
}
"""Tables, and those of their columns that hold an id of the experiment copied."""
_NAMED = {"name", "hash", "key", "digest"}
"""Columns that are unique to an experiment, or, as a digest, to what it says."""


def copy_experiment(path: Path, copies: int) -> None:
    """Put `copies` copies of a file's only experiment beside it."""
    with closing(sqlite3.connect(path)) as db:
        # A file that is lost in a crash is built again: nothing of this needs to outlive one.
        db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -400000")
        step = max(_highest(db))
        for number in range(1, copies + 1):
            for table, moved in _MOVED.items():
                _copy(db, table, moved, step, number)
            db.commit()
        db.execute("PRAGMA journal_mode = WAL")


_COUNTED_BY = {
    "cases": {"id": "cases"},
    "case_bodies": {"id": "cases"},
    "rows": {"id": "rows", "case_ref": "cases"},
    "units": {"id": "units"},
    "row_answers": {"row_id": "rows", "unit_id": "units"},
    "row_passes": {"row_id": "rows", "unit_id": "units"},
    "answers": {"id": "answers", "unit_id": "units"},
    "answer_bodies": {"id": "answers"},
    "passes": {"id": "passes", "unit_id": "units"},
    "pass_bodies": {"id": "passes"},
}
"""Tables of rows, and by how many entries of which table the ids in a column move: rows stay neighbours."""
_SIZED = ("cases", "rows", "units", "answers", "passes")


def grow_experiment(path: Path, copies: int) -> None:
    """Give a file's only experiment `copies` times as many rows more, under cases of their own."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -400000")
        sizes = {name: db.execute(f"SELECT max(id) FROM {name}").fetchone()[0] for name in _SIZED}
        for number in range(1, copies + 1):
            for table, moved in _COUNTED_BY.items():
                _append(db, table, {column: sizes[by] for column, by in moved.items()}, number)
        kept = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'specs'"
        triggers = db.execute(kept).fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE specs SET row_count = row_count * ?", (copies + 1,))
        for _, sql in triggers:
            db.execute(sql)
        db.commit()
        db.execute("PRAGMA journal_mode = WAL")


def _append(db: sqlite3.Connection, table: str, steps: dict[str, int], number: int) -> None:
    columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
    values = [
        f"{name} + {steps[name] * number}"
        if name in steps
        else f"'{number:02} ' || {name}"
        if name in {*_NAMED, "case_id"}
        else name
        for name in columns
    ]
    first, step = next(iter(steps.items()))
    original = f"FROM {table} WHERE {first} <= {step} ORDER BY {first}"
    db.execute(f"INSERT INTO {table} SELECT {', '.join(values)} {original}")


def _highest(db: sqlite3.Connection) -> Iterator[int]:
    for table, moved in _MOVED.items():
        if "id" in moved:
            yield db.execute(f"SELECT max(id) FROM {table}").fetchone()[0]


def _copy(db: sqlite3.Connection, table: str, moved: tuple[str, ...], step: int, number: int) -> None:
    columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
    values = [
        f"{name} + {step * number}"
        if name in moved
        else f"'{number:02} ' || {name}"
        if name in _NAMED
        else name
        for name in columns
    ]
    original = f"FROM {table} WHERE {moved[0]} <= {step} ORDER BY {moved[0]}"
    db.execute(f"INSERT INTO {table} SELECT {', '.join(values)} {original}")
