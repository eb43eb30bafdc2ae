"""A queue is handed out, reviewed elsewhere, and the reviews come home."""

from __future__ import annotations

import json
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.app.cli.conftest import Command, pairs

from bothways.engine.clock import later, now


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


def back(handed_out: Command, **changed: str) -> Path:
    """Lee's reviews as they come home, the last of them changed on the way."""
    assert handed_out("--db", "lee.db", "export", "mine", "-o", "back.jsonl").exit_code == 0
    path = Path("back.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    (review,) = lines[1]["reviews"]
    review.update(changed, hash="ab" * 32)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "words", [("merge", "shop", "back.jsonl"), ("import", "back.jsonl", "--name", "new")]
)
def test_a_review_from_the_future_is_named_with_its_row(handed_out: Command, words: tuple[str, ...]) -> None:
    back(handed_out, at="2126-08-06T09:00:00.000Z")
    shown = handed_out(*words)
    assert shown.exit_code == 0, shown.output
    assert (
        "lee: 1 review from the future, up to 2126-08-06T09:00:00.000Z (c2): is a clock wrong?"
        in shown.stderr
    )


@pytest.mark.parametrize(
    "words", [("merge", "shop", "back.jsonl"), ("import", "back.jsonl", "--name", "new")]
)
def test_a_name_that_looks_like_anothers_is_named_with_its_row(
    handed_out: Command, words: tuple[str, ...]
) -> None:
    back(handed_out, reviewer="Lee.")
    shown = handed_out(*words)
    assert shown.exit_code == 0, shown.output
    assert "c2: Lee. is not lee: they count as two people; who is meant?" in shown.stderr


@pytest.mark.parametrize("name", ["le\u200be", " lee", "  "], ids=ascii)
@pytest.mark.parametrize(
    "words", [("merge", "shop", "back.jsonl"), ("import", "back.jsonl", "--name", "new")]
)
def test_a_name_that_nobody_can_sign_with_is_refused_with_its_line(
    handed_out: Command, words: tuple[str, ...], name: str
) -> None:
    back(handed_out, reviewer=name)
    before = records()
    shown = handed_out(*words)
    assert shown.exit_code == 2
    assert "back.jsonl:2: reviews[0].reviewer" in shown.stderr
    assert records() == before


def test_reviews_of_a_clock_that_is_a_minute_ahead_are_nothing_to_tell(handed_out: Command) -> None:
    back(handed_out, at=later(now(), timedelta(minutes=1)))
    assert "future" not in handed_out("merge", "shop", "back.jsonl").stderr
