"""What an act on a row asks of the store."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.app.shop import AT, fill

from bothways.engine.errors import RefusedError
from bothways.engine.facts import JsonObject
from bothways.store import Store, open_store


def body(case: str) -> JsonObject:
    return {"experiment": "plain line", "case": case, "note": "as it was"}


def test_what_another_connection_changes_is_seen_before_the_next_record(tmp_path: Path) -> None:
    path = fill(tmp_path / "x.db", 3)
    with open_store(path) as store:
        store.append_all("review", [body("r-00000"), body("r-00001")], AT)
        with sqlite3.connect(path) as other:
            for (trigger,) in other.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                other.execute(f'DROP TRIGGER "{trigger}"')
            other.execute("UPDATE records SET body = replace(body, 'as it was', 'otherwise') WHERE seq = 1")
        other.close()
        with pytest.raises(RefusedError, match="Record 1 does not hold"):
            store.append("review", body("r-00002"), AT)


def test_many_records_are_appended_or_none(tmp_path: Path) -> None:
    with open_store(fill(tmp_path / "x.db", 3)) as store:
        with pytest.raises(Exception, match="must name its experiment"):
            store.append_all("review", [body("r-00000"), {"case": "r-00001"}], AT)
        assert store.records("plain line", "review") == []


def test_the_reviews_of_a_case_are_those_of_no_other(tmp_path: Path) -> None:
    with open_store(fill(tmp_path / "x.db", 3)) as store:
        store.append_all("review", [body("r-00000"), body("r-00001"), body("r-00000")], AT)
        assert [record.seq for record in store.reviews_of("plain line", "r-00000")] == [1, 3]


def test_the_reviews_of_a_case_are_those_of_the_moment_that_is_looked_at(store: Store) -> None:
    said = [store.append("review", {"experiment": "x", "case": "r"}, AT) for _ in range(3)]
    assert store.before(said[1]).reviews_of("x", "r") == said[:1]


@pytest.mark.parametrize(
    ("text", "rows"), [("ORDER 2", [2]), ("where is", [0, 1, 2]), ("%", []), ("_", []), ("content", [])]
)
def test_a_text_is_found_in_what_was_asked_and_nowhere_else(
    tmp_path: Path, text: str, rows: list[int]
) -> None:
    with open_store(fill(tmp_path / "x.db", 3)) as store:
        (spec,) = store.specs("plain line")
        first = store.row_ids(spec.id)[0]
        assert sorted(row - first for row in store.rows_asking(spec.id, text)) == rows


def test_a_text_behind_a_nul_is_found(tmp_path: Path) -> None:
    with open_store(fill(tmp_path / "x.db", 3, hostile="\0 behind it")) as store:
        (spec,) = store.specs("plain line")
        assert len(store.rows_asking(spec.id, "BEHIND")) == 3


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Meine Straße", "Straße"),
        ("Meine Straße", "STRASSE"),
        ("Meine Straße", "strasse"),
        ("ÄRGER mit der Lieferung", "ÄRGER"),
        ("ÄRGER mit der Lieferung", "ärger"),
        ("From İstanbul", "İstanbul"),
        ("From İstanbul", "İSTANBUL"),
        ("ΣΊΣΥΦΟΣ waits", "ΣΊΣΥΦΟΣ"),
        ("ΣΊΣΥΦΟΣ waits", "σίσυφος"),
    ],
)
def test_case_counts_in_no_script(tmp_path: Path, asked: str, text: str) -> None:
    with open_store(fill(tmp_path / "x.db", 3, hostile=asked)) as store:
        (spec,) = store.specs("plain line")
        assert len(store.rows_asking(spec.id, text)) == 3
