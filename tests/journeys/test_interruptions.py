"""Runs that end early or meet another: killed, interrupted, paused, stopped, two at once.

Every moment is chosen by the server's count of requests, never by a clock.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sqlite3
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing

import pytest
from tests.journeys.project import Project, ended
from tests.journeys.shop import Shop, cases, counted, spec, who
from tests.loopback.behaviours import hangs, when
from tests.loopback.server import Handled, Handler, LoopbackServer, Request

ROWS = 6
CALLS = 4 * ROWS


class At:
    """Does something when the request with this number comes in, and then answers it as usual."""

    def __init__(self, number: int, inner: Handler) -> None:
        self.number = number
        self.inner = inner
        self.act: Callable[[], object] = lambda: None

    def __call__(self, request: Request) -> Handled:
        if request.number == self.number:
            self.act()
        return self.inner(request)


def body(request: Request) -> str:
    return json.dumps(request.body, sort_keys=True)


def repeated(requests: list[Request]) -> Iterator[Request]:
    """Yield the first of each two requests that ask the same."""
    times = Counter(map(body, requests))
    seen: set[str] = set()
    for request in requests:
        if times[body(request)] > 1 and body(request) not in seen:
            seen.add(body(request))
            yield request


def committed(project: Project) -> set[int]:
    """Return the numbers of the server's replies that the database holds."""
    with closing(sqlite3.connect(project.db)) as db:
        bodies = db.execute("SELECT body FROM replies WHERE failure_kind IS NULL").fetchall()
    return {int(found) for (text,) in bodies for found in re.findall(r"\(reply (\d+)\)", text)}


def open_calls(project: Project) -> int:
    """Count the calls that were begun and never settled."""
    with closing(sqlite3.connect(project.db)) as db:
        sql = "SELECT count(*) FROM calls WHERE id NOT IN (SELECT call_id FROM replies)"
        return int(db.execute(sql).fetchone()[0])


async def events(process: Process) -> AsyncIterator[str]:
    """Yield the kinds of events as they come."""
    assert process.stdout is not None
    async for line in process.stdout:
        yield json.loads(line)["kind"]


async def until(kind: str, process: Process) -> None:
    """Read a run's events up to the first of a kind."""
    async for found in events(process):
        if found == kind:
            return
    raise AssertionError(f"the run ended without {kind}")


async def drained(server: LoopbackServer) -> int:
    """Wait until nothing is in flight, and return how many requests there have been."""
    async with asyncio.timeout(30):
        while server.in_flight:
            await asyncio.sleep(0.01)
    return server.count


# Killed.


@pytest.mark.parametrize("moment", [0, 5, CALLS // 2, CALLS - 2])
async def test_a_killed_run_goes_on_where_it_was(project: Project, moment: int) -> None:
    handler = At(moment, Shop(latency_s=0.02))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml")
        handler.act = process.kill
        killed = await ended(process)
        assert killed.code == -signal.SIGKILL
        await drained(server)

        kept, lost = committed(project), open_calls(project)
        shown = project.show()
        assert shown["runs"][0]["state"] == "interrupted"
        assert not shown["runs"][0]["alive"]
        assert shown["progress"]["possibly_billed"] == lost > 0
        assert f"{lost} lost in flight, possibly billed" in project.ask("show", "shop").out
        assert "interrupted" in project.ask("list").out

        stages = [shown["progress"].get(stage, {}) for stage in ("answers", "passes")]
        there = sum(stage.get("done", 0) for stage in stages)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    assert f"interrupted run: {there} of {CALLS} units there, {lost} calls possibly billed" in resumed.err
    again = list(repeated(server.requests))
    assert server.count == CALLS + len(again) <= CALLS + lost
    assert [request.number for request in again if request.number in kept] == []
    gate = project.gate()
    assert (gate["outcomes"]["candidate"], gate["outcomes"]["pending"]) == (ROWS, 0)
    assert project.show()["progress"]["possibly_billed"] == lost  # they may have been, whatever came after


async def test_a_run_killed_twice_still_repeats_nothing_that_was_kept(project: Project) -> None:
    handler = At(4, Shop(latency_s=0.02))
    kept: set[int] = set()
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        for moment in (4, 14):
            handler.number = moment
            process = await project.start("run", "experiment.yaml")
            handler.act = process.kill
            await ended(process)
            await drained(server)
            kept |= committed(project)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    assert [request.number for request in repeated(server.requests) if request.number in kept] == []
    assert [run["state"] for run in project.show()["runs"]] == ["complete", "interrupted", "interrupted"]


@pytest.mark.slow
async def test_a_run_through_litellm_goes_on_where_it_was_killed(project: Project) -> None:
    handler = At(CALLS // 2, Shop(latency_s=0.02))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server, litellm=True), cases(ROWS))
        process = await project.start("run", "experiment.yaml")
        handler.act = process.kill
        await ended(process)
        await drained(server)
        kept, lost = committed(project), open_calls(project)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    again = list(repeated(server.requests))
    assert server.count == CALLS + len(again) <= CALLS + lost
    assert [request.number for request in again if request.number in kept] == []


# Interrupted.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
async def test_an_interrupted_run_loses_nothing(project: Project, number: signal.Signals) -> None:
    handler = At(9, Shop(latency_s=0.02))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml")
        handler.act = lambda: process.send_signal(number)
        done = await ended(process)
        assert done.code == 5
        assert "Go on with: bothways run shop" in done.err
        assert committed(project) == set(range(server.count))
        assert open_calls(project) == 0
        assert project.show()["runs"][0]["state"] == "stopped"
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    assert server.count == CALLS


async def test_a_second_interrupt_does_not_wait(project: Project) -> None:
    handler = At(CALLS - 1, when(lambda r: who(r) == "judge", hangs(), Shop()))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        asked = 0
        async for kind in events(process):
            asked += kind == "answered"
            if asked == 2 * ROWS:
                break
        process.send_signal(signal.SIGINT)
        await until("stopping", process)
        process.send_signal(signal.SIGINT)
        done = await ended(process)
        assert done.code == 130
        assert project.show()["runs"][0]["state"] == "interrupted"
        assert project.show()["progress"]["answers"]["done"] == 2 * ROWS


async def test_nobody_who_listens_is_needed(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        assert process.stdout is not None
        await process.stdout.readline()
        process.stdout._transport.close()  # type: ignore[attr-defined]  # as `| head -1` would
        assert process.stderr is not None
        told = (await process.stderr.read()).decode()
        assert await process.wait() == 0, told
    assert server.count == CALLS
    assert project.gate()["outcomes"]["candidate"] == ROWS


# Two at once.


async def test_two_runs_at_once_share_the_work(project: Project) -> None:
    async with LoopbackServer(Shop(latency_s=0.05)) as server:
        project.lay(spec(server), cases(2 * ROWS))
        project.ask("check", str(project.folder / "experiment.yaml"))
        done = await asyncio.gather(*(project.run("run", "experiment.yaml") for _ in range(2)))
        assert {one.code for one in done} <= {0, 5}, [one.err for one in done]
        last = await project.run("run", "shop")
    assert last.code == 0, last.err
    assert len(set(map(body, server.requests))) == server.count == 2 * CALLS
    assert project.gate()["outcomes"]["candidate"] == 2 * ROWS


# Steered from elsewhere.


def asks(project: Project, request: str) -> None:
    """Ask the newest run for something, as the desk does."""
    with project.store() as store:
        run = store.runs("shop")[0]
        store.request(run.id, request, "2026-01-05T09:00:00Z")  # type: ignore[arg-type]


async def test_a_paused_run_sends_nothing_until_it_is_resumed(project: Project) -> None:
    handler = At(7, Shop(latency_s=0.02))
    handler.act = lambda: asks(project, "pause")
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        await until("paused", process)
        paused = await drained(server)
        since = time.monotonic()
        while time.monotonic() - since < 1:
            await asyncio.sleep(0.05)
            assert server.count == paused
        assert paused < CALLS
        assert project.show()["runs"][0]["alive"]
        asks(project, "resume")
        done = await ended(process)
    assert done.code == 0, done.err
    assert server.count == CALLS


async def test_after_a_pause_no_request_is_sent_within_a_second(project: Project) -> None:
    """Counted from the request to pause, not from the moment the run says that it obeys."""
    asked_at = 0.0
    times: list[float] = []

    def pause() -> None:
        nonlocal asked_at
        asks(project, "pause")
        asked_at = time.monotonic()

    handler = At(7, Shop(latency_s=0.1))
    handler.act = pause

    def timed(request: Request) -> Handled:
        times.append(time.monotonic())
        return handler(request)

    async with LoopbackServer(timed) as server:
        project.lay(spec(server, run={"concurrency": 2}), cases(3 * ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        await until("paused", process)
        await drained(server)
        asks(project, "stop")
        done = await ended(process)
    assert done.code == 5
    assert server.count < 3 * CALLS
    assert max(times) <= asked_at + 1


@pytest.mark.parametrize("first", [(), ("pause",)], ids=["running", "paused"])
async def test_a_stopped_run_ends_and_a_later_one_finishes(project: Project, first: tuple[str, ...]) -> None:
    handler = At(7, Shop(latency_s=0.02))
    handler.act = lambda: asks(project, *(first or ("stop",)))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        if first:
            await until("paused", process)
            asks(project, "stop")
        done = await ended(process)
        assert done.code == 5
        assert "stopped on request" in done.err
        assert open_calls(project) == 0
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    assert server.count == CALLS
    assert counted(server.requests) == {"baseline": ROWS, "candidate": ROWS, "judge": 2 * ROWS}
