"""Tool rules, checks of answers, and calls laid beside the baseline's."""

from __future__ import annotations

import pytest

from bothways.engine.analysis.model import ToolState
from bothways.engine.analysis.tools import align, compare
from bothways.engine.facts import JsonObject
from bothways.engine.rules import CHECKS, RULES, Call, check_kept, problem, rule_kept


def calls(*said: str) -> list[Call]:
    """Calls as "turn name id"; without an id the call has no arguments."""
    made = []
    for one in said:
        turn, name, *order = one.split()
        made.append(Call(int(turn), name, f'{{"id":"{order[0]}"}}' if order else "{}"))
    return made


LOOKED = calls("0 get 7", "1 refund 7")


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ({"required": "get"}, True),
        ({"required": ["get", "close"]}, False),
        ({"forbidden": "refund"}, False),
        ({"forbidden": ["close", "cancel"]}, True),
        ({"order": ["get", "refund"]}, True),
        ({"order": ["refund", "get"]}, False),
        ({"order": ["verify", "refund"]}, False),
        ({"order": ["get", "close"]}, True),
        ({"arguments": {"refund": {"id": "7"}}}, True),
        ({"arguments": {"refund": {"id": "8"}}}, False),
        ({"arguments": {"close": {"id": "8"}}}, True),
        ({"max_per_turn": 1}, True),
        ({"max_calls": {"refund": 1}}, True),
        ({"max_calls": {"refund": 0}}, False),
    ],
)
def test_tool_rules(rule: JsonObject, kept: bool) -> None:
    assert problem(rule, RULES) is None
    assert rule_kept(rule, LOOKED) is kept


def test_two_calls_in_one_turn_are_too_many() -> None:
    assert not rule_kept({"max_per_turn": 1}, calls("0 get 7", "0 refund 7"))


@pytest.mark.parametrize(
    ("check", "kept"),
    [
        ({"contains": "TOMORROW"}, True),
        ({"contains": ["tomorrow", "today"]}, False),
        ({"excludes": "sorry"}, True),
        ({"regex": r"order \d+"}, True),
        ({"no_markdown_table": True}, True),
        ({"min_chars": 100}, False),
        ({"max_chars": 100}, True),
        ({"json_schema": {"type": "object"}}, False),
    ],
)
def test_checks_of_an_answer(check: JsonObject, kept: bool) -> None:
    assert problem(check, CHECKS) is None
    assert check_kept(check, "Your order 17 arrives tomorrow.") is kept


def test_a_markdown_table_is_found_and_a_rule_is_not_one() -> None:
    assert not check_kept({"no_markdown_table": True}, "| a | b |\n| --- | :-: |\n| 1 | 2 |")
    assert check_kept({"no_markdown_table": True}, "above\n\n---\n\nbelow | beside")


def test_json_that_fits_its_schema() -> None:
    schema: JsonObject = {"json_schema": {"type": "object", "required": ["id"]}}
    assert check_kept(schema, '{"id": 7}')
    assert not check_kept(schema, "{}")


@pytest.mark.parametrize(
    "rule",
    [{"requird": "get"}, {}, {"max_per_turn": "one"}, {"order": ["get"]}, {"required": 7}, {"regex": "("},
     {"required": "get", "forbidden": "x"}, {"max_calls": {"get": True}}],
)  # fmt: skip
def test_what_is_wrong_with_a_rule_is_said(rule: JsonObject) -> None:
    assert problem(rule, {**RULES, "regex": None})


def test_a_rule_that_only_the_candidate_breaks() -> None:
    rules: list[JsonObject] = [{"order": ["get", "refund"]}]
    found = compare(LOOKED, LOOKED[::-1], rules, writes=bool)
    assert found.state is ToolState.BROKEN
    assert found.reasons == ('breaks order: ["get","refund"]',)
    assert compare(LOOKED[::-1], LOOKED[::-1], rules, writes=bool).state is ToolState.SAME


@pytest.mark.parametrize(
    ("baseline", "candidate", "state"),
    [
        ([], [], ToolState.NONE),
        (LOOKED, LOOKED, ToolState.SAME),
        (LOOKED, calls("0 get 7", "0 get 8", "1 refund 7"), ToolState.SAME),
        (LOOKED, calls("0 get 7"), ToolState.CHANGED),
        (LOOKED, calls("0 get 7", "1 refund 8"), ToolState.CHANGED),
        (LOOKED, calls("0 get 7", "1 refund 7", "2 refund 7"), ToolState.CHANGED),
        ([], calls("0 get 7"), ToolState.CHANGED),
    ],
)
def test_reading_may_vary_and_writing_may_not(
    baseline: list[Call], candidate: list[Call], state: ToolState
) -> None:
    assert compare(baseline, candidate, writes={"refund"}.__contains__).state is state


def test_calls_are_aligned_by_tool() -> None:
    lines = align(calls("0 get 7", "1 check", "2 refund 7"), calls("0 get 7", "1 refund 8", "2 tell"))
    assert [line.change for line in lines] == ["same", "gone", "arguments", "new"]
