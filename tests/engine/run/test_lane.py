"""Lanes bound what is in flight, and slow down for everybody when a provider says so."""

from __future__ import annotations

import asyncio

import pytest
from tests.engine.run.leaping import leaping

from bothways.engine.run.lane import Lanes, RunStopped


async def settled() -> None:
    """Let every task that can run do so."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_no_more_than_the_concurrency_is_in_flight_over_all_lanes() -> None:
    lanes = Lanes(4)
    most = 0

    async def call(name: str) -> None:
        nonlocal most
        await lanes.acquire(name)
        most = max(most, lanes.busy)
        await asyncio.sleep(0)
        lanes.release(name)

    await asyncio.gather(*(call(name) for name in ["judge", "agent"] * 30))
    assert most == 4
    assert lanes.busy == 0


async def test_waiters_get_their_slots_in_the_order_they_came() -> None:
    lanes, order = Lanes(1), []

    async def call(number: int) -> None:
        await lanes.acquire("x")
        order.append(number)
        await asyncio.sleep(0)
        lanes.release("x")

    await asyncio.gather(*(call(number) for number in range(10)))
    assert order == list(range(10))


@leaping
async def test_retry_after_closes_the_lane_for_everybody_until_then() -> None:
    lanes = Lanes(10)
    loop = asyncio.get_running_loop()
    before = loop.time()
    lanes.refused("x", 0.2)
    await asyncio.gather(*(lanes.acquire("x") for _ in range(5)))
    assert loop.time() - before == pytest.approx(0.2, abs=0.01)


@leaping
async def test_a_closed_lane_does_not_hold_up_another() -> None:
    lanes = Lanes(10)
    lanes.refused("x", 3600)
    async with asyncio.timeout(1):
        await lanes.acquire("y")
    assert lanes.busy == 1


async def test_many_refusals_in_a_row_narrow_the_lane_and_then_make_it_wait() -> None:
    lanes = Lanes(20)
    assert [lanes.refused("x", None) for _ in range(4)] == [0, 0, 0, 0.5]
    await lanes.acquire("x")
    assert lanes.refused("x", None) == 1.0


async def test_refusals_of_what_was_under_way_when_a_lane_closed_do_not_lengthen_the_wait() -> None:
    lanes = Lanes(20)
    assert [lanes.refused("x", None) for _ in range(20)] == [0, 0, 0, 0.5, *[0] * 16]
    await lanes.acquire("x")
    assert lanes.refused("x", None) == 1.0


@leaping
async def test_a_pause_is_no_time_in_which_a_lane_refused() -> None:
    lanes = Lanes(20)
    for _ in range(6):
        lanes.refused("x", 0.0)
    await asyncio.sleep(5)
    assert lanes.refused_for("x") == 5
    lanes.hold()
    lanes.resume()
    lanes.refused("x", 0.0)
    assert lanes.refused_for("x") == 0


@leaping
async def test_a_narrowed_lane_is_whole_again_after_a_round_of_successes() -> None:
    lanes = Lanes(20)
    lanes.refused("x", None)
    for _ in range(20):
        lanes.succeeded("x")
    async with asyncio.timeout(1):
        await asyncio.gather(*(lanes.acquire("x") for _ in range(20)))
    assert lanes.busy == 20


async def test_while_held_nothing_starts_and_resume_starts_it() -> None:
    lanes = Lanes(2)
    lanes.hold()
    waiting = asyncio.create_task(lanes.acquire("x"))
    await settled()
    assert lanes.busy == 0
    lanes.resume()
    await waiting
    assert lanes.busy == 1


async def test_closing_sends_waiters_away() -> None:
    lanes = Lanes(1)
    await lanes.acquire("x")
    waiting = asyncio.create_task(lanes.acquire("x"))
    await settled()
    lanes.close()
    with pytest.raises(RunStopped):
        await waiting
    with pytest.raises(RunStopped):
        await lanes.acquire("x")


async def test_a_slot_handed_to_a_cancelled_waiter_is_not_lost() -> None:
    lanes = Lanes(1)
    await lanes.acquire("x")
    waiting = asyncio.create_task(lanes.acquire("x"))
    await settled()
    lanes.release("x")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert lanes.busy == 0
