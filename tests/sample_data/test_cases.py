"""Forty cases; rules that every recorded answer keeps; tool calls that no candidate changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from tests.sample_data.recorded import (
    BASELINE,
    CANDIDATES,
    Called,
    answers,
    calls,
    cases,
    lines,
    stakes,
    tools,
)

VARIANTS = (BASELINE, *CANDIDATES.values())
MONEY = {"refund", "checkout", "shipping"}


def names(made: list[Called]) -> list[str]:
    return [call.name for call in made]


def in_order(wanted: list[str], made: list[Called]) -> bool:
    called = [name for name in names(made) if name in wanted]
    return called == sorted(called, key=wanted.index) and (not called or called[0] == wanted[0])


def as_given(wanted: dict[str, dict[str, str]], made: list[Called]) -> bool:
    return all(wanted[call.name].items() <= call.arguments.items() for call in made if call.name in wanted)


KEPT: dict[str, Callable[[Any, list[Called]], bool]] = {
    "required": lambda tool, made: tool in names(made),
    "forbidden": lambda tool, made: tool not in names(made),
    "order": in_order,
    "arguments": as_given,
    "max_per_turn": lambda most, made: max(Counter(call.turn for call in made).values(), default=0) <= most,
    "max_calls": lambda most, made: all(names(made).count(tool) <= n for tool, n in most.items()),
}


def test_there_are_forty_cases_over_seven_paths() -> None:
    paths = Counter(case["tags"]["path"] for case in cases().values())
    assert len(lines("cases.jsonl")) == len(cases()) == paths.total() == 40
    assert set(paths) == {"order", "shipping", "refund", "checkout", "return", "price", "account"}


def test_every_case_asks_something_and_says_what_was_known() -> None:
    for case in cases().values():
        asked = case.get("input") or case["messages"][-1]["content"]
        assert asked
        assert case["context"]
        assert case["reference"]
        assert case["tool_rules"]


def test_twelve_cases_are_high_stakes_on_the_paths_of_money() -> None:
    assert len(stakes()) == 12
    assert {cases()[name]["tags"]["path"] for name in stakes()} == MONEY


def test_a_case_on_a_path_of_money_says_itself_whether_it_matters() -> None:
    silent = [n for n, case in cases().items() if case["tags"]["path"] in MONEY and "high_stakes" not in case]
    assert silent == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_recording_answers_every_case_once(variant: str) -> None:
    recorded = lines(f"recordings/{variant}.jsonl")
    assert [line["case"] for line in recorded] == list(cases())
    assert {line["variant"] for line in recorded} == {variant}
    assert all(answers(variant).values())


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_are_kept(variant: str) -> None:
    made = calls(variant)
    broken = [
        (name, rule)
        for name, case in cases().items()
        for rule in case["tool_rules"]
        for kind, value in rule.items()
        if not KEPT[kind](value, made[name])
    ]
    assert broken == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_calls_fit_the_tools(variant: str) -> None:
    known = tools()
    for made in calls(variant).values():
        for call in made:
            jsonschema.validate(call.arguments, known[call.name]["parameters"])


@pytest.mark.parametrize("candidate", CANDIDATES.values())
def test_no_candidate_is_another_agent(candidate: str) -> None:
    before, after = calls(BASELINE), calls(candidate)
    writes = {name for name, tool in tools().items() if tool.get("writes")}
    for case in cases():
        assert set(names(before[case])) == set(names(after[case]))
        assert writing(before[case], writes) == writing(after[case], writes)


def writing(made: list[Called], writes: set[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    return sorted((call.name, sorted(call.arguments.items())) for call in made if call.name in writes)


def test_the_reworded_tool_is_given_another_region_and_the_postcode() -> None:
    before, after = calls(BASELINE), calls("v5-shipping-tool")
    changed = [
        (one.arguments, other.arguments)
        for case in cases()
        for one, other in zip(before[case], after[case], strict=True)
        if one != other
    ]
    assert len(changed) > 20
    assert all(one["region"] != other["region"] for one, other in changed)
    assert all("postcode" in other or "country" in other for _, other in changed)
