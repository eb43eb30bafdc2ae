"""The same faults through litellm, which has an error class, a retry and an opinion of its own for each.

Each run imports litellm, which takes seconds: hence slow.
"""

from __future__ import annotations

import signal

import pytest
from tests.journeys.moments import At, committed, drained, open_calls, repeated
from tests.journeys.project import Project, ended
from tests.journeys.shop import Shop, cases, counted, number, spec, who
from tests.loopback.behaviours import every, fails, hangs, rate_limits, sequence, wants_shape, when, withholds
from tests.loopback.server import Handled, LoopbackServer, Request

pytestmark = pytest.mark.slow

RUN = {"concurrency": 4, "retries": 2, "timeout_s": 30}


async def test_rate_limits_cost_one_request_each_and_one_wait(project: Project) -> None:
    refused = 0

    def refusing(request: Request) -> Handled:
        nonlocal refused
        refused += 1
        return rate_limits(1 if refused == 1 else None)(request)

    async with LoopbackServer(every(10, refusing, Shop())) as server:
        project.lay(spec(server, litellm=True), cases(8))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 0, done.err
    assert server.count == 8 * 4 + refused
    assert refused >= 3
    assert [event["seconds"] for event in done.kinds("waiting")] == [1.0]


async def test_nobody_but_the_run_retries(project: Project) -> None:
    failing = when(lambda r: number(r) == 1 and who(r) == "baseline", fails(500), Shop())
    filtering = when(lambda r: number(r) == 2 and who(r) == "candidate", withholds(), failing)
    async with LoopbackServer(filtering) as server:
        project.lay(spec(server, litellm=True), cases(3))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 5
    assert counted(r for r in server.requests if number(r) == 1) == {"baseline": 3, "candidate": 1}
    assert counted(r for r in server.requests if number(r) == 2) == {"baseline": 1, "candidate": 1}
    kinds = {event["case"]: event["failure"]["kind"] for event in done.kinds("failed")}
    assert kinds == {"c1": "server error", "c2": "content filter"}
    assert done.out.count("\n") == len(done.events)  # no banner of anybody's among the events
    assert "Give Feedback" not in done.err


async def test_a_judge_without_schemas_is_asked_in_another_way(project: Project) -> None:
    no_schema = when(lambda r: wants_shape(r.body) == "json_schema", fails(500), Shop())
    async with LoopbackServer(no_schema) as server:
        project.lay(spec(server, litellm=True, run={**RUN, "concurrency": 1}), cases(3))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    shapes = [wants_shape(request.body) for request in server.requests if who(request) == "judge"]
    assert (shapes.count("json_schema"), shapes.count("json_object")) == (2, 6)


async def test_a_hung_call_times_out_and_is_asked_again(project: Project) -> None:
    hung = when(lambda r: number(r) == 2 and who(r) == "candidate", sequence(hangs(), Shop()), Shop())
    async with LoopbackServer(hung) as server:
        project.lay(spec(server, litellm=True, run={**RUN, "timeout_s": 10}), cases(3))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 0, done.err
    assert server.count == 3 * 4 + 1
    assert [event["failure"]["kind"] for event in done.kinds("retrying")] == ["timeout"]


@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        (401, "Incorrect API key provided: sk-journey-0123456789", "put the right key into the environment"),
        (404, "The model `gpt-4o-mini` does not exist", "correct the model's name"),
    ],
)
async def test_what_will_never_work_stops_the_run_at_once(
    project: Project, status: int, message: str, told: str
) -> None:
    async with LoopbackServer(fails(status, message)) as server:
        project.lay(spec(server, litellm=True), cases(10))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 5
    assert server.count <= 4
    assert told in done.err
    assert "sk-journey" not in done.err + done.out


async def test_a_run_goes_on_where_it_was_killed(project: Project) -> None:
    handler = At(12, Shop(latency_s=0.02))
    async with LoopbackServer(handler) as server:
        project.lay(spec(server, litellm=True), cases(6))
        process = await project.start("run", "experiment.yaml")
        handler.act = process.kill
        killed = await ended(process)
        assert killed.code == -signal.SIGKILL
        await drained(server)
        kept, lost = committed(project), open_calls(project)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    again = [*repeated(server.requests)]
    assert server.count == 6 * 4 + len(again) <= 6 * 4 + lost
    assert [request.number for request in again if request.number in kept] == []
