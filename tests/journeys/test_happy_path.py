"""A whole run through the command line, by each way out: four calls a row, and what is derived from them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.journeys.project import Done, Project
from tests.journeys.shop import (
    NEW,
    OLD,
    TOOL_RESULT,
    Shop,
    agent_spec,
    cases,
    counted,
    pairs_shown,
    spec,
    who,
)
from tests.loopback.server import JsonObject, LoopbackServer, Request

ROWS = 8
CONCURRENCY = 3
FOUND = {1: "baseline", 2: "tie", 3: "first shown"}
"""What the judge finds on these cases; on all others the candidate is better."""


@dataclass(frozen=True)
class Journey:
    """One finished run, seen from both sides."""

    project: Project
    done: Done
    requests: list[Request]
    most_in_flight: int


def by_endpoint(server: LoopbackServer) -> JsonObject:
    return spec(server, run={"concurrency": CONCURRENCY})


def by_litellm(server: LoopbackServer) -> JsonObject:
    return spec(server, litellm=True, run={"concurrency": CONCURRENCY})


def by_agent(server: LoopbackServer) -> JsonObject:
    return agent_spec(server, run={"concurrency": CONCURRENCY})


async def journey(folder: Path, made: Callable[[LoopbackServer], JsonObject]) -> Journey:
    project = Project(folder)
    shop = Shop(lambda n: FOUND.get(n, "candidate"), latency_s=0.02)  # type: ignore[arg-type, return-value]
    async with LoopbackServer(shop) as server:
        project.lay(made(server), cases(ROWS))
        done = await project.run("run", "experiment.yaml")
    return Journey(project, done, server.requests, server.max_in_flight)


@pytest.fixture(
    scope="module", params=[by_endpoint, by_litellm, by_agent], ids=["endpoint", "litellm", "http"]
)
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Journey:
    return asyncio.run(journey(tmp_path_factory.mktemp("journey"), request.param))


def test_a_run_ends_complete(finished: Journey) -> None:
    assert finished.done.code == 0, finished.done.err
    assert finished.done.out == ""
    assert f"complete: {2 * ROWS} answers, {2 * ROWS} passes, {4 * ROWS} calls" in finished.done.err


def test_a_row_takes_four_calls(finished: Journey) -> None:
    assert counted(finished.requests) == {"baseline": ROWS, "candidate": ROWS, "judge": 2 * ROWS}


def test_no_more_is_in_flight_than_was_allowed(finished: Journey) -> None:
    assert finished.most_in_flight == CONCURRENCY


def test_the_judge_sees_each_pair_in_both_orders(finished: Journey) -> None:
    pairs = pairs_shown(finished.requests)
    assert sorted(pairs) == list(range(1, ROWS + 1))
    for first, second in pairs.values():
        assert first == second[::-1]
        assert {answer.split()[0] for answer in first} == {"Kind", "Short"}


def test_the_judge_sees_no_name_and_no_tool_log(finished: Journey) -> None:
    prompts = [json.dumps(request.body) for request in finished.requests if who(request) == "judge"]
    for word in (OLD, NEW, TOOL_RESULT, "get_order", "gpt-4o-mini", "Be friendly", "Be brief"):
        assert [prompt for prompt in prompts if word in prompt] == []


def test_the_rows_say_what_the_judge_found(finished: Journey) -> None:
    rows = finished.project.rows()
    assert {case: (row["outcome"], row["first"], row["second"]) for case, row in rows.items()} == {
        "c1": ("win", "baseline", "baseline"),
        "c2": ("tie", "tie", "tie"),
        "c3": ("flip_hard", "baseline", "candidate"),
        **{f"c{n}": ("win", "candidate", "candidate") for n in range(4, ROWS + 1)},
    }


def test_the_gate_counts_them(finished: Journey) -> None:
    gate = finished.project.gate()
    assert gate["outcomes"] == {
        "candidate": 5, "baseline": 1, "tie": 1, "flip": 1, "flip_hard": 1, "flip_soft": 0, "flip_nights": 0,
        "unanswered": 0, "error": 0, "one_pass": 0, "pending": 0,
    }  # fmt: skip
    assert gate["passes"]["first"] == {"candidate": 5, "baseline": 2, "tie": 1, "unreadable": 0}
    assert gate["passes"]["second"] == {"candidate": 6, "baseline": 1, "tie": 1, "unreadable": 0}


def test_what_is_stored_is_what_was_said(finished: Journey) -> None:
    with finished.project.store() as store:
        info = store.specs("shop")[0]
        details = [store.row(row_id) for row_id in store.row_ids(info.id)]
    stored = [answer.text for row in details for _, answer, _ in row.answers if answer is not None]
    stored += [result.raw for row in details for _, result, _ in row.passes if result is not None]
    replies = sorted(int(found) for text in stored for found in re.findall(r"\(reply (\d+)\)", text))
    assert replies == list(range(4 * ROWS))


def test_a_second_run_asks_nothing(finished: Journey) -> None:
    again = asyncio.run(finished.project.run("run", "shop"))  # its server is gone: any call would fail
    assert (again.code, "0 calls" in again.err) == (0, True)
