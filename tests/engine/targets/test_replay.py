"""A recording as the assistant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.targets.support import RUN, Direct, ask

from bothways.engine.errors import CallFailed, DataError
from bothways.engine.experiment import Variant
from bothways.engine.facts import Answer, FailureKind, JsonValue, Usage
from bothways.engine.targets.open import open_target


def recording(path: Path, *lines: JsonValue, name: str = "v4") -> Variant:
    file = path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n", "utf-8")
    return Variant(name=name, replay=str(file))


async def play(variant: Variant, case: str = "r-1") -> Answer:
    calls = Direct()
    answer = await open_target(variant, RUN).answer(ask(variant, id=case), calls)
    assert calls.lanes == []
    return answer


async def test_an_answer_is_found_by_its_case(tmp_path: Path) -> None:
    line: JsonValue = {
        "case": "r-2",
        "text": "Grüße",
        "usage": {"prompt_tokens": 5, "completion_tokens": 2},
        "cost_usd": 0.5,
        "duration_s": 1.5,
        "model": "gpt-4o-mini-2024",
        "tool_calls": [{"name": "get_order", "arguments": {"id": "7"}, "turn": 2}],
    }
    answer = await play(recording(tmp_path, {"case": "r-1", "text": "x"}, line), "r-2")
    assert answer.text == "Grüße"
    assert answer.usage == Usage(5, 2, None)
    assert (answer.cost_usd, answer.duration_s, answer.model) == (0.5, 1.5, "gpt-4o-mini-2024")
    assert answer.tool_calls[0].turn == 2
    assert answer.extra == {}


async def test_a_variants_own_answer_comes_before_anybodys(tmp_path: Path) -> None:
    lines: list[JsonValue] = [
        {"case": "r-1", "text": "anybody's"},
        {"case": "r-1", "variant": "v5", "text": "v5's"},
    ]
    assert (await play(recording(tmp_path, *lines, name="v5"))).text == "v5's"
    assert (await play(recording(tmp_path, *lines, name="v4"))).text == "anybody's"


async def test_whole_pairs_are_played_side_by_side(tmp_path: Path) -> None:
    pair: JsonValue = {"pair_id": "r-1", "a": {"model": "v4", "text": "old"}, "b": {"text": "new"}}
    assert (await play(recording(tmp_path, pair, name="v4"))).text == "old"
    assert (await play(recording(tmp_path, pair, name="B"))).text == "new"


async def test_a_conversation_gives_text_tool_calls_and_turns(tmp_path: Path) -> None:
    call: JsonValue = {"id": "c1", "name": "get", "arguments": {"id": 7}}
    messages: JsonValue = [
        {"role": "assistant", "content": "Hi!"},
        {"role": "user", "content": "Where is 7?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "sent", "tool_call_id": "c1"},
        {"role": "assistant", "content": [{"type": "text", "text": "It is sent."}]},
    ]
    answer = await play(recording(tmp_path, {"case": "r-1", "messages": messages}))
    assert answer.text == "It is sent."
    assert [(c.turn, c.name, c.arguments, c.result) for c in answer.tool_calls] == [
        (1, "get", {"id": 7}, "sent")
    ]


async def test_a_missing_case_is_given_up_by_name(tmp_path: Path) -> None:
    with pytest.raises(CallFailed, match="r-9") as caught:
        await play(recording(tmp_path, {"case": "r-1", "text": "x"}), "r-9")
    assert (caught.value.failure.kind, caught.value.action) == (FailureKind.MISSING, "give_up")


async def test_a_recorded_error_is_an_error_again(tmp_path: Path) -> None:
    with pytest.raises(CallFailed) as caught:
        await play(recording(tmp_path, {"case": "r-1", "error": "content filter: withheld"}))
    assert caught.value.failure.kind is FailureKind.CONTENT_FILTER
    assert caught.value.failure.message == "withheld"


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ('{"case": "r-1", "text": "x"}\n\n{broken\n', "answers.jsonl:3"),
        ('{"case": "r-1", "text": "x"}\n[1]\n', "answers.jsonl:2"),
        ('{"text": "x"}\n', "answers.jsonl:1"),
        ('{"case": "r-1", "text": "x"}\n{"case": "r-1", "text": "y"}\n', "answers.jsonl:2: case"),
    ],
)
async def test_a_broken_recording_is_named_by_line(tmp_path: Path, lines: str, place: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(lines, "utf-8")
    with pytest.raises(DataError) as caught:
        await play(Variant(name="v4", replay=str(file)))
    assert str(caught.value).startswith(str(tmp_path / place))
