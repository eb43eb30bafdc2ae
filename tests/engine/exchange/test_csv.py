"""Rows for a spreadsheet, which runs nothing of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from bothways.engine.exchange.csv import COLUMNS, inert, write_csv
from bothways.engine.exchange.pairs import read_pairs
from bothways.store import open_store


def rows_of(folder: Path, line: dict[str, object]) -> list[dict[str, str]]:
    path = folder / "pairs.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    experiment, rows = read_pairs(path, name="x")
    out = io.StringIO(newline="")
    with open_store(folder / "facts.db") as store:
        write_csv(store, store.take(experiment, rows, "2026-08-06T10:00:00.000Z"), out)
    csv.field_size_limit(1_000_000)
    return list(csv.DictReader(io.StringIO(out.getvalue(), newline="")))


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
    said = [(row["source"], row["who"], row["shown_first"], row["verdict"]) for row in rows]
    assert said == [
        ("judge", "g", "v4", "v5"),
        ("judge", "g", "v5", "unreadable"),
        ("human", "kim", "", "v4"),
        ("human", "gold", "", "tie"),
    ]


def test_reviews_say_who_when_and_why(tmp_path: Path) -> None:
    review = {
        "candidate": "v5", "case": "r-1", "pair": "p", "tools": "t", "act": "verdict",
        "verdict": "candidate", "reviewer": "kim", "reason": "true", "note": "n",
        "at": "2026-01-01T00:00:00Z", "seq": 1, "hash": "ab",
    }  # fmt: skip
    row = rows_of(tmp_path, pair(reviews=[review]))[0]
    assert (row["source"], row["who"], row["at"], row["act"]) == (
        "review",
        "kim",
        "2026-01-01T00:00:00Z",
        "verdict",
    )
    assert (row["verdict"], row["reason"], row["rationale"]) == ("candidate", "true", "n")


def test_a_row_about_which_nobody_said_anything_is_there(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, pair())
    assert [(row["case"], row["answer_a"], row["answer_b"]) for row in rows] == [("r-1", "x", "y")]


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1", "-Infinity", "@SUM(1)", "\t=1", "\r=1", "\u200b=1", " =1"]
)
def test_what_a_spreadsheet_would_run_gets_a_quote_mark(text: str) -> None:
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "plain", "'=1", "a=1", "1-2"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


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
