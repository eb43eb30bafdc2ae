"""A run is what the spec asks for, less what is there: what each edit and each option buys, and no more."""

from __future__ import annotations

import pytest
from tests.journeys.project import Project
from tests.journeys.shop import BRIEF, NEW, OLD, Shop, cases, counted, judge_named, number, spec, who
from tests.loopback.behaviours import fails, when
from tests.loopback.server import JsonObject, LoopbackServer, Request

ROWS = 3
OTHER: JsonObject = {"name": "plover-6", "prompt_text": f"{BRIEF}\nSay please."}
"""Another candidate."""


async def bought(server: LoopbackServer, project: Project, *arguments: str, code: int = 0) -> list[Request]:
    """Run and return the requests that this took."""
    before = server.count
    done = await project.run(*arguments)
    assert done.code == code, done.err
    return server.requests[before:]


async def test_the_baseline_is_frozen_before_any_candidate_exists(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        whole = spec(server)
        candidates = whole.pop("candidates")
        project.lay(whole, cases(ROWS))
        assert counted(await bought(server, project, "freeze", "experiment.yaml")) == {"baseline": ROWS}
        assert await bought(server, project, "freeze", "experiment.yaml") == []

        project.lay({**whole, "candidates": candidates}, cases(ROWS))
        first = await bought(server, project, "run", "experiment.yaml")
        assert counted(first) == {"candidate": ROWS, "judge": 2 * ROWS}

        project.lay(spec(server, candidates=[{"name": NEW, "prompt_text": BRIEF}, OTHER]), cases(ROWS))
        second = await bought(server, project, "run", "experiment.yaml")
        assert counted(second) == {"candidate": ROWS, "judge": 2 * ROWS}
        assert all("Say please." in str(r.body) for r in second if who(r) == "candidate")
    for candidate in (NEW, "plover-6"):
        assert project.gate("shop", "--candidate", candidate)["outcomes"]["candidate"] == ROWS
    assert project.ask("gate", "shop").code == 2


async def test_freezing_a_spec_with_candidates_asks_the_baseline_alone(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        assert counted(await bought(server, project, "freeze", "experiment.yaml")) == {"baseline": ROWS}
        rest = await bought(server, project, "run", "shop")
        assert counted(rest) == {"candidate": ROWS, "judge": 2 * ROWS}


async def test_what_nobody_is_shown_buys_nothing(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        edited = cases(
            ROWS, tags={"path": "refund"}, high_stakes=True, tool_rules=[{"forbidden": "delete_order"}]
        )
        project.lay(spec(server, hypothesis="no difference"), edited)
        assert await bought(server, project, "run", "experiment.yaml") == []
    gate = project.gate()
    assert gate["outcomes"]["candidate"] == ROWS
    assert gate["reviews"]["required"] == ROWS


async def test_an_edited_case_is_asked_again_alone(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        edited = cases(ROWS)
        edited[1]["input"] = "And where is order 2, please?"
        project.lay(spec(server), edited)
        again = await bought(server, project, "run", "experiment.yaml")
        assert counted(again) == {"baseline": 1, "candidate": 1, "judge": 2}
        assert {number(request) for request in again} == {2}

        with_reference = [
            {**case, "reference": f"Order {n} is in Utrecht."} for n, case in enumerate(edited, 1)
        ]
        project.lay(spec(server), with_reference)
        judged = await bought(server, project, "run", "experiment.yaml")
        assert counted(judged) == {"judge": 2 * ROWS}  # no assistant sees a reference, the judge does

        project.lay(spec(server), cases(ROWS))
        assert await bought(server, project, "run", "experiment.yaml") == []  # as it was at first


async def test_another_judge_judges_the_answers_that_are_there(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        project.lay(spec(server, judge=judge_named(server, "second")), cases(ROWS))
        again = await bought(server, project, "run", "experiment.yaml")
        assert counted(again) == {"judge": 2 * ROWS}
        assert {request.body["model"] for request in again} == {"second-judge"}

        strict = {**judge_named(server, "second"), "criteria": ["It says when."]}
        project.lay(spec(server, judge=strict), cases(ROWS))
        assert counted(await bought(server, project, "run", "experiment.yaml")) == {"judge": 2 * ROWS}


async def test_another_candidate_prompt_asks_the_candidate_alone(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        project.lay(spec(server, candidates=[{**OTHER, "name": NEW}]), cases(ROWS))
        again = await bought(server, project, "run", "experiment.yaml")
        assert counted(again) == {"candidate": ROWS, "judge": 2 * ROWS}


async def test_another_name_buys_nothing(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        project.lay(
            spec(server, name="shop-2", candidates=[{"name": "other", "prompt_text": BRIEF}]), cases(ROWS)
        )
        assert await bought(server, project, "run", "experiment.yaml") == []
    assert project.gate("shop-2")["outcomes"]["candidate"] == ROWS


async def test_rejudge_is_a_new_take_and_asks_no_assistant(project: Project) -> None:
    verdict = "candidate"
    async with LoopbackServer(Shop(lambda _: verdict)) as server:  # type: ignore[arg-type, return-value]
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        verdict = "baseline"
        assert counted(await bought(server, project, "run", "shop", "--rejudge")) == {"judge": 2 * ROWS}
        gate = project.gate()
        assert (gate["outcomes"]["baseline"], gate["outcomes"]["candidate"], gate["takes"]) == (ROWS, 0, 2)
        assert await bought(server, project, "run", "shop") == []


async def test_an_unfinished_take_leaves_the_one_before_it_standing(project: Project) -> None:
    verdict = "candidate"
    async with LoopbackServer(Shop(lambda _: verdict)) as server:  # type: ignore[arg-type, return-value]
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        verdict = "baseline"
        part = await bought(server, project, "run", "shop", "--rejudge", "--only", "c2")
        assert [(who(request), number(request)) for request in part] == [("judge", 2)] * 2
        outcomes = project.gate()["outcomes"]
        assert (outcomes["candidate"], outcomes["baseline"], outcomes["pending"]) == (2, 1, 0)


async def test_another_night_asks_the_candidate_and_the_judge(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        again = await bought(server, project, "run", "shop", "--again")
        assert counted(again) == {"candidate": ROWS, "judge": 2 * ROWS}
    gate = project.gate()
    assert (gate["rows"], gate["outcomes"]["candidate"], gate["nights"]) == (ROWS, ROWS, 2)


async def test_an_edited_tag_keeps_the_second_night_and_the_decision(project: Project) -> None:
    """A candidate that won one night and lost the other is no better for a label on a case."""
    night = "candidate"
    async with LoopbackServer(Shop(lambda _: night)) as server:  # type: ignore[arg-type, return-value]
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
        night = "baseline"
        await bought(server, project, "run", "shop", "--again")
        before = project.gate()
        project.lay(spec(server), cases(ROWS, tags={"path": "refund"}))
        assert await bought(server, project, "run", "experiment.yaml") == []
    after = project.gate()
    assert before["outcomes"] == after["outcomes"]
    assert (before["decision"], before["nights"]) == (after["decision"], after["nights"])
    assert before["decision"] == "inconclusive"


async def test_limit_and_only_do_a_part(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(4))
        first = await bought(server, project, "run", "experiment.yaml", "--limit", "1")
        assert {number(request) for request in first} == {1}
        assert counted(first) == {"baseline": 1, "candidate": 1, "judge": 2}
        assert project.gate()["outcomes"]["pending"] == 3
        again = await project.run("run", "shop", "--limit", "1")
        assert (again.code, server.count) == (0, len(first))
        assert "complete (1 of 4 rows)" in again.err
        assert "Next: bothways run shop" in again.err
        third = await bought(server, project, "run", "shop", "--only", "c3")
        assert {number(request) for request in third} == {3}
        assert {number(request) for request in await bought(server, project, "run", "shop")} == {2, 4}
        assert server.count == 4 * 4


async def test_a_case_that_is_not_there_is_said(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(4))
        done = await project.run("run", "experiment.yaml", "--only", "c9")
        assert (done.code, server.count) == (2, 0)
        assert "c9" in done.err


async def test_retry_failed_asks_only_what_failed(project: Project) -> None:
    broken = True
    failing = when(lambda r: broken and number(r) == 2 and who(r) == "candidate", fails(503), Shop())
    async with LoopbackServer(failing) as server:
        project.lay(spec(server, run={"concurrency": 4, "retries": 0}), cases(4))
        await bought(server, project, "run", "experiment.yaml", "--limit", "3", code=5)
        broken = False
        again = await bought(server, project, "run", "shop", "--retry-failed")
        assert {number(request) for request in again} == {2}
        assert counted(again) == {"candidate": 1, "judge": 2}
        assert project.gate()["outcomes"]["pending"] == 1  # the fourth was never tried


@pytest.mark.parametrize("swap", [True, False])
async def test_a_judge_that_does_not_swap_takes_three_calls_a_row(project: Project, swap: bool) -> None:
    async with LoopbackServer(Shop()) as server:
        judge = {**judge_named(server, "the"), "swap": swap}
        project.lay(spec(server, judge=judge), cases(ROWS))
        assert len(await bought(server, project, "run", "experiment.yaml")) == (4 if swap else 3) * ROWS
    outcomes = project.gate()["outcomes"]
    assert (outcomes["candidate"], outcomes["one_pass"]) == ((ROWS, 0) if swap else (0, ROWS))


async def test_cases_that_ask_the_same_share_one_answer(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        twins = [{**case, "id": f"twin-{case['id']}"} for case in cases(ROWS)]
        project.lay(spec(server), [*cases(ROWS), *twins])
        once = await bought(server, project, "run", "experiment.yaml")
        assert counted(once) == {"baseline": ROWS, "candidate": ROWS, "judge": 2 * ROWS}
    assert project.gate()["outcomes"]["candidate"] == 2 * ROWS


async def test_the_snapshot_is_told_from_what_was_tried_on_it(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(ROWS))
        await bought(server, project, "run", "experiment.yaml")
    checked = project.ask("check", str(project.folder / "experiment.yaml"), "--json").json
    assert checked["tried_today"] == [{"experiment": "shop", "candidate": NEW, "itself": True}]
    written = project.ask("snapshot", "shop", str(project.folder / "snapshots")).out.strip()
    assert OLD in (project.folder / "snapshots" / written / "manifest.json").read_text(encoding="utf-8")
