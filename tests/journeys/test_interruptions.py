"""Runs that end early or meet another: killed, interrupted, paused, stopped, two at once.

Every moment is chosen by the server's count of requests, never by a clock.
"""

from __future__ import annotations

import asyncio
import signal

import pytest
from tests.journeys.moments import At, asks, body, committed, drained, events, open_calls, repeated, until
from tests.journeys.project import Project, ended
from tests.journeys.shop import Shop, cases, counted, spec, who
from tests.loopback.behaviours import hangs, when
from tests.loopback.server import LoopbackServer

ROWS = 6
CALLS = 4 * ROWS


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


async def test_a_paused_run_sends_nothing_until_it_is_resumed(project: Project) -> None:
    handler = At(7, Shop(latency_s=0.2))  # slow enough that much is left when the request is seen
    handler.act = lambda: asks(project, "pause")
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        await until("paused", process)
        paused = await drained(server)
        assert paused < CALLS
        await goes_through(Project(project.folder / "meanwhile"))
        assert server.count == paused
        assert project.show()["runs"][0]["alive"]
        asks(project, "resume")
        done = await ended(process)
    assert done.code == 0, done.err
    assert server.count == CALLS


async def goes_through(project: Project) -> None:
    """Run another project, as large and as slow, from its start to its end."""
    project.folder.mkdir()
    async with LoopbackServer(Shop(latency_s=0.2)) as server:
        project.lay(spec(server), cases(ROWS))
        done = await project.run("run", "experiment.yaml")
        assert (done.code, server.count) == (0, CALLS), done.err


@pytest.mark.parametrize("paused", [False, True], ids=["running", "paused"])
async def test_a_stopped_run_ends_and_a_later_one_finishes(project: Project, paused: bool) -> None:
    handler = At(7, Shop(latency_s=0.2))  # slow enough that much is left when the request is seen
    handler.act = lambda: asks(project, "pause" if paused else "stop")
    async with LoopbackServer(handler) as server:
        project.lay(spec(server), cases(ROWS))
        process = await project.start("run", "experiment.yaml", "--events")
        if paused:
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
