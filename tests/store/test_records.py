from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bothways.engine.errors import RefusedError, UsageError
from bothways.store import Store, open_store

AT = "2026-08-06T09:00:00Z"
APPEND_200 = """
import sys
from pathlib import Path
from bothways.store import open_store
with open_store(Path(sys.argv[1])) as store:
    for number in range(200):
        store.append("review", {"experiment": "shop", "case": f"{sys.argv[2]}-{number}"}, "2026-08-06")
"""


def three(store: Store) -> None:
    for case in ("a", "b", "c"):
        store.append("review", {"experiment": "shop", "case": case, "note": "naïve – “ok”"}, AT)


@pytest.mark.parametrize(
    ("clocks", "counts"),
    [
        (("09:30", "09:40"), None),
        (("09:40", "09:30"), "09:40:00.000Z"),
        (("09:40", "09:40"), None),
    ],
)
def test_a_review_counts_after_those_before_it_whatever_the_clock_says(
    store: Store, clocks: tuple[str, str], counts: str | None
) -> None:
    day = "2026-08-06T"
    _, second = [store.append("review", {"experiment": "shop"}, f"{day}{clock}:00.000Z") for clock in clocks]
    assert second.at == f"{day}{clocks[1]}:00.000Z"
    assert second.body.get("counts_at") == (counts and day + counts)
    assert store.broken() is None


def tampered(path: Path, statement: str) -> tuple[int, str] | None:
    """Edit behind the triggers' back, as somebody with the file in hand can."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute(statement)
    db.commit()
    db.close()
    with open_store(path) as store:
        return store.broken()


def test_each_record_holds_the_hash_of_the_one_before(store: Store) -> None:
    three(store)
    first, second, third = store.records("shop")
    assert (first.seq, first.prev, second.prev, third.prev) == (1, "", first.hash, second.hash)
    fields = [second.seq, second.at, second.kind, second.body, second.prev]
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert second.hash == hashlib.sha256(text.encode()).hexdigest()
    assert store.broken() is None


def test_records_are_told_apart_by_experiment_and_kind(store: Store) -> None:
    three(store)
    store.append("decision", {"experiment": "shop"}, AT)
    store.append("review", {"experiment": "other"}, AT)
    assert [record.seq for record in store.records("shop", "decision")] == [4]
    assert [record.seq for record in store.records("other")] == [5]


def test_a_record_must_name_its_experiment(store: Store) -> None:
    with pytest.raises(UsageError, match="must name its experiment"):
        store.append("review", {"case": "a"}, AT)


@pytest.mark.parametrize("statement", ["UPDATE records SET at = ''", "DELETE FROM records"])
def test_records_refuse_to_be_edited(store: Store, path: Path, statement: str) -> None:
    three(store)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"):
        db.execute(statement)
    db.close()


def test_an_edited_body_is_found(store: Store, path: Path) -> None:
    three(store)
    statement = "UPDATE records SET body = replace(body, '\"b\"', '\"x\"') WHERE seq = 2"
    assert tampered(path, statement) == (2, "its content was changed after it was written")


def test_a_record_moved_to_another_experiment_is_found(store: Store, path: Path) -> None:
    three(store)
    assert tampered(path, "UPDATE records SET experiment = 'x' WHERE seq = 3") == (
        3,
        "it was moved to another experiment",
    )


def test_nothing_is_recorded_after_a_record_that_does_not_hold(store: Store, path: Path) -> None:
    three(store)
    tampered(path, "UPDATE records SET at = 'x' WHERE seq = 2")
    with pytest.raises(RefusedError, match="Record 2 does not hold"):
        store.append("review", {"experiment": "shop"}, AT)
    assert len(store.records("shop")) == 3


def test_a_gap_is_found(store: Store, path: Path) -> None:
    three(store)
    assert tampered(path, "DELETE FROM records WHERE seq = 2") == (2, "missing: the next record is 3")


def test_a_missing_end_is_found(store: Store, path: Path) -> None:
    three(store)
    assert tampered(path, "DELETE FROM records WHERE seq > 1") == (
        2,
        "records 2 to 3 were there once and are missing",
    )


def test_two_processes_that_append_leave_one_unbroken_chain(store: Store, path: Path) -> None:
    command = [sys.executable, "-c", APPEND_200, str(path)]
    # Away from the repository's root, whose folder `bothways` would be taken for the package.
    env = {"PYTHONPATH": str(Path("src").resolve())}
    workers = [subprocess.Popen([*command, name], env=env, cwd=path.parent) for name in "pq"]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert len(store.records("shop")) == 400
    assert store.broken() is None


def test_nobody_writes_between_what_is_read_and_what_rests_on_it(store: Store, path: Path) -> None:
    with store.writing():
        assert store.records("shop") == []
        other = sqlite3.connect(path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
        store.append("review", {"experiment": "shop", "case": "a"}, AT)
        store.append("review", {"experiment": "shop", "case": "b"}, AT)
    assert [record.seq for record in store.records("shop")] == [1, 2]
    assert store.broken() is None


def test_an_act_that_is_refused_leaves_nothing_of_it(store: Store) -> None:
    def half() -> None:
        with store.writing():
            store.append("review", {"experiment": "shop", "case": "a"}, AT)
            store.append("review", {"case": "b"}, AT)

    with pytest.raises(UsageError, match="must name"):
        half()
    three(store)
    assert [record.seq for record in store.records("shop")] == [1, 2, 3]
