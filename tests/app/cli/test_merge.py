"""A queue is handed out, reviewed elsewhere, and the reviews come home."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.app.cli.conftest import Command, pairs


@pytest.fixture
def handed_out(command: Command, project: Path) -> Command:
    """An experiment that was run here, and its queue as lee has it in a file of their own."""
    assert command("run", str(project / "experiment.yaml")).exit_code == 0
    assert command("verdict", "shop", "c2", "tie", "--reviewer", "kim", "--note", "n").exit_code == 0
    assert command("export", "shop", "--without-reviews", "-o", "queue.jsonl").exit_code == 0
    assert command("--db", "lee.db", "import", "queue.jsonl", "--name", "mine").exit_code == 0
    for case in ("c1", "c2"):
        said = command(
            "--db", "lee.db", "verdict", "mine", case, "baseline", "--reviewer", "lee", "--note", "n"
        )
        assert said.exit_code == 0, said.output
    return command


def rows(command: Command) -> dict[str, Any]:
    return {row["case"]: row["final"] for row in json.loads(command("rows", "shop", "--json").stdout)}


def records() -> int:
    with sqlite3.connect("bothways.db") as db:
        return int(db.execute("SELECT count(*) FROM records").fetchone()[0])


def test_a_queue_handed_out_holds_nobodys_reviews(handed_out: Command) -> None:
    lines = [json.loads(line) for line in Path("queue.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["pair_id"] for line in lines] == ["c1", "c2", "c3"]
    assert not any("reviews" in line for line in lines)


def test_reviews_of_an_exported_queue_count_at_home(handed_out: Command) -> None:
    assert handed_out("--db", "lee.db", "export", "mine", "-o", "back.jsonl").exit_code == 0
    shown = handed_out("merge", "shop", "back.jsonl", "--json")
    (file,) = json.loads(shown.stdout)["files"]
    assert (file["added"], file["known"], file["left_out"]) == (2, 0, [])
    assert rows(handed_out) == {"c1": "baseline", "c2": "baseline", "c3": "candidate"}
    assert handed_out("verify").exit_code == 0
    again = handed_out("merge", "shop", "back.jsonl")
    assert "reviews: 0 added, 2 here already" in again.stdout


def test_a_database_is_merged_under_the_name_it_has_there(handed_out: Command) -> None:
    shown = handed_out("merge", "shop", "lee.db", "--from", "mine")
    assert shown.exit_code == 0, shown.output
    assert "reviews: 2 added (lee)" in shown.stdout
    unknown = handed_out("merge", "shop", "lee.db")
    assert unknown.exit_code == 2
    assert "mine" in unknown.stderr


def test_what_could_not_join_is_named(handed_out: Command, project: Path) -> None:
    assert handed_out("import", str(pairs(project)), "--name", "other").exit_code == 0
    shown = handed_out("merge", "other", "lee.db", "--from", "mine")
    assert shown.exit_code == 0
    assert "left out, unknown case: 2 (c1, c2)" in shown.stdout


def test_one_file_that_cannot_be_read_keeps_all_out(handed_out: Command) -> None:
    assert handed_out("--db", "lee.db", "export", "mine", "-o", "back.jsonl").exit_code == 0
    Path("broken.jsonl").write_text('{"pair_id": "c1", "a": 5}\n', encoding="utf-8")
    before = records()
    shown = handed_out("merge", "shop", "back.jsonl", "broken.jsonl")
    assert shown.exit_code == 2
    assert "broken.jsonl:1" in shown.stderr
    assert records() == before


def test_a_database_whose_records_were_touched_is_refused(handed_out: Command) -> None:
    with sqlite3.connect("lee.db") as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE records SET body = replace(body, 'baseline', 'candidate') WHERE seq = 2")
    before = records()
    shown = handed_out("merge", "shop", "lee.db", "--from", "mine")
    assert shown.exit_code == 2
    assert "Record 2 of lee.db does not hold" in shown.stderr
    assert records() == before


def test_only_pairs_are_a_queue(handed_out: Command) -> None:
    assert handed_out("export", "shop", "--format", "csv", "--without-reviews").exit_code == 2
