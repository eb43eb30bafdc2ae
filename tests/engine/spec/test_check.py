from __future__ import annotations

import pytest
from tests.engine.shop import experiment

from bothways.engine.experiment import Experiment, Judge
from bothways.engine.facts import Case, Message, Usage
from bothways.engine.spec.check import Report, check
from bothways.engine.spec.told import data_told, told

AT = "2026-08-06T10:00:00Z"


def free(model: str, usage: Usage) -> float | None:
    return 0.0


def case(number: int, **tags: str) -> Case:
    return Case(f"c{number}", (Message("user", f"Where is {number}?"),), tags=tags)


CASES = [case(1, path="refund"), case(2, path="refund"), case(3, path="shipping"), case(4)]


def report(asked: Experiment | None = None, cases: list[Case] = CASES) -> Report:
    return check(asked or experiment(), cases, None, free, AT)


def lines(found: Report) -> str:
    return "\n".join(f"{said.about}: {said.sentence}" for said in told(found))


def test_cases_are_counted_by_tag_and_stake() -> None:
    seen = report().cases
    assert (seen.count, seen.high_stakes, seen.first.id) == (4, 2, "c1")
    assert dict(seen.tags) == {"path: refund": 2, "path: shipping": 1}


def test_a_cases_own_mark_beats_its_tags() -> None:
    own = Case("x", (Message("user", "?"),), tags={"path": "refund"}, high_stakes=False)
    assert report(cases=[own]).cases.high_stakes == 0


def test_without_a_database_everything_is_left() -> None:
    found = report()
    assert (found.whole.answers, found.whole.passes) == (8, 8)
    assert found.left == found.whole
    assert "there:" not in lines(found)


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        (
            Judge(name="j", model="openai/gpt-5"),
            "the judge openai/gpt-5 is of the same family as gpt-4o of v5",
        ),
        (Judge(name="j", model="m9", swap=False), "the judge sees one order only"),
        (None, "nobody judges"),
    ],
)
def test_what_makes_a_result_worth_less_is_said(judge: Judge | None, said: str) -> None:
    asked = experiment()
    candidate = asked.candidates[0].model_copy(update={"model": "gpt-4o"})
    changed = asked.model_copy(update={"judge": judge, "candidates": (candidate,)})
    assert any(said in warning for warning in report(changed).warnings)


def test_too_few_cases_for_the_gate_are_pointed_out() -> None:
    assert "the gate asks for 10 decided rows, and there are 4 cases" in report().warnings
    assert not report(experiment(min_decided=4)).warnings


def test_luck_is_told_with_its_threshold_and_cases() -> None:
    found = lines(report(cases=[case(n) for n in range(30)]))
    assert "luck: a candidate that is no better still wins 60.0 % of 30 rows in 18.1 % of all tries" in found


def test_many_tags_are_told_by_the_most_frequent() -> None:
    cases = [case(n, **{f"t{m}": "x" for m in range(n, 12)}) for n in range(12)]
    said = dict(data_told(report(cases=cases).cases))
    assert said["tags"].startswith("t11: x (12)")
    assert said["tags"].endswith("4 more")


@pytest.mark.parametrize(
    ("price", "said"), [(3.0, "12.00 USD"), (0.005, "0.02 USD"), (0.0005, "0.0020 USD"), (0.0, "0.00 USD")]
)
def test_what_costs_less_than_a_cent_is_not_told_as_nothing(price: float, said: str) -> None:
    candidates = tuple(experiment().candidates[0].model_copy(update={"name": name}) for name in ("a", "b"))
    asked = experiment().model_copy(update={"candidates": candidates})
    found = check(asked, CASES, None, lambda model, usage: price, AT)
    assert f"cost: about {said}" in lines(found)
