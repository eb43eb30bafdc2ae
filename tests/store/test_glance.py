"""A glance at a file says what the store says, and imports next to nothing for it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.store.conftest import AT, case, experiment, imported_row

from bothways.store import open_store
from bothways.store.glance import glance


def test_it_says_what_the_store_says(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with open_store(path) as store:
        store.add(experiment("one"), [case(1)], AT)
        store.take(experiment("two", imported=True), [imported_row(1), imported_row(2)], AT)
        store.add(experiment("one", hypothesis="another"), [case(1), case(2), case(3)], AT)
        newest = [store.specs(name)[0] for name in store.experiments()]
    seen = [(g.experiment, g.spec_id, g.rows, g.variants, g.judges) for g in glance(path)]
    assert seen == [(spec.experiment, spec.id, spec.rows, spec.variants, spec.judges) for spec in newest]
    assert [g.experiment for g in glance(path)] == ["one", "two"]


def test_a_file_that_is_not_ours_shows_nothing_and_stays_as_it_is(tmp_path: Path) -> None:
    assert glance(tmp_path / "none.db") == []
    assert not (tmp_path / "none.db").exists()
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE experiments (name TEXT)")
    db.close()
    before = other.read_bytes()
    assert glance(other) == []
    assert other.read_bytes() == before


def test_it_waits_for_no_large_import() -> None:
    code = "import sys, bothways.store.glance; print({'pydantic', 'sqlite_utils'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
