"""Functions and programs as the assistant."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from filelock import FileLock
from tests.engine.targets.support import RUN, Direct, ask

from bothways.engine.errors import CallFailed, UsageError
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Answer, FailureKind, ToolCall, Usage
from bothways.engine.targets.code import find_function
from bothways.engine.targets.open import open_target

SHOP = "tests.engine.targets.shop"


def function(name: str) -> Variant:
    return Variant(name="v4", function=f"{SHOP}:{name}")


def program(code: str) -> Variant:
    return Variant(name="v4", command=(sys.executable, "-c", code))


async def answer_of(variant: Variant, run: RunSettings = RUN) -> Answer:
    target = open_target(variant, run)
    answer = await target.answer(ask(variant), Direct())
    await target.close()
    return answer


async def failure_of(variant: Variant, run: RunSettings = RUN) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        await answer_of(variant, run)
    return caught.value


async def test_a_function_may_return_a_text() -> None:
    answer = await answer_of(function("echo"))
    assert answer.text == "You asked: Where is order 7?"
    assert answer.cost_usd is None
    assert answer.duration_s is not None


async def test_a_function_may_be_async_and_return_everything() -> None:
    answer = await answer_of(function("echo_async"))
    assert answer.text == "You asked: Where is order 7?"
    assert answer.tool_calls == (ToolCall("get_order", {"id": "7"}, id="call_0_0"),)
    assert answer.usage == Usage(10, 2, None)
    assert answer.cost_usd == 0.25
    assert answer.model == "our-own"
    assert answer.extra == {"trace": "t-1"}


async def test_a_function_sees_neither_reference_nor_rules() -> None:
    assert (
        await answer_of(function("keys"))
    ).text == "context input messages model params prompt session tools"


async def test_a_function_that_raises_says_where() -> None:
    failed = await failure_of(function("raises"))
    assert (failed.failure.kind, failed.action) == (FailureKind.CODE, "give_up")
    assert failed.failure.message.startswith("KeyError: 'price' (")
    assert "shop.py:" in failed.failure.message


async def test_a_function_that_exits_does_not_end_the_run() -> None:
    failed = await failure_of(function("exits"))
    assert failed.failure.kind is FailureKind.CODE
    assert "SystemExit(3)" in failed.failure.message


async def test_a_function_that_hangs_is_left_behind_at_its_deadline() -> None:
    failed = await failure_of(function("sleeps"), RunSettings(timeout_s=0.2))
    assert (failed.failure.kind, failed.action) == (FailureKind.TIMEOUT, "retry")


@pytest.mark.parametrize("name", ["returns_nothing", "returns_an_object"])
async def test_a_function_that_returns_no_answer_is_an_error(name: str) -> None:
    assert (await failure_of(function(name))).failure.kind is FailureKind.EXTRACTION


async def test_an_error_that_is_returned_keeps_its_kind_and_its_cost() -> None:
    failed = await failure_of(function("fails_softly"))
    assert failed.failure.kind is FailureKind.TIMEOUT
    assert failed.failure.message == "the kitchen is closed"
    assert failed.cost_usd == 0.5


@pytest.mark.parametrize("name", ["no_such_module:f", f"{SHOP}:no_such_function", "no_colon"])
def test_a_function_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(UsageError):
        open_target(Variant(name="v4", function=name), RUN)


async def test_a_program_reads_the_case_and_writes_the_answer() -> None:
    code = "import json,sys; c = json.load(sys.stdin); print(json.dumps({'text': c['input'].upper()}))"
    answer = await answer_of(program(code))
    assert answer.text == "WHERE IS ORDER 7?"


async def test_a_program_that_fails_is_quoted() -> None:
    failed = await failure_of(program("import sys; sys.exit('no database')"))
    assert failed.failure.message == "exit 1: no database"
    assert (failed.failure.kind, failed.action) == (FailureKind.CODE, "give_up")


@pytest.mark.parametrize("code", ["print('hello')", "pass", "print('[]x')"])
async def test_a_program_that_writes_no_json_is_an_error(code: str) -> None:
    assert (await failure_of(program(code))).failure.kind is FailureKind.EXTRACTION


@pytest.mark.parametrize(
    ("written", "came"),
    [("On its way.", "came: On its way."), ("", "came: nothing"), ('{"answer": "On its way."}', '"answer"')],
)
async def test_a_wrong_answer_is_shown_beside_what_is_expected(written: str, came: str) -> None:
    message = (await failure_of(program(f"print({written!r}, end='')"))).failure.message
    assert 'expected a text, or {"text": "…"}' in message
    assert came in message


async def test_a_program_that_is_not_there_stops_the_run() -> None:
    failed = await failure_of(Variant(name="v4", command=("/no/such/program",)))
    assert (failed.failure.kind, failed.action) == (FailureKind.CODE, "stop")


async def test_a_program_that_hangs_ends_with_its_children(tmp_path: Path) -> None:
    lock, held = tmp_path / "lock", tmp_path / "held"
    child = f"import filelock, pathlib, time\nlock = filelock.FileLock({str(lock)!r})\nlock.acquire()\n"
    child += f"pathlib.Path({str(held)!r}).touch()\ntime.sleep(600)"
    start = f"subprocess.Popen([sys.executable, '-c', {child!r}])"
    code = f"import subprocess, sys, time; {start}; time.sleep(600)"
    for patience_s in (1.5, 6, 24):
        failed = await failure_of(program(code), RunSettings(timeout_s=patience_s))
        assert failed.failure.kind is FailureKind.TIMEOUT
        if held.exists():  # a busy machine takes a while to start two programs
            break
    assert held.exists()
    FileLock(lock).acquire(timeout=30)  # the child would hold it for ten minutes


def test_two_specs_may_each_have_a_module_of_the_same_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same_name.py").write_text(f"def answer(case): return {name!r}\n")
    for name in ("one", "two", "one"):
        assert find_function("same_name:answer", str(tmp_path / name))({}) == name
