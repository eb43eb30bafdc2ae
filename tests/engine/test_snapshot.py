"""Frozen answers as files."""

from __future__ import annotations

import hashlib
import json

import pytest
from tests.engine.ledger_fake import FakeLedger, FakeRow, case
from tests.engine.shop import experiment

from bothways.engine.errors import UsageError
from bothways.engine.facts import Answer, Failure, FailureKind, ToolCall
from bothways.engine.snapshot import snapshot

FIND = ToolCall("find", {"id": "7"}, result="sent")
DATA = [
    FakeRow(case("c1"), (("v4", Answer("Old", tool_calls=(FIND,), model="m-1")), ("v5", None))),
    FakeRow(case("c2"), (("v4", Answer(failure=Failure(FailureKind.TIMEOUT, "9 s"))), ("v5", None))),
]


def facts() -> FakeLedger:
    return FakeLedger(experiment("short answers!"), DATA)


def test_a_snapshot_holds_each_answer_and_each_call_on_a_line() -> None:
    taken = snapshot(facts(), "short answers!")
    answers, tools = (
        [json.loads(line) for line in taken.files[name].splitlines()]
        for name in ("answers.jsonl", "tools.jsonl")
    )
    assert [(one["case"], one.get("text") or None) for one in answers] == [("c1", "Old"), ("c2", None)]
    assert tools == [{"case": "c1", "name": "find", "arguments": {"id": "7"}, "result": "sent"}]


def test_the_manifest_says_whose_they_are_and_freezes_them_by_hash() -> None:
    taken = snapshot(facts(), "short answers!")
    assert json.loads(taken.files["manifest.json"]) == taken.manifest
    counted = {name: taken.manifest[name] for name in ("variant", "answers", "failed", "returned_models")}
    assert counted == {"variant": "v4", "answers": 2, "failed": 1, "returned_models": ["m-1"]}
    assert taken.manifest["sha256"] == {
        name: hashlib.sha256(taken.files[name].encode()).hexdigest()
        for name in ("answers.jsonl", "tools.jsonl")
    }


def test_the_name_is_fit_for_a_folder_and_names_another_variant() -> None:
    assert snapshot(facts(), "short answers!").name == "short-answers"
    assert snapshot(facts(), "short answers!", "v4").name == "short-answers-v4"


@pytest.mark.parametrize(("variant", "said"), [("v9", "No variant"), ("v5", "no answers yet")])
def test_what_cannot_be_taken_is_said(variant: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        snapshot(facts(), "short answers!", variant)
