"""Rows for a spreadsheet, which runs nothing of them."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.people import Desk

from bothways.engine.analysis.gather import gather
from bothways.engine.exchange.csv import COLUMNS, inert, restored, write_csv
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.verdicts import Verdicts
from bothways.engine.facts import Answer
from bothways.engine.pairs import seen
from bothways.engine.review import Act
from bothways.store import open_store


def exported(folder: Path, *lines: dict[str, object]) -> Path:
    """Import these pairs and export them as CSV."""
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    experiment, rows = read_pairs(path, name="x")
    written = folder / "rows.csv"
    with open_store(folder / "facts.db") as store, written.open("w", encoding="utf-8", newline="") as out:
        write_csv(store, store.take(experiment, rows, "2026-08-06T10:00:00.000Z"), out)
    return written


def written(desk: Desk) -> list[dict[str, str]]:
    out = io.StringIO()
    write_csv(desk.facts, 1, out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def rows_of(folder: Path, line: dict[str, object]) -> list[dict[str, str]]:
    csv.field_size_limit(1_000_000)
    with exported(folder, line).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pair(**fields: object) -> dict[str, object]:
    sides = {"a": {"model": "v4", "text": "x"}, "b": {"model": "v5", "text": "y"}}
    return {"pair_id": "r-1", "prompt": "Hi", **sides, **fields}


def test_each_pass_and_each_vote_has_a_line(tmp_path: Path) -> None:
    judgements = [
        {"judge": "g", "shown_first": first, "verdict": said} for first, said in (("A", "B"), ("B", None))
    ]
    rows = rows_of(
        tmp_path, pair(judgements=judgements, humans=[{"annotator": "kim", "verdict": "A"}], gold="tie")
    )
    said = [(row["line"], row["who"], row["shown_first"], row["verdict"]) for row in rows]
    assert said == [
        ("judge", "g", "v4", "v5"),
        ("judge", "g", "v5", "unreadable"),
        ("label", "kim", "", "v4"),
        ("label", "gold", "", "tie"),
    ]


def test_reviews_say_who_when_and_why(tmp_path: Path) -> None:
    review = {
        "candidate": "v5", "case": "r-1", "pair": "p", "tools": "t", "act": "verdict",
        "verdict": "candidate", "reviewer": "kim", "reason": "true", "note": "n",
        "at": "2026-01-01T00:00:00Z", "seq": 1, "hash": "ab",
    }  # fmt: skip
    row = rows_of(tmp_path, pair(reviews=[review]))[0]
    assert (row["line"], row["who"], row["at"], row["act"]) == (
        "review",
        "kim",
        "2026-01-01T00:00:00Z",
        "verdict",
    )
    assert (row["verdict"], row["reason"], row["rationale"]) == ("v5", "true", "n")


def test_a_row_about_which_nobody_said_anything_is_there(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, pair())
    assert [(row["case"], row["answer_a"], row["answer_b"]) for row in rows] == [("r-1", "x", "y")]


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1", "-Infinity", "@SUM(1)", "\t=1", "\r=1", "\u200b=1", " =1"]
)
def test_what_a_spreadsheet_would_run_gets_a_quote_mark(text: str) -> None:
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "plain", "'quoted'", "a=1", "1-2"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r\n\u200b a1")))
def test_the_quote_mark_can_be_taken_off_again(text: str) -> None:
    assert restored(inert(text)) == text


def test_names_and_notes_are_made_inert_too_and_numbers_stay_numbers(tmp_path: Path) -> None:
    sides = {"a": {"model": "=v4", "text": "x", "cost_usd": 0.5}, "b": {"model": "@v5", "text": "-y"}}
    row = rows_of(tmp_path, pair(**sides, humans=[{"annotator": "+kim", "verdict": "A", "note": "=1"}]))[0]
    assert (row["variant_a"], row["variant_b"], row["answer_b"]) == ("'=v4", "'@v5", "'-y")
    assert (row["who"], row["verdict"], row["rationale"]) == ("'+kim", "'=v4", "'=1")
    assert row["cost_usd_a"] == "0.5"


def test_line_breaks_quotes_and_long_texts_stay_in_their_cell(tmp_path: Path) -> None:
    text = 'a\r\nb\rc "d", e' + "x" * 200_000
    rows = rows_of(tmp_path, pair(a={"model": "v4", "text": text}))
    assert [row["answer_a"] for row in rows] == [text]
    assert tuple(rows[0]) == COLUMNS


def test_other_readers_find_the_same_rows_and_values(tmp_path: Path) -> None:
    texts = ["a\rb", "a\nb", "a\r\nb", 'a "b", c', "a\x00b", "=1", "x" * 200_000]
    lines = [
        {**pair(), "pair_id": f"r-{n}", "a": {"model": "v4", "text": text}} for n, text in enumerate(texts)
    ]
    path = exported(tmp_path, *lines)
    csv.field_size_limit(1_000_000)
    with path.open(encoding="utf-8", newline="") as file:
        read = [row["answer_a"] for row in csv.DictReader(file)]
    database = tmp_path / "read.db"
    shell = shutil.which("sqlite3")
    if shell is not None:
        subprocess.run([shell, database, ".mode csv", f".import {path} rows"], check=True)
        found = sqlite3.connect(database).execute("SELECT answer_a FROM rows").fetchall()
        assert [text for (text,) in found] == read
    assert [restored(text) for text in read] == [text.replace("\0", "␀") for text in texts]


def judged(*said: tuple[str, str]) -> dict[str, object]:
    """A pair that these judges found in both orders to be won by these sides."""
    return pair(
        judgements=[
            {"judge": judge, "shown_first": first, "verdict": side} for judge, side in said for first in "AB"
        ]
    )


def reviewed(act: str, verdict: str | None, **more: object) -> dict[str, object]:
    stands_on = seen(Answer("x"), Answer("y"))
    assert stands_on is not None
    return {
        "candidate": "v5", "case": "r-1", **stands_on._asdict(), "act": act, "verdict": verdict,
        "reviewer": "kim", "note": "n", "at": "2026-01-01T00:00:00Z", "seq": 1, "hash": "ab", **more,
    }  # fmt: skip


COUNTS = ("judge_verdict", "human_verdict", "final_verdict", "source", "reviewer", "time", "note", "blind")


def test_every_line_says_what_its_row_adds_up_to(tmp_path: Path) -> None:
    line = judged(("g", "B")) | {"reviews": [reviewed("verdict", "baseline", blind=True)]}
    rows = rows_of(tmp_path, line)
    assert [row["line"] for row in rows] == ["judge", "judge", "review"]
    said = {tuple(row[name] for name in COUNTS) for row in rows}
    assert said == {("v5", "v4", "v4", "human", "kim", "2026-01-01T00:00:00Z", "n", "yes")}


def test_a_row_on_which_people_differ_is_not_decided_by_the_judge() -> None:
    desk = Desk("cc", policy="majority").does(Act.BASELINE, by="ann").does(Act.TIE, by="kim")
    assert desk.verdict is None
    assert {(row["judge_verdict"], row["final_verdict"], row["source"]) for row in written(desk)} == {
        ("v5", "", "")
    }


def test_a_second_look_is_not_when_the_verdict_was_given() -> None:
    desk = Desk("cc").does(Act.CANDIDATE)
    first = desk.last.body["at"]
    desk.does(Act.CANDIDATE, blind=True, look=2)
    assert {(row["time"], row["blind"]) for row in written(desk)} == {(first, "no")}


def test_a_row_is_dated_by_the_verdict_in_force_not_by_one_taken_back(tmp_path: Path) -> None:
    later = {"at": "2026-01-02T00:00:00Z", "hash": "cd"}
    taken_back = reviewed("verdict", "candidate", seq=2, blind=True, **later)
    undo = reviewed("undo", None, seq=3, undoes=2, at="2026-01-03T00:00:00Z", hash="ef")
    line = judged(("g", "B")) | {"reviews": [reviewed("verdict", "baseline"), taken_back, undo]}
    said = {(row["human_verdict"], row["time"], row["blind"]) for row in rows_of(tmp_path, line)}
    assert said == {("v4", "2026-01-01T00:00:00Z", "no")}


def test_where_nobody_reviewed_the_judge_decides(tmp_path: Path) -> None:
    row = rows_of(tmp_path, judged(("g", "B")))[0]
    assert tuple(row[name] for name in COUNTS) == ("v5", "", "v5", "judge", "", "", "", "")
    assert row["outcome"] == "win"


def test_a_flip_names_nobody(tmp_path: Path) -> None:
    both = [{"judge": "g", "shown_first": first, "verdict": first} for first in "AB"]
    row = rows_of(tmp_path, pair(judgements=both))[0]
    assert (row["outcome"], row["judge_verdict"], row["final_verdict"], row["source"]) == (
        "flip_hard",
        "",
        "",
        "",
    )


def test_each_judge_has_verdicts_of_its_own(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path, judged(("g", "B"), ("h", "A")) | {"humans": [{"annotator": "kim", "verdict": "A"}]}
    )
    said = [(row["line"], row["judge"], row["judge_verdict"], row["final_verdict"]) for row in rows]
    assert set(said) == {("judge", "g", "v5", "v5"), ("judge", "h", "v4", "v4"), ("label", "", "", "")}


def test_both_bad_counts_as_a_tie_and_says_so(tmp_path: Path) -> None:
    line = judged(("g", "B")) | {"reviews": [reviewed("verdict", "tie", both_bad=True)]}
    row = rows_of(tmp_path, line)[0]
    assert (row["human_verdict"], row["final_verdict"]) == ("both-bad", "tie")


def test_where_reviewers_differ_and_nothing_settles_it_no_verdict_is_final() -> None:
    desk = Desk("cc", policy="majority").does(Act.BASELINE, by="ann").does(Act.CONFIRM, by="lee")
    found = Verdicts(desk.facts, 1).of(desk.facts.row(1), ("v4", "v5"), "judge")
    assert (found["judge_verdict"], found["final_verdict"], found["source"]) == ("v5", None, "")


def test_time_and_blindness_are_those_of_the_verdict_that_counts(tmp_path: Path) -> None:
    """Not of a second look, nor of one that was taken back."""
    day = "2026-01-0{}T00:00:00.000Z"
    said = [
        reviewed("verdict", "baseline", at=day.format(1)),
        reviewed("verdict", "tie", seq=2, hash="cd", at=day.format(2), blind=True),
        reviewed("undo", None, seq=3, hash="ef", at=day.format(3), undoes=2),
        reviewed("verdict", "baseline", seq=4, hash="ac", at=day.format(4), blind=True, look=2),
    ]
    row = rows_of(tmp_path, judged(("g", "B")) | {"reviews": said})[0]
    assert (row["final_verdict"], row["time"], row["blind"]) == ("v4", day.format(1), "no")


def test_every_candidate_and_judge_has_the_conclusions_of_its_own_gate(tmp_path: Path) -> None:
    told = {"v5": "AB", "v6": "Bt"}
    lines = [
        pair(pair_id=case, b={"model": name, "text": f"{name} {case}"}, judgements=[
            {"judge": judge, "shown_first": first, "verdict": {"t": "tie"}.get(said, said)}
            for judge, said in zip(("g", "h"), told[name][::turn], strict=True) for first in "AB"
        ])
        for case, turn in (("r-1", 1), ("r-2", -1)) for name in told
    ]  # fmt: skip
    path = exported(tmp_path, *lines)
    with path.open(encoding="utf-8", newline="") as file, open_store(tmp_path / "facts.db") as store:
        rows = list(csv.DictReader(file))
        expected = {
            (row.case_id, name, judge): (row.outcome.value, row.final and evidence.names[row.final])
            for name in told for judge in "gh"
            for evidence in [gather(store, "x", candidate=name, judge=judge, today="2026-08-06")]
            for row in evidence.rows
        }  # fmt: skip
    found = {
        (row["case"], row["variant_b"], row["who"]): (row["outcome"], row["final_verdict"]) for row in rows
    }
    assert found == expected
    assert len({*found.values()}) == 4
