"""Agents with a memory, and assistants with tools: every case starts clean, and no judge sees a tool log."""

from __future__ import annotations

import json

import pytest
from tests.journeys.project import Project, ended
from tests.journeys.shop import FRIENDLY, NEW, OLD, Shop, cases, number, spec, who
from tests.loopback.agent import Agent, agent
from tests.loopback.behaviours import calls_tools, fails, says, sequence
from tests.loopback.server import Handled, JsonObject, LoopbackServer, Request, as_json

ROWS = 4


def agents(remembering: Agent, judge: LoopbackServer, **http: object) -> JsonObject:
    """Return an experiment on an agent that remembers what was said in a session."""
    settings: JsonObject = {
        "url": f"{remembering.url}/ask",
        "body": {"input": "{{input}}", "session": "{{session}}", "prompt": "{{prompt}}"},
        "text": "answer",
        "tool_calls": "steps.tools",
        "usage": "tokens",
        "cost": "price",
        "model": "version",
        **http,  # type: ignore[dict-item]
    }
    baseline: JsonObject = {"name": OLD, "prompt_text": FRIENDLY, "version": "1", "http": settings}
    return spec(judge, baseline=baseline, run={"concurrency": 4, "retries": 2})


def leaks(project: Project) -> list[str]:
    """Return the answers that know of another case."""
    with project.store() as store:
        rows = [store.row(row_id) for row_id in store.row_ids(store.specs("shop")[0].id)]
    texts = [answer.text for row in rows for _, answer, _ in row.answers if answer is not None]
    assert len(texts) == 2 * ROWS
    return [text for text in texts if "Before, you said" in text]


async def run(project: Project, remembering: Agent, **http: object) -> LoopbackServer:
    """Run an experiment on the agent; return the judge's server with what it was asked."""
    async with remembering, LoopbackServer(says('{"rationale": "Alike.", "winner": "tie"}')) as judge:
        project.lay(agents(remembering, judge, **http), cases(ROWS))
        done = await project.run("run", "experiment.yaml")
        assert done.code == 0, done.err
    return judge


async def test_every_case_has_a_session_of_its_own(project: Project) -> None:
    remembering = agent()
    await run(project, remembering)
    sessions = [request.body["session"] for request in remembering.requests]
    assert len(set(map(str, sessions))) == len(sessions) == 2 * ROWS
    assert leaks(project) == []


async def test_a_session_that_is_used_again_leaks_and_this_test_would_see_it(project: Project) -> None:
    fixed = {"input": "{{input}}", "session": "everybody", "prompt": "{{prompt}}"}
    await run(project, agent(), body=fixed)
    assert len(leaks(project)) == 2 * ROWS - 1


async def test_an_agent_can_be_made_to_forget(project: Project) -> None:
    remembering = agent()
    async with remembering, LoopbackServer(says('{"rationale": "Alike.", "winner": "tie"}')) as judge:
        fixed: JsonObject = {"input": "{{input}}", "session": "everybody", "prompt": "{{prompt}}"}
        whole = agents(remembering, judge, body=fixed, reset=f"{remembering.url}/reset")
        project.lay(whole, cases(ROWS))
        done = await project.run("run", "experiment.yaml")
        assert done.code == 0, done.err
    assert len(remembering.resets) == 2 * ROWS
    assert len(set(remembering.resets)) == 2 * ROWS  # the agent is told which session


async def test_a_retried_case_does_not_meet_what_its_first_try_left(project: Project) -> None:
    """The agent remembers the question and then fails: the second try must not be told of it."""
    memory: dict[str, list[str]] = {}
    broken = sequence(fails(503), says())

    def answer(request: Request) -> Handled:
        said = memory.setdefault(str(request.body["session"]), [])
        before = f"Before, you said: {said}" if said else ""
        said.append(str(request.body["input"]))
        trouble = broken(request)
        first = request.number == 0
        return trouble if first else as_json({"answer": f"About {said[-1]} {before}"})

    remembering = agent(answer=answer)
    await run(project, remembering)
    assert len(remembering.requests) == 2 * ROWS + 1
    assert leaks(project) == []


async def test_no_tool_log_of_an_agent_reaches_the_judge(project: Project) -> None:
    judge = await run(project, agent())
    assert judge.count == 2 * ROWS
    assert [r for r in judge.requests if "lookup" in json.dumps(r.body)] == []
    with project.store() as store:
        row = store.row(store.row_ids(store.specs("shop")[0].id)[0])
    calls = [call.name for _, answer, _ in row.answers if answer is not None for call in answer.tool_calls]
    assert calls == ["lookup", "lookup"]


# Tools run here.

MODULE = """
ORDERS = {}

def reset():
    ORDERS.clear()

def get_order(id):
    ORDERS[id] = ORDERS.get(id, 0) + 1
    return {"id": id, "scans": ORDERS[id], "seen": "parcel-scanned-in-Utrecht", "known": sorted(ORDERS)}

def broken(id):
    raise ValueError("the warehouse is closed")
"""
TOOLS: list[JsonObject] = [
    {"name": "get_order", "description": "Look an order up.", "parameters": {"type": "object"}},
    {"name": "get_policy", "description": "Read a policy.", "result": "canned-policy-30-days"},
    {"name": "broken", "description": "Never works."},
]


def with_tools(server: LoopbackServer, **baseline: object) -> JsonObject:
    whole = spec(server)
    tools: JsonObject = {"tools": TOOLS, "tool_module": "shop_tools", **baseline}  # type: ignore[dict-item]
    return {**whole, "baseline": {**whole["baseline"], **tools}}  # type: ignore[dict-item]


class ShopWithTools(Shop):
    """Assistants that look the order up, then the policy, and then answer."""

    def __call__(self, request: Request) -> Handled:
        if who(request) == "judge":
            return super().__call__(request)
        order = json.dumps({"id": str(number(request))})
        if (turn := tool_turns(request)) == 0:
            return calls_tools(("get_order", order), ("broken", order))(request)
        if turn == 1:
            return calls_tools(("get_policy", "{}"), text="One moment.")(request)
        return super().__call__(request)


def tool_turns(request: Request) -> int:
    """Count the turns in which tools were asked for so far."""
    messages = request.body["messages"]
    assert isinstance(messages, list)
    return sum(isinstance(message, dict) and bool(message.get("tool_calls")) for message in messages)


def results(request: Request) -> list[str]:
    """Return what the tools brought back, as the model was told."""
    messages = request.body["messages"]
    assert isinstance(messages, list)
    return [str(m["content"]) for m in messages if isinstance(m, dict) and m["role"] == "tool"]


async def test_tools_are_executed_and_the_model_goes_on(project: Project) -> None:
    project.write("shop_tools.py", MODULE)
    async with LoopbackServer(ShopWithTools()) as server:
        project.lay(with_tools(server), cases(2))
        done = await project.run("run", "experiment.yaml")
    assert done.code == 0, done.err
    assert server.count == 2 * (2 * 3 + 2)
    last = [r for r in server.requests if who(r) != "judge" and tool_turns(r) == 2]
    assert len(last) == 2 * 2
    for request in last:
        order, broken, policy = results(request)
        # One scan, one order: no case meets what another has left in the module.
        assert json.loads(order) == {
            "id": str(number(request)), "scans": 1, "seen": "parcel-scanned-in-Utrecht",
            "known": [str(number(request))],
        }  # fmt: skip
        assert "the warehouse is closed" in broken
        assert policy == "canned-policy-30-days"
    judged = [json.dumps(request.body) for request in server.requests if who(request) == "judge"]
    assert len(judged) == 2 * 2
    for word in ("get_order", "parcel-scanned", "canned-policy", "warehouse", OLD, NEW):
        assert [prompt for prompt in judged if word in prompt] == []
    assert all("One moment." in prompt for prompt in judged)  # what the customer read is no tool log


async def test_tools_are_asked_for_so_often_and_no_more(project: Project) -> None:
    project.write("shop_tools.py", MODULE)

    def never_done(request: Request) -> Handled:
        if who(request) == "candidate" and number(request) == 2:
            return calls_tools(("get_order", '{"id": "2"}'))(request)
        return Shop()(request)

    async with LoopbackServer(never_done) as server:
        project.lay(with_tools(server, max_tool_rounds=3), cases(2))
        done = await project.run("run", "experiment.yaml", "--events")
    assert done.code == 5
    assert len([r for r in server.requests if who(r) == "candidate" and number(r) == 2]) == 3 + 1
    assert [event["failure"]["kind"] for event in done.kinds("failed")] == ["tool loop"]
    assert project.rows()["c2"]["failed"] == ["candidate"]


@pytest.mark.parametrize("turn", [1, 2])
async def test_a_conversation_that_was_killed_goes_on_at_its_turn(project: Project, turn: int) -> None:
    project.write("shop_tools.py", MODULE)
    shop = ShopWithTools()
    kill = True

    def handler(request: Request) -> Handled:
        nonlocal kill
        if kill and tool_turns(request) == turn:
            kill = False
            process.kill()
        return shop(request)

    async with LoopbackServer(handler) as server:
        whole = with_tools(server)
        project.lay({**whole, "run": {"concurrency": 1}}, cases(1))
        process = await project.start("run", "experiment.yaml")
        await ended(process)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    turns = [(who(r), tool_turns(r)) for r in server.requests if who(r) != "judge"]
    assert len(turns) == 2 * 3 + 1
    assert len(turns) - len(set(turns)) == 1  # the one in flight, asked again


ACTING = """
from pathlib import Path
from uuid import uuid4

def get_order(id):
    with Path("acted.txt").open("a") as file:
        file.write("once\\n")
    return str(uuid4())
"""


async def test_a_resumed_conversation_acts_once_and_hears_what_it_heard(project: Project) -> None:
    """Its tool says something else each time: run again, it would make every later turn a new one."""
    project.write("shop_tools.py", ACTING)
    shop = ShopWithTools()
    kill = True

    def handler(request: Request) -> Handled:
        nonlocal kill
        if kill and tool_turns(request) == 2:
            kill = False
            process.kill()
        return shop(request)

    async with LoopbackServer(handler) as server:
        project.lay({**with_tools(server), "run": {"concurrency": 1}}, cases(1))
        process = await project.start("run", "experiment.yaml")
        await ended(process)
        resumed = await project.run("run", "shop")
    assert resumed.code == 0, resumed.err
    asked = [json.dumps(request.body) for request in server.requests if who(request) != "judge"]
    assert (len(asked), len(set(asked))) == (2 * 3 + 1, 2 * 3)  # the one in flight, asked again
    assert (project.folder / "acted.txt").read_text().splitlines() == ["once"] * 2
    # No tool is among the calls: those that were claimed ahead when the run was killed, and those settled.
    progress = project.show()["progress"]
    assert progress["calls"] - progress["possibly_billed"] == server.count - 1
