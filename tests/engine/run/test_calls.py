"""Every paid call: claimed before it is sent, retried in one place, replayed when it was paid for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest
from tests.engine.run.fakes import MemoryJournal
from tests.engine.run.leaping import leaping

from bothways.engine.errors import Action, CallFailed
from bothways.engine.facts import Answer, Failure, FailureKind, Reply, Usage
from bothways.engine.ledger import AnswerUnit, Spent
from bothways.engine.run import calls
from bothways.engine.run.budget import Budget
from bothways.engine.run.calls import Outside, TakenElsewhere, UnitCalls
from bothways.engine.run.lane import Lanes, RunStopped
from bothways.engine.run.options import RunEvent, Watch

UNIT = AnswerUnit("key", 1, "v4", 0)


@pytest.fixture(autouse=True)
def quick_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_BACKOFF_S", 0.001)


def outside(
    journal: MemoryJournal,
    *,
    budget: Budget | None = None,
    retries: int = 2,
    watch: Watch = lambda event: None,
    patience_s: float = 600,
) -> Outside:
    return Outside(journal, Lanes(2), budget or Budget(None), retries, watch, 4, patience_s)


def failing(times: int, failed: CallFailed) -> tuple[list[int], Callable[[], Awaitable[Reply]]]:
    """Return a count, and an attempt that fails so often before it succeeds."""
    made: list[int] = []

    async def attempt() -> Reply:
        made.append(1)
        if len(made) <= times:
            raise failed
        return Reply("good", cost_usd=0.5)

    return made, attempt


def server_error(action: Action = "retry") -> CallFailed:
    return CallFailed(Failure(FailureKind.SERVER, "500"), action)


async def test_a_call_is_claimed_sent_and_settled() -> None:
    journal = MemoryJournal()
    _made, attempt = failing(0, server_error())
    reply = await UnitCalls(outside(journal), UNIT, "case").send("x", "r", attempt)
    assert reply.content == "good"
    assert journal.begun == [("key", 1, 0)]
    assert journal.settled == [(1, reply)]


async def test_a_server_that_always_fails_gets_one_request_more_than_the_retries() -> None:
    journal = MemoryJournal()
    made, attempt = failing(99, server_error())
    with pytest.raises(CallFailed):
        await UnitCalls(outside(journal, retries=2), UNIT, "case").send("x", "r", attempt)
    assert len(made) == 3
    assert [attempt for _, _, attempt in journal.begun] == [0, 1, 2]
    assert len(journal.settled) == 3


async def test_what_is_not_worth_a_retry_gets_one_request() -> None:
    made, attempt = failing(99, server_error("give_up"))
    with pytest.raises(CallFailed):
        await UnitCalls(outside(MemoryJournal()), UNIT, "case").send("x", "r", attempt)
    assert len(made) == 1


async def test_a_changed_request_goes_out_at_once_and_uses_no_retry() -> None:
    made, attempt = failing(2, server_error("retry_now"))
    reply = await UnitCalls(outside(MemoryJournal(), retries=0), UNIT, "case").send("x", "r", attempt)
    assert reply.content == "good"
    assert len(made) == 3


async def test_a_stored_reply_is_replayed_and_nothing_is_sent() -> None:
    journal = MemoryJournal(replies={("key", 1): Reply("stored")})
    made, attempt = failing(0, server_error())
    unit = UnitCalls(outside(journal), UNIT, "case")
    assert (await unit.send("x", "r", attempt)).content == "stored"
    assert (await unit.send("x", "r", attempt)).content == "good"
    assert len(made) == 1
    assert journal.begun == [("key", 2, 0)]


async def test_a_unit_in_the_hands_of_another_run_is_left_alone() -> None:
    made, attempt = failing(0, server_error())
    with pytest.raises(TakenElsewhere):
        await UnitCalls(outside(MemoryJournal(busy={"key"})), UNIT, "case").send("x", "r", attempt)
    assert made == []


async def test_a_used_up_budget_stops_the_run_before_the_call() -> None:
    made, attempt = failing(0, server_error())
    shared = outside(MemoryJournal(), budget=Budget(1.0, Spent(1.0)))
    with pytest.raises(RunStopped):
        await UnitCalls(shared, UNIT, "case").send("x", "r", attempt)
    assert made == []
    assert str(shared.stop_reason).startswith("the budget of 1.00 USD is used up")


async def test_a_call_waiting_for_its_slot_when_the_run_stops_is_taken_back() -> None:
    journal = MemoryJournal()
    shared = outside(journal)
    shared.lanes.hold()
    made, attempt = failing(0, server_error())
    waiting = asyncio.create_task(UnitCalls(shared, UNIT, "case").send("x", "r", attempt))
    while not journal.begun:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    shared.stop("enough")
    with pytest.raises(RunStopped):
        await waiting
    assert made == []
    assert journal.withdrawn == [1]


@leaping
async def test_a_stop_does_not_wait_for_a_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_BACKOFF_S", 3600)
    monkeypatch.setattr(calls, "LONGEST_BACKOFF_S", 3600)
    journal = MemoryJournal()
    shared = outside(journal)
    _made, attempt = failing(99, server_error())
    sending = asyncio.create_task(UnitCalls(shared, UNIT, "case").send("x", "r", attempt))
    while not journal.settled:
        await asyncio.sleep(0)
    shared.stop("enough")
    async with asyncio.timeout(5):
        with pytest.raises(RunStopped):
            await sending


@leaping
async def test_a_refusal_with_retry_after_closes_the_lane_for_all_and_is_announced() -> None:
    events: list[RunEvent] = []
    shared = outside(MemoryJournal(), watch=events.append)
    limited = CallFailed(Failure(FailureKind.RATE_LIMIT, "429"), "retry", retry_after=15)
    _, attempt = failing(1, limited)
    loop = asyncio.get_running_loop()
    before = loop.time()
    await UnitCalls(shared, UNIT, "case").send("x", "r", attempt)
    assert loop.time() - before == pytest.approx(15, abs=0.1)
    assert [(e.kind, e.seconds) for e in events if e.kind == "waiting"] == [("waiting", 15)]


def refused() -> CallFailed:
    return CallFailed(Failure(FailureKind.RATE_LIMIT, "429: slow down"), "retry", retry_after=5)


@leaping
async def test_a_lane_that_refuses_everything_ends_the_run_and_says_what_to_do() -> None:
    shared = outside(MemoryJournal(), retries=99, patience_s=30)
    made, attempt = failing(10_000, refused())
    with pytest.raises(RunStopped):
        await UnitCalls(shared, UNIT, "case").send("api.test", "r", attempt)
    assert len(made) == 7  # one every 5 s, from the first for 30 s
    assert "api.test has refused every call (429: slow down)" in str(shared.stop_reason)
    assert "then run again" in str(shared.stop_reason)


@leaping
async def test_one_call_that_gets_through_is_a_reason_to_go_on() -> None:
    shared = outside(MemoryJournal(), retries=4, patience_s=30)
    for _ in range(5):
        _, attempt = failing(4, refused())
        await UnitCalls(shared, UNIT, "case").send("x", "r", attempt)
    assert shared.stop_reason is None
    assert asyncio.get_running_loop().time() == pytest.approx(5 * 4 * 5, abs=0.1)


@leaping
async def test_a_few_refusals_end_no_run_however_far_apart() -> None:
    shared = outside(MemoryJournal(), retries=0, patience_s=0.001)
    for _ in range(3):
        with pytest.raises(CallFailed):
            await UnitCalls(shared, UNIT, "case").send("x", "r", failing(1, refused())[1])
        await asyncio.sleep(6)
    assert shared.stop_reason is None


async def test_the_cost_of_a_failed_attempt_is_charged() -> None:
    shared = outside(MemoryJournal())
    _, attempt = failing(1, CallFailed(Failure(FailureKind.SERVER, "cut"), "retry", cost_usd=0.25))
    await UnitCalls(shared, UNIT, "case").send("x", "r", attempt)
    assert shared.budget.spent_usd == 0.75


async def test_a_changed_request_waits_out_a_pause_and_goes_out_on_resuming() -> None:
    shared, made, sending = await held_after_one()
    shared.lanes.resume()
    assert (await sending).content == "good"
    assert len(made) == 2


async def test_a_stop_during_a_pause_sends_no_changed_request() -> None:
    shared, made, sending = await held_after_one()
    shared.stop("enough")
    with pytest.raises(RunStopped):
        await sending
    assert len(made) == 1


async def held_after_one() -> tuple[Outside, list[int], asyncio.Task[Reply]]:
    """Send a call whose first attempt has to be changed, and pause the run before the second."""
    journal = MemoryJournal()
    shared = outside(journal)
    made: list[int] = []

    async def attempt() -> Reply:
        made.append(1)
        if len(made) == 1:
            shared.lanes.hold()
            raise server_error("retry_now")
        return Reply("good")

    sending = asyncio.create_task(UnitCalls(shared, UNIT, "case").send("x", "r", attempt))
    while not journal.settled:
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(made) == len(journal.begun) == 1
    return shared, made, sending


@leaping
async def test_those_who_wait_for_a_closed_lane_are_in_nobodys_way() -> None:
    shared = outside(MemoryJournal())
    shared.lanes.refused("closed", 3600)
    _, attempt = failing(0, server_error())

    def sending(lane: str, number: int) -> asyncio.Task[Reply]:
        unit = AnswerUnit(f"{lane} {number}", number, "v4", 0)
        return asyncio.create_task(UnitCalls(shared, unit, "case").send(lane, "r", attempt))

    waiting = [sending("closed", number) for number in range(20)]
    async with asyncio.timeout(5):
        await asyncio.gather(*(sending("open", number) for number in range(20)))
    shared.stop("enough")
    assert {type(end) for end in await asyncio.gather(*waiting, return_exceptions=True)} == {RunStopped}


async def send_all(shared: Outside, count: int, cost_usd: Callable[[], float | None]) -> int:
    """Send so many calls of as many units at once, and return how many requests went out."""
    sent = 0

    async def attempt() -> Reply:
        nonlocal sent
        sent += 1
        for _ in range(sent % 7):
            await asyncio.sleep(0)
        return Reply("good", cost_usd=cost_usd())

    async def one(number: int) -> None:
        with contextlib.suppress(RunStopped):
            unit = AnswerUnit(f"unit {number}", number, "v4", 0)
            await UnitCalls(shared, unit, "case").send("x", "r", attempt)

    async with asyncio.timeout(10):
        await asyncio.gather(*(one(number) for number in range(count)))
    return sent


def with_budget(limit_usd: float, spent: Spent | None = None, watch: Watch = lambda _: None) -> Outside:
    return Outside(MemoryJournal(), Lanes(20), Budget(limit_usd, spent), 2, watch, 25, 600)


@pytest.mark.parametrize("limit", [1, 7, 25])
async def test_no_budget_is_overspent_however_many_calls_are_in_flight(limit: int) -> None:
    shared = with_budget(limit)
    assert await send_all(shared, 100, lambda: 1.0) == limit
    assert shared.budget.spent_usd == limit
    assert "used up" in str(shared.stop_reason)


async def test_a_budget_that_suffices_to_the_cent_ends_nothing_early() -> None:
    shared = with_budget(1.0)
    assert await send_all(shared, 10, lambda: 0.1) == 10
    assert shared.stop_reason is None


async def test_a_run_begins_nothing_that_the_experiment_has_no_money_left_for() -> None:
    shared = with_budget(1.0, Spent(0.9, dearest_usd=0.2))
    assert await send_all(shared, 10, lambda: 0.2) == 0


async def test_a_budget_that_no_price_can_keep_is_said_once_and_goes_on() -> None:
    events: list[RunEvent] = []
    shared = with_budget(0.01, watch=events.append)
    assert await send_all(shared, 50, lambda: None) == 50
    assert [(event.kind, event.variant) for event in events] == [("unpriced", "v4")]
    assert shared.budget.unknown == 50


async def test_an_attempt_of_unknown_cost_is_counted_and_one_turned_away_costs_nothing() -> None:
    shared = outside(MemoryJournal())
    for kind in (FailureKind.TIMEOUT, FailureKind.RATE_LIMIT):
        _, attempt = failing(1, CallFailed(Failure(kind, ""), "retry"))
        await UnitCalls(shared, UNIT, "case").send("x", "r", attempt)
    assert (shared.budget.spent_usd, shared.budget.unknown) == (1.0, 1)


async def test_a_units_result_is_charged_with_all_its_calls() -> None:
    cut = CallFailed(Failure(FailureKind.CUT_OFF, ""), "retry", usage=Usage(300, 0, 0), cost_usd=0.25)
    unit = UnitCalls(outside(MemoryJournal()), UNIT, "case")
    _, attempt = failing(1, cut)
    await unit.send("x", "r", attempt)
    told = unit.used.charged(Answer("good"))
    assert (told.cost_usd, told.usage.prompt_tokens) == (0.75, None)  # the good reply told no tokens


async def test_what_made_no_call_keeps_the_cost_it_was_recorded_with() -> None:
    recorded = Answer("good", cost_usd=0.5)
    assert UnitCalls(outside(MemoryJournal()), UNIT, "case").used.charged(recorded) == recorded


async def test_a_kept_result_is_replayed_and_takes_neither_slot_nor_money() -> None:
    journal = MemoryJournal(replies={("key", 1): Reply("heard before")})
    shared = outside(journal)
    shared.lanes.hold()
    unit = UnitCalls(shared, UNIT, "case")
    done: list[int] = []

    async def act() -> str:
        done.append(1)
        return "new"

    assert [await unit.keep("r", act), await unit.keep("r", act)] == ["heard before", "new"]
    assert len(done) == 1
    assert journal.settled == [(1, Reply("new", cost_usd=0.0))]
    assert (shared.made, shared.budget.spent_usd, shared.budget.unknown) == (0, 0.0, 0)
