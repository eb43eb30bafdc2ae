"""What was imported is exported so that importing it again gives the same facts."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.shared import DATA, needs_data

from bothways.engine.errors import DataError
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.writing import write_pairs
from bothways.engine.experiment import Attest, Experiment, Variant
from bothways.engine.facts import Case, Message
from bothways.engine.ledger import ImportedRow
from bothways.store import Store, open_store

AT = "2026-08-06T10:00:00.000Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "facts.db") as store:
        yield store


def facts(path: Path, **options: Any) -> list[ImportedRow]:
    """Everything a file says, but the order of its passes and the place of its reviews in another chain."""
    rows = []
    for row in read_pairs(path, name="x", **options)[1]:
        reviews = [{k: v for k, v in r.items() if k not in ("seq", "hash", "home")} for r in row.reviews]
        passes = sorted(row.passes, key=lambda one: (one[0], one[1]))
        rows.append(replace(row, passes=tuple(passes), reviews=tuple(reviews)))
    return rows


def exported(store: Store, path: Path, to: Path, **options: Any) -> Path:
    experiment, rows = read_pairs(path, name=to.stem, **options)
    spec_id = store.take(experiment, rows, AT)
    with to.open("w", encoding="utf-8") as out:
        write_pairs(store, spec_id, out)
    return to


def assert_lossless(store: Store, path: Path, folder: Path, **options: Any) -> None:
    before = facts(path, **options)
    assert facts(exported(store, path, folder / "one.jsonl", **options)) == before
    again = exported(store, folder / "one.jsonl", folder / "two.jsonl")
    assert facts(again) == before


RICH = {
    "pair_id": "r-17",
    "prompt": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Où est 7 ?\n\u202e"}],
    "context": "Policy.",
    "reference": "Shipped.",
    "a": {
        "model": "v4",
        "messages": [
            {"role": "user", "content": "Where is 7?"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "name": "get_order", "arguments": {"id": "7"}}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
                "cost": 0.0,
            },
            {"role": "tool", "tool_call_id": "c1", "content": "shipped", "error": True},
            {"role": "assistant", "content": "Shipped.", "usage": {"completion_tokens": 1}},
        ],
        "eval": {"agent_cost_usd": 0.0, "duration_s": 2.5, "reward": 1.0},
        "shard": {"n": 2},
    },
    "b": {"model": "v5", "text": "", "error": "timeout: 9 s", "usage": {"prompt_tokens": 5, "total": 5}},
    "judgements": [
        {"judge": "g", "shown_first": "A", "verdict": "A", "rationale": "because", "raw": "{}", "seed": 3},
        {"judge": "g", "shown_first": "B", "verdict": None, "error": "unreadable: x", "notes": ["asked"]},
        {"judge": "h", "shown_first": "B", "verdict": "tie", "cost_usd": 0.5, "model": "h-2"},
    ],
    "humans": [
        {"annotator": "kim", "verdict": "B", "note": "kinder", "team": "north"},
        {"annotator": "lee", "verdict": None},
    ],
    "gold": "tie",
    "reviews": [
        {"candidate": "v5", "case": "r-17", "pair": "p", "tools": "t", "act": "verdict", "verdict": "tie",
         "both_bad": True, "reviewer": "kim", "note": "n", "reason": "r", "at": AT, "seq": 4, "hash": "ab"},
    ],
    "tags": {"path": "refund"},
    "high_stakes": True,
    "tool_rules": [{"required": "get_order"}],
    "checks": [{"contains": "order"}],
    "origin": {"file": "crm", "n": [1, 2.5, None]},
}  # fmt: skip


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_every_field_survives(store: Store, tmp_path: Path) -> None:
    plain = {
        "pair_id": 2,
        "prompt": "Hi",
        "a": {"model": "v4", "text": "x"},
        "b": {"model": "v5", "text": "y"},
    }
    assert_lossless(store, write(tmp_path / "rich.jsonl", RICH, plain), tmp_path)


def test_a_moved_baseline_survives(store: Store, tmp_path: Path) -> None:
    assert_lossless(store, write(tmp_path / "rich.jsonl", RICH), tmp_path, baseline="v5")


def test_many_variants_survive_in_their_order(store: Store, tmp_path: Path) -> None:
    lines = [
        {"pair_id": n, "a": {"model": a, "text": a}, "b": {"model": b, "text": b},
         "judgements": [{"judge": "g", "shown_first": "A", "verdict": "B"}]}
        for n, (a, b) in enumerate([("m1", "m2"), ("m3", "m1"), ("m2", "m3")])
    ]  # fmt: skip
    path = write(tmp_path / "many.jsonl", *lines)
    assert_lossless(store, path, tmp_path)
    first, second = (read_pairs(p)[0] for p in (path, tmp_path / "two.jsonl"))
    assert [v.name for v in first.variants] == [v.name for v in second.variants] == ["m1", "m2", "m3"]


def test_a_later_night_belongs_to_the_row_of_its_own_candidate(store: Store, tmp_path: Path) -> None:
    """Not to the first row of its case: a pair with votes has a row of its own."""
    a = {"model": "v4", "text": "x"}
    lines = [
        {"pair_id": "r", "a": a, "b": {"model": "v5", "text": "y"}},
        {"pair_id": "r", "a": a, "b": {"model": "v6", "text": "z"}, "gold": "A"},
        {"pair_id": "r", "a": a, "b": {"model": "v6", "text": "w"}, "night": 2},
    ]
    path = write(tmp_path / "nights.jsonl", *lines)
    assert [[one.variant for one in row.answers] for row in facts(path)] == [["v4", "v5"], ["v4", "v6", "v6"]]
    assert_lossless(store, path, tmp_path)


def test_what_was_attested_and_what_the_tools_gave_survive(store: Store, tmp_path: Path) -> None:
    call = {"name": "get_order", "arguments": {"id": "7"}, "result": "left on Monday"}
    line = {
        "pair_id": "r", "attest": {"one_change": "only the greeting"},
        "a": {"model": "v4", "text": "x", "tool_calls": [call]}, "b": {"model": "v5", "text": "y"},
    }  # fmt: skip
    path = write(tmp_path / "attested.jsonl", line)
    assert_lossless(store, path, tmp_path)
    again, (row,) = read_pairs(tmp_path / "two.jsonl")
    assert again.attest == Attest(one_change="only the greeting")
    assert [one.result for one in row.answers[0].answer.tool_calls] == ["left on Monday"]


def test_a_file_that_attests_two_things_is_refused(tmp_path: Path) -> None:
    sides = {"a": {"model": "v4", "text": "x"}, "b": {"model": "v5", "text": "y"}}
    lines = [{"pair_id": n, **sides, "attest": {"one_change": f"reason {n}"}} for n in (1, 2)]
    path = write(tmp_path / "two.jsonl", *lines)
    with pytest.raises(DataError) as refused:
        read_pairs(path)
    assert (refused.value.place.file, refused.value.place.line) == (str(path), 2)
    assert refused.value.expected == "what an earlier line says: reason 1"


def test_a_named_baseline_of_many_is_named_in_the_export(store: Store, tmp_path: Path) -> None:
    lines = [
        {"pair_id": n, "a": {"model": a, "text": a}, "b": {"model": b, "text": b}}
        for n, (a, b) in enumerate([("m1", "m2"), ("m3", "m1"), ("m2", "m3")])
    ]
    path = write(tmp_path / "many.jsonl", *lines)
    out = exported(store, path, tmp_path / "one.jsonl", baseline="m3")
    experiment, _ = read_pairs(out)
    assert [v.name for v in experiment.variants] == ["m3", "m1", "m2"]


@pytest.mark.parametrize("said", [{}, {"writes": ["refund"]}, {"reads": ["refund"]}])
def test_what_is_known_of_the_tools_called_survives(
    store: Store, tmp_path: Path, said: dict[str, list[str]]
) -> None:
    called = {"text": "Done.", "tool_calls": [{"name": name} for name in ("refund", "get_order")]}
    line = {"pair_id": "r-1", "a": {"model": "v4"} | called, "b": {"model": "v5", "text": "No."}} | said
    path = write(tmp_path / "tools.jsonl", line)
    before, after = (read_pairs(p)[0] for p in (path, exported(store, path, tmp_path / "one.jsonl")))
    assert [after.writes(name) for name in ("refund", "get_order")] == [
        before.writes(name) for name in ("refund", "get_order")
    ]


def test_a_row_with_one_answer_is_no_pair_yet(store: Store) -> None:
    experiment = Experiment(
        name="x", baseline=Variant(name="v4", model="m"), candidates=(Variant(name="v5", model="m"),)
    )
    spec_id = store.add(experiment, [Case("1", (Message("user", "Hi"),))], AT)
    assert write_pairs(store, spec_id, io.StringIO()) == 0


@needs_data
@pytest.mark.parametrize("name", ["mtbench200", "pandalm999", "tau2_retail40"])
def test_real_files_survive(store: Store, tmp_path: Path, name: str) -> None:
    assert_lossless(store, DATA / f"{name}.jsonl", tmp_path)
