"""Facts stay as they are, whatever somebody with SQL in hand tries."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.conftest import AT, answer_unit, case, experiment, imported_row, pass_unit

from bothways.engine.facts import Reply
from bothways.engine.ledger import Claim
from bothways.store import Store, open_store

TABLES = (
    "experiments", "specs", "adoptions", "cases", "case_bodies", "rows", "variants", "judges", "orders",
    "spec_judges", "units", "row_answers", "row_passes", "calls", "replies", "answers", "answer_bodies",
    "tool_calls", "passes", "pass_bodies", "labels", "extensions", "records",
)  # fmt: skip


@pytest.fixture
def full(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    """A file with something in every table of facts, opened as anybody can open it."""
    imported = store.take(experiment(imported=True), [imported_row(1)], AT)
    store.extend(imported, "night", AT)
    store.append("review", {"experiment": "shop", "note": "as it was"}, AT)
    asyncio.run(one_call(store, store.add(experiment("run"), [case(2)], AT)))
    db = sqlite3.connect(path)
    yield db
    db.close()


async def one_call(store: Store, spec_id: int) -> None:
    async with store.run(spec_id, {}, AT) as journal:
        row_id = store.row_ids(spec_id)[0]
        await journal.ask([answer_unit(row_id), pass_unit(row_id)])
        claim = await journal.begin(answer_unit(row_id), 1, 0, "r")
        assert isinstance(claim, Claim)
        await journal.settle(claim, Reply(content="hello"))


def dump(db: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    return db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()


def altered(db: sqlite3.Connection, table: str) -> tuple[list[str], list[object]]:
    """The columns of a table, and its first row with another value in every column that is no key."""
    info = db.execute(f"PRAGMA table_info({table})").fetchall()
    values = db.execute(f"SELECT * FROM {table}").fetchone()
    assert values is not None, table
    other = [value if column[5] else ("x" if column[2] == "TEXT" else 1)
             for column, value in zip(info, values, strict=True)]  # fmt: skip
    return [column[1] for column in info], other


@pytest.mark.parametrize("table", TABLES)
def test_a_fact_is_not_deleted(full: sqlite3.Connection, table: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"):
        full.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize("table", TABLES)
def test_a_fact_is_not_updated(full: sqlite3.Connection, table: str) -> None:
    columns, _ = altered(full, table)
    with pytest.raises(sqlite3.IntegrityError, match="are facts"):
        full.execute(f"UPDATE {table} SET {columns[0]} = {columns[0]}")


@pytest.mark.parametrize("table", [t for t in TABLES if t not in ("spec_judges", "row_passes")])
def test_a_fact_is_not_replaced(full: sqlite3.Connection, table: str) -> None:
    columns, values = altered(full, table)
    before = dump(full, table)
    insert = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    full.execute("PRAGMA foreign_keys = OFF")
    try:
        full.execute(insert, values)
    except sqlite3.IntegrityError as refused:
        assert "are facts" in str(refused)  # noqa: PT017 - passed over in silence is as good
    assert dump(full, table) == before


def test_a_name_is_not_given_another_id(full: sqlite3.Connection) -> None:
    before = dump(full, "variants")
    full.execute("INSERT OR REPLACE INTO variants (id, name) VALUES (99, 'v4')")
    assert dump(full, "variants") == before


def test_the_unit_that_a_row_relies_on_may_become_another(full: sqlite3.Connection) -> None:
    for table in ("row_answers", "row_passes"):
        changed = full.execute(f"UPDATE {table} SET unit_id = unit_id")
        assert changed.rowcount > 0, table


def test_a_file_of_an_earlier_version_is_protected_when_it_is_opened(path: Path) -> None:
    open_store(path).close()
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        if name.endswith(("_no_replace", "_once")):
            db.execute(f"DROP TRIGGER {name}")
    for table in ("experiments", "variants", "judges", "orders", "units", "spec_judges"):
        db.executescript(f"DROP TRIGGER {table}_no_update; DROP TRIGGER {table}_no_delete;")
    for table in ("row_answers", "row_passes"):
        db.executescript(f"DROP TRIGGER {table}_no_update; DROP TRIGGER {table}_no_delete;")
    db.execute("DELETE FROM _sqlite_migrations WHERE name LIKE 'm003%'")
    db.execute("PRAGMA user_version = 2")
    db.commit()
    db.close()
    with open_store(path) as store:
        store.append("review", {"experiment": "shop"}, AT)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        db.execute("INSERT OR REPLACE INTO records SELECT * FROM records")
    db.close()
