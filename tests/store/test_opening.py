from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from tests.store.conftest import AT, case, experiment

from bothways.engine.errors import StoreError
from bothways.store import Store, open_store
from bothways.store.schema import VERSION


def test_a_new_file_is_marked_as_ours(path: Path) -> None:
    open_store(path).close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


def test_opening_again_changes_nothing(path: Path) -> None:
    open_store(path).close()
    before = path.read_bytes()
    open_store(path).close()
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    open_store(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer bothways") as refused:
        open_store(path)
    assert "Update" in refused.value.next_step
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("name: shop\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        open_store(path)
    assert path.read_text() == "name: shop\n" * 100


def test_the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE notes (text)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere does not exist"):
        open_store(tmp_path / "nowhere" / "bothways.db")


def test_a_missing_file_is_not_made_where_it_must_exist(path: Path) -> None:
    with pytest.raises(StoreError, match="no such file"):
        open_store(path, create=False)
    assert not path.exists()


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="it is a folder"):
        open_store(tmp_path)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="a folder cannot be closed to whoever runs this: root writes anywhere, and Windows has no modes",
)
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="read-only"):
        open_store(tmp_path / "bothways.db")


def test_the_version_changes_when_somebody_else_commits(store: Store, path: Path) -> None:
    before = store.version()
    with open_store(path) as other:
        other.append("review", {"experiment": "shop"}, "2026-08-06T09:00:00Z")
    assert store.version() != before


def test_a_file_of_the_first_format_is_brought_up_to_date(path: Path) -> None:
    with open_store(path) as store:
        store.add(experiment(), [case(1)], AT)
    db = sqlite3.connect(path)
    db.execute("ALTER TABLE adoptions DROP COLUMN body")
    db.execute("DELETE FROM _sqlite_migrations WHERE name LIKE 'm002%'")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    with open_store(path) as store:
        assert store.spec(store.specs("shop")[0].id) == experiment()
