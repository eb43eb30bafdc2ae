"""What providers do wrong, met by a whole run: what is asked again, what is kept, how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from itertools import count

import pytest
from tests.journeys.project import Project, ended
from tests.journeys.shop import Shop, cases, counted, number, spec, who
from tests.loopback.behaviours import (
    every,
    fails,
    hangs,
    html,
    rate_limits,
    refuses,
    replies,
    says,
    sequence,
    wants_shape,
    when,
    withholds,
)
from tests.loopback.server import Handled, Handler, JsonObject, LoopbackServer, Request, Response

ONE_AT_A_TIME = {"concurrency": 1, "retries": 2, "timeout_s": 30}


def only(test: Callable[[Request], bool], *behaviours: Handler, otherwise: Handler) -> Handler:
    """Behave so with the first requests for which the test holds, one behaviour each; then as otherwise."""
    return when(test, sequence(*behaviours, otherwise), otherwise)


def about(case: int, *asked: str) -> Callable[[Request], bool]:
    """Tell requests about one case, asked of these."""
    return lambda request: number(request) == case and who(request) in asked


class Clocked:
    """Notes when each request came."""

    def __init__(self, inner: Handler) -> None:
        self.inner = inner
        self.times: list[float] = []

    def __call__(self, request: Request) -> Handled:
        self.times.append(asyncio.get_running_loop().time())
        return self.inner(request)


# Too many requests.


@pytest.mark.parametrize("as_date", [False, True], ids=["seconds", "date"])
async def test_one_retry_after_makes_everybody_wait_once(project: Project, as_date: bool) -> None:
    # A date has no fractions of a second: two ahead are more than one away.
    refusal = rate_limits(2 if as_date else 1, as_date=as_date)
    clocked = Clocked(sequence(refusal, Shop(latency_s=0.02)))
    async with LoopbackServer(clocked) as server:
        project.lay(spec(server), cases(6))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 0, done.err
    assert server.count == 6 * 4 + 1
    assert len(done.kinds("waiting")) == len(done.kinds("retrying")) == 1
    meanwhile = [at for at in clocked.times if at - clocked.times[0] < 0.95]
    assert len(meanwhile) <= 2 * 4  # whatever was under way; nobody new


async def test_each_refusal_costs_one_request_more(project: Project) -> None:
    refused = count()

    def refusing(request: Request) -> Handled:
        next(refused)
        return rate_limits()(request)

    async with LoopbackServer(every(20, refusing, Shop())) as server:
        project.lay(spec(server), cases(15))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    assert server.count == 15 * 4 + next(refused) == 63


async def test_a_wait_of_a_day_is_said_and_can_be_ended(project: Project) -> None:
    async with LoopbackServer(rate_limits(86_400)) as server:
        project.lay(spec(server, run={"concurrency": 2}), cases(3))
        process = await project.start("run", "experiment.yaml", "--events")
        assert process.stdout is not None
        async for line in process.stdout:
            event = json.loads(line)
            if event["kind"] == "waiting":
                assert event["seconds"] == 300
                break
        process.send_signal(signal.SIGINT)
        done = await ended(process)
    assert done.code == 5
    assert "stopped by Ctrl-C" in done.err
    assert server.count <= 2


async def test_a_judge_that_refuses_every_call_ends_the_run_soon_and_decides_nothing(
    project: Project,
) -> None:
    patience_s = 3.0
    refusing = True
    judge = when(lambda request: refusing and who(request) == "judge", rate_limits(), Shop())
    async with LoopbackServer(judge) as server:
        hasty = {"concurrency": 4, "retries": 0, "timeout_s": patience_s}
        project.lay(spec(server, run=hasty), cases(10))
        done = await project.run("run", "experiment.yaml", "--events")
        assert done.code == 5
        waited_s = sum(event["seconds"] for event in done.kinds("waiting"))
        # Each wait is half a second longer than all before it, and the last begins within the patience.
        assert waited_s <= 2 * patience_s + 0.5
        assert "has refused every call" in done.err
        assert "Go on with: bothways run shop" in done.err
        gate = project.gate()
        assert gate["decision"] == "inconclusive"
        assert (gate["outcomes"]["candidate"], gate["outcomes"]["baseline"], gate["outcomes"]["tie"]) == (
            0, 0, 0,
        )  # fmt: skip
        refusing = False
        mended = await project.run("run", "shop")
    assert mended.code == 0, mended.err
    assert project.gate()["outcomes"]["candidate"] == 10


# Errors of the server.


@pytest.mark.parametrize(("status", "wasted"), [(500, 2), (400, 1)])
async def test_a_judge_without_schemas_is_asked_in_another_way(
    project: Project, status: int, wasted: int
) -> None:
    """A refusal is proof at once; a server's error might be an accident, two are none."""
    no_schema = when(lambda r: wants_shape(r.body) == "json_schema", fails(status), Shop())
    async with LoopbackServer(no_schema) as server:
        project.lay(spec(server, run=ONE_AT_A_TIME), cases(3))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    shapes = [wants_shape(request.body) for request in server.requests if who(request) == "judge"]
    assert shapes.count("json_schema") == wasted
    assert shapes.count("json_object") == 6
    assert project.gate()["outcomes"]["candidate"] == 3


async def test_no_more_find_out_that_a_judge_takes_no_schema_than_are_in_flight(project: Project) -> None:
    no_schema = when(lambda r: wants_shape(r.body) == "json_schema", fails(500), Shop(latency_s=0.02))
    async with LoopbackServer(no_schema) as server:
        project.lay(spec(server), cases(12))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    shapes = [wants_shape(request.body) for request in server.requests]
    assert shapes.count("json_schema") <= 4 + 1
    assert shapes.count("json_object") == 2 * 12


async def test_attempts_are_counted_in_one_place(project: Project) -> None:
    """Three attempts are three requests, whatever the client library thinks of retrying."""
    async with LoopbackServer(when(about(1, "baseline"), fails(500), Shop())) as server:
        project.lay(spec(server), cases(2))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 5
    assert counted(r for r in server.requests if number(r) == 1) == {"baseline": 3, "candidate": 1}
    assert counted(r for r in server.requests if number(r) == 2)["judge"] == 2
    assert project.rows()["c1"]["failed"] == ["baseline"]
    assert project.gate()["outcomes"]["error"] == 1


@pytest.mark.parametrize(
    ("behaviour", "kind", "requests"),
    [
        pytest.param(html(), "no answer in the reply", 3, id="a log-in page"),
        pytest.param(lambda _: Response(), "no answer in the reply", 3, id="nothing"),
        pytest.param(says(" \n"), "no answer in the reply", 1, id="a blank answer"),
        pytest.param(replies({"role": "assistant", "content": {"type": "x"}}), "no answer in the reply", 1,
                     id="an object"),
        pytest.param(withholds(), "content filter", 1, id="content filter"),
        pytest.param(fails(400, "input (9001 tokens) is longer than the model's context length (8192)"),
                     "too long", 1, id="too long"),
    ],
)  # fmt: skip
async def test_what_is_no_answer_fails_its_row_alone(
    project: Project, behaviour: Handler, kind: str, requests: int
) -> None:
    async with LoopbackServer(when(about(2, "candidate"), behaviour, Shop())) as server:
        project.lay(spec(server), cases(3))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 5
    assert counted(r for r in server.requests if number(r) == 2) == {"baseline": 1, "candidate": requests}
    assert [event["failure"]["kind"] for event in done.kinds("failed")] == [kind]
    gate = project.gate()
    assert (gate["outcomes"]["error"], gate["outcomes"]["candidate"], gate["outcomes"]["baseline"]) == (
        1,
        2,
        0,
    )
    assert kind in project.show()["progress"]["errors"]


async def test_a_refusal_is_an_answer_and_judged(project: Project) -> None:
    shop = Shop(lambda _: "baseline")
    refusal = refuses("I cannot help with that.")
    async with LoopbackServer(when(about(2, "candidate"), refusal, shop)) as server:
        project.lay(spec(server), cases(3))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    assert server.count == 12
    assert project.rows()["c2"]["outcome"] == "win"


# Silence.


async def test_a_hung_call_times_out_and_is_asked_again(project: Project) -> None:
    hung = only(about(2, "candidate"), hangs(), otherwise=Shop())
    async with LoopbackServer(hung) as server:
        project.lay(spec(server, run={"concurrency": 2, "timeout_s": 5}), cases(5))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 0, done.err
    assert server.count == 5 * 4 + 1
    assert [event["failure"]["kind"] for event in done.kinds("retrying")] == ["timeout"]
    before = done.out.partition('"retrying"')[0]
    assert before.count('"judged"') == 4 * 2  # the run went on without it


async def test_a_call_that_always_hangs_ends_as_a_timeout(project: Project) -> None:
    async with LoopbackServer(when(about(2, "judge"), hangs(), Shop())) as server:
        project.lay(spec(server, run={"concurrency": 4, "retries": 0, "timeout_s": 5}), cases(3))
        done = await project.run("run", "experiment.yaml")
        assert done.code == 5
        assert project.rows()["c2"]["outcome"] == "unanswered"
        assert project.show()["progress"]["errors"]["timeout"][0] == 2
        assert project.gate()["outcomes"]["candidate"] == 2
        asked = server.count
        retried = await project.run("run", "shop", "--retry-failed")
    assert retried.code == 5
    assert server.count - asked == 2


# Verdicts.


async def test_an_unreadable_verdict_is_asked_for_once_more_and_again_in_the_next_run(
    project: Project,
) -> None:
    silent = True
    shop = Shop(lambda n: "unreadable" if n == 2 and silent else "candidate")
    async with LoopbackServer(shop) as server:
        project.lay(spec(server), cases(3))
        first = await project.run("run", "experiment.yaml")
        assert first.code == 5
        assert counted(r for r in server.requests if number(r) == 2)["judge"] == 2 * 2
        assert project.rows()["c2"]["outcome"] == "unanswered"
        outcomes = project.gate()["outcomes"]
        assert (outcomes["candidate"], outcomes["tie"], outcomes["baseline"], outcomes["unanswered"]) == (
            2,
            0,
            0,
            1,
        )
        assert project.gate()["passes"]["first"]["unreadable"] == 1
        silent, asked = False, server.count
        second = await project.run("run", "shop")
    assert second.code == 0, second.err
    assert [(who(r), number(r)) for r in server.requests[asked:]] == [("judge", 2)] * 2
    assert project.rows()["c2"]["outcome"] == "win"


async def test_only_the_unreadable_pass_of_a_row_is_asked_again(project: Project) -> None:
    judged = only(about(2, "judge"), says("Hm."), otherwise=Shop())
    broken = only(lambda r: about(2, "judge")(r) and "could not be used" in json.dumps(r.body), says("Hm."),
                  otherwise=judged)  # fmt: skip
    async with LoopbackServer(broken) as server:
        project.lay(spec(server, run=ONE_AT_A_TIME), cases(3))
        first = await project.run("run", "experiment.yaml")
        assert first.code == 5
        assert project.rows()["c2"]["outcome"] == "unanswered"
        asked = server.count
        second = await project.run("run", "shop")
    assert (second.code, server.count - asked) == (0, 1)
    assert project.rows()["c2"]["outcome"] == "win"


async def test_a_judge_whose_words_are_withheld_has_not_answered(project: Project) -> None:
    async with LoopbackServer(when(about(2, "judge"), withholds(), Shop())) as server:
        project.lay(spec(server), cases(3))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 5
    assert {event["failure"]["kind"] for event in done.kinds("failed")} == {"content filter"}
    assert counted(r for r in server.requests if number(r) == 2)["judge"] == 2
    assert project.rows()["c2"]["outcome"] == "unanswered"


# What stops a run.


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        pytest.param(fails(401, "Incorrect API key provided: sk-journey-0123456789"),
                     "put the right key into the environment", id="wrong key"),
        pytest.param(fails(404, "The model does not exist", code="model_not_found"),
                     "correct the model's name", id="unknown model"),
    ],
)  # fmt: skip
async def test_what_will_never_work_stops_the_run_at_once(
    project: Project, refusal: Handler, told: str
) -> None:
    refusing = True
    async with LoopbackServer(when(lambda _: refusing, refusal, Shop())) as server:
        project.lay(spec(server), cases(10))
        done = await project.run("run", "experiment.yaml", "--events")
        assert done.code == 5
        assert server.count <= 4  # those in flight together
        assert told in done.err
        assert "sk-journey" not in done.err + done.out
        refusing = False
        asked = server.count
        mended = await project.run("run", "shop")
    assert mended.code == 0, mended.err
    assert server.count - asked == 10 * 4


async def test_a_budget_stops_cleanly_and_more_money_finishes(project: Project) -> None:
    call_usd = 100 * 0.15e-6 + 20 * 0.60e-6  # the loopback provider's tokens at gpt-4o-mini's list price
    async with LoopbackServer(Shop()) as server:
        judge = {"name": "judge", "model": "gpt-4o-mini-judge", "endpoint": f"{server.url}/v1"}
        project.lay(spec(server, judge=judge, run=ONE_AT_A_TIME), cases(4))
        poor = await project.run("run", "experiment.yaml", "--budget", f"{call_usd * 4.5:.7f}")
        assert poor.code == 5
        assert "budget" in poor.err
        assert "Go on with: bothways run shop" in poor.err
        progress = project.show()["progress"]
        assert progress["cost_usd"] <= call_usd * 5
        rich = await project.run("run", "shop", "--budget", "1")
    assert rich.code == 0, rich.err
    bodies = [json.dumps(request.body, sort_keys=True) for request in server.requests]
    assert len(bodies) == len(set(bodies)) == 4 * 4
    spent = project.show()["progress"]
    assert spent["cost_usd"] == pytest.approx(8 * call_usd)
    assert spent["unknown_costs"] == 8  # the judge's name is on no price list: unknown, not free


async def test_a_budget_holds_for_calls_in_flight_together(project: Project) -> None:
    call_usd = 100 * 0.15e-6 + 20 * 0.60e-6
    async with LoopbackServer(Shop(latency_s=0.02)) as server:
        project.lay(spec(server), cases(10))
        done = await project.run("run", "experiment.yaml", "--budget", f"{call_usd * 9.5:.7f}", "--events")
    assert done.code == 5
    paid = [request for request in server.requests if who(request) != "judge"]
    assert len(paid) <= 10  # one may go over; those that were claimed ahead of it may not follow
    assert project.show()["progress"]["possibly_billed"] == 0


async def test_a_dropped_parameter_is_said_once_and_costs_one_request(project: Project) -> None:
    error = fails(
        400, "Unsupported value: 'temperature' is not supported with this model.", param="temperature"
    )
    picky = when(lambda r: "temperature" in r.body, error, Shop())
    async with LoopbackServer(picky) as server:
        project.lay(spec(server, run=ONE_AT_A_TIME), cases(3))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    assert server.count == 3 * 4 + 1
    with project.store() as store:
        row = store.row(store.row_ids(store.specs("shop")[0].id)[0])
    notes = [note for _, result, _ in row.passes if result is not None for note in result.notes]
    assert any("temperature" in note for note in notes)


async def test_a_verdict_given_as_a_tool_call_is_read(project: Project) -> None:
    arguments = json.dumps({"rationale": "It says when.", "winner": "tie"})
    call: JsonObject = {"id": "1", "type": "function", "function": {"name": "reply", "arguments": arguments}}
    judge = replies({"role": "assistant", "content": None, "tool_calls": [call]})
    async with LoopbackServer(when(lambda r: who(r) == "judge", judge, Shop())) as server:
        project.lay(spec(server), cases(3))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    assert project.gate()["outcomes"]["tie"] == 3
