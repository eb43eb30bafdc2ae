"""A person's own function as the judge."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import ModuleType
from typing import cast

import pytest
from tests.engine.judging.fakes import PlainCalls, ask

from bothways.engine.errors import CallFailed, UsageError
from bothways.engine.experiment import Judge
from bothways.engine.facts import TIE, FailureKind, PassResult
from bothways.engine.judging.function import FunctionJudging

MODULE = "judges_of_the_tests"


@pytest.fixture(autouse=True)
def functions(monkeypatch: pytest.MonkeyPatch) -> None:
    async def second(asked: Mapping[str, object]) -> dict[str, object]:
        return {"winner": 1, "rationale": f"order {asked['order']}"}

    def shortest(asked: Mapping[str, object]) -> int:
        answers = cast("list[str]", asked["answers"])
        return answers.index(min(answers, key=len))

    def broken(asked: Mapping[str, object]) -> int:
        raise TimeoutError("my own")

    module = ModuleType(MODULE)
    module.__dict__.update(
        second=second, shortest=shortest, broken=broken, slow=lambda asked: time.sleep(5),
        tie=lambda asked: "tie", none=lambda asked: None, true=lambda asked: True, far=lambda asked: 2,
        name=lambda asked: "A", nameless=lambda asked: {"verdict": 0}, object=lambda asked: object(),
    )  # fmt: skip
    monkeypatch.setitem(__import__("sys").modules, MODULE, module)


async def judged(name: str, *, allow_tie: bool = True, timeout_s: float = 60) -> PassResult:
    judge = Judge(name="own", function=f"{MODULE}:{name}", allow_tie=allow_tie)
    return await FunctionJudging(judge, timeout_s).judge(ask(), PlainCalls())


async def test_sync_and_async_functions_judge() -> None:
    assert (await judged("shortest")).choice == 0
    result = await judged("second")
    assert (result.choice, result.rationale, result.reading) == (1, "order 1", "function")


async def test_a_tie_counts_only_where_it_is_allowed() -> None:
    assert (await judged("tie")).choice == TIE
    assert (await judged("tie", allow_tie=False)).choice is None


@pytest.mark.parametrize("name", ["none", "true", "far", "name", "object"])
async def test_what_is_no_verdict_is_unreadable(name: str) -> None:
    result = await judged(name)
    assert result.choice is None
    assert result.failure is not None
    assert result.failure.kind is FailureKind.UNREADABLE


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("name", "the function returned 'A'; expected 0, 1, \"tie\" or None"),
        ("nameless", 'returned "{\'verdict\': 0}"; expected 0, 1, "tie" or None, alone or as `winner`'),
        ("none", "the function returned None: it cannot tell"),
    ],
)
async def test_what_came_and_what_was_expected_are_told(name: str, said: str) -> None:
    failure = (await judged(name)).failure
    assert failure is not None
    assert said in failure.message


async def test_an_exception_is_a_failed_call_with_its_words() -> None:
    with pytest.raises(CallFailed, match="TimeoutError: my own") as raised:
        await judged("broken")
    assert raised.value.failure.kind is FailureKind.CODE


async def test_a_function_that_hangs_is_given_up() -> None:
    with pytest.raises(CallFailed) as raised:
        await judged("slow", timeout_s=0.01)
    assert raised.value.failure.kind is FailureKind.TIMEOUT


def test_an_unknown_function_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        FunctionJudging(Judge(name="own", function=f"{MODULE}:nothing"), 1)
