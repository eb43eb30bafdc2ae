"""What the gate, the reports and the exports say of runs in which something went wrong, and of people."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.journeys.project import Done, Project
from tests.journeys.shop import Shop, agent_spec, cases, number, spec, who
from tests.loopback.behaviours import fails, says, when
from tests.loopback.server import Handled, Handler, JsonObject, LoopbackServer, Request, as_json

from bothways.app.cli.export import FORMATS as EXPORTS
from bothways.engine.report.formats import FORMATS as REPORTS

NEEDS_REVIEW, INCONCLUSIVE = 3, 4


def conditions(gate: Any) -> dict[str, str]:
    return {one["name"]: one["state"] for one in gate["conditions"]}


def red(report: Done) -> int:
    suite = ElementTree.fromstring(report.out)[0]
    return int(suite.attrib["failures"]) + int(suite.attrib["errors"])


@pytest.mark.parametrize(
    ("refusal", "first"),
    [
        (fails(429, "You exceeded your current quota."), "complete: "),
        (fails(503), "coverage: 0 of 10 rows have a readable verdict"),
    ],
    ids=["quota", "down"],
)
async def test_a_judge_that_never_answers_decides_nothing(
    project: Project, refusal: Handler, first: str
) -> None:
    async with LoopbackServer(when(lambda request: who(request) == "judge", refusal, Shop())) as server:
        project.lay(spec(server, run={"concurrency": 4, "retries": 0}), cases(10))
        run = await project.run("run", "experiment.yaml")
    assert run.code == 5
    assert project.ask("gate", "shop").code == INCONCLUSIVE
    gate = project.gate()
    assert gate["reasons"][0].startswith(first)
    assert "pass" not in (conditions(gate)["coverage"], conditions(gate)["win_rate"])
    assert red(project.ask("report", "shop", "--format", "junit"))


async def test_what_has_not_been_tried_is_the_first_reason(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), cases(10))
        await project.run("run", "experiment.yaml", "--limit", "4")
    assert project.ask("gate", "shop").code == INCONCLUSIVE
    assert project.gate()["reasons"][0].startswith("complete: 6 of 10 rows have not been tried")


async def test_no_cases_are_no_experiment(project: Project) -> None:
    async with LoopbackServer(Shop()) as server:
        project.lay(spec(server), [])
        run = await project.run("run", "experiment.yaml")
    assert (run.code, server.count) == (2, 0)
    assert not project.db.exists()


async def test_skipping_every_row_decides_nothing(project: Project) -> None:
    async with LoopbackServer(Shop(lambda _: "first shown")) as server:
        project.lay(spec(server), cases(5, high_stakes=True))
        await project.run("run", "experiment.yaml")
    for case in project.rows():
        skipped = project.ask("verdict", "shop", case, "skip", "--reviewer", "kim", "--note", "no idea")
        assert skipped.code == 0
    gate = project.ask("gate", "shop")
    assert gate.code == NEEDS_REVIEW
    assert project.gate()["final"]["undecided"] == 5
    assert project.gate()["reviews"]["reviewed"] == 0
    assert red(project.ask("report", "shop", "--format", "junit"))


def silent(*sides: str) -> Callable[[Request], Handled]:
    return when(lambda request: who(request) in sides, says(""), Shop())


async def test_two_empty_answers_are_no_tie_and_no_pass(project: Project) -> None:
    async with LoopbackServer(silent("baseline", "candidate")) as server:
        project.lay(spec(server), cases(3))
        await project.run("run", "experiment.yaml")
        assert not [request for request in server.requests if who(request) == "judge"]
    gate = project.gate()
    assert gate["outcomes"]["error"] == 3
    assert gate["final"] == {"candidate": 0, "baseline": 0, "tie": 0, "undecided": 3}
    assert project.ask("gate", "shop").code == INCONCLUSIVE


async def test_an_empty_answer_of_the_candidate_alone_is_a_finding(project: Project) -> None:
    async with LoopbackServer(silent("candidate")) as server:
        project.lay(spec(server), cases(3))
        await project.run("run", "experiment.yaml")
    gate = project.gate()
    assert gate["decision"] == "do_not_ship"
    assert gate["reasons"][0] == "coverage: the candidate gave no answer on 3 rows where the baseline did"
    page = project.ask("report", "shop", "--format", "html").out
    assert "no answer: no answer in the reply: the text is empty" in page
    assert project.ask("export", "shop", "--format", "dpo").out == ""


async def test_an_override_counts_everywhere_at_once(project: Project) -> None:
    async with LoopbackServer(Shop(lambda case: "candidate" if case <= 6 else "baseline")) as server:
        project.lay(spec(server), cases(10))
        await project.run("run", "experiment.yaml")
    assert project.gate()["final"] == {"candidate": 6, "baseline": 4, "tie": 0, "undecided": 0}
    done = project.ask("verdict", "shop", "c1", "baseline", "--reviewer", "kim", "--note", "it is false")
    assert done.code == 0
    five_all = {"candidate": 5, "baseline": 5, "tie": 0, "undecided": 0}
    gate = project.gate()
    assert gate["final"] == five_all
    assert gate["judge_alone"]["candidate"] == 6
    assert (gate["reviews"]["reviewed"], gate["reviews"]["overrides"]) == (1, 1)
    assert (gate["win_rate"]["wins"], gate["win_rate"]["of"]) == (5, 10)
    row = project.rows()["c1"]
    assert (row["judge_verdict"], row["human_verdict"], row["final"]) == ("candidate", "baseline", "baseline")
    assert json.loads(project.ask("report", "shop", "--format", "json").out)["final"] == five_all
    assert "1 in all, 1 against the judge" in project.ask("report", "shop").out
    lines = list(csv.DictReader(io.StringIO(project.ask("export", "shop", "--format", "csv").out)))
    finals = {line["case"]: line["final_verdict"] for line in lines}
    assert sorted(finals.values()) == ["heron-5"] * 5 + ["kestrel-4"] * 5
    assert {line["judge_verdict"] for line in lines if line["case"] == "c1"} == {"heron-5"}
    preferred = [
        json.loads(line) for line in project.ask("export", "shop", "--format", "dpo").out.splitlines()
    ]
    by_case = {line["case"]: (line["chosen_variant"], line["source"]) for line in preferred}
    assert by_case["c1"] == ("kestrel-4", "human")
    assert by_case["c2"] == ("heron-5", "judge")


async def test_a_row_that_is_all_at_once_is_counted_once(project: Project) -> None:
    async with LoopbackServer(Shop(lambda case: "first shown" if case == 4 else "candidate")) as server:
        review = {"audit": 1.0}
        project.lay(
            spec(server, review=review), [{**case, "high_stakes": case["id"] == "c4"} for case in cases(10)]
        )
        await project.run("run", "experiment.yaml")
    for verdict in ("baseline", "candidate", "baseline"):
        project.ask("verdict", "shop", "c4", verdict, "--reviewer", "kim", "--note", "so it is")
    reviews = project.gate()["reviews"]
    assert (reviews["required"], reviews["done"], reviews["reviewed"]) == (1, 1, 1)
    page = project.ask("report", "shop", "--format", "html").out
    assert "1 of 1 required, 1 in all, 0 against the judge" in page


SECRETS = {"SHOP_TOKEN": "sk-test-1234567", "SHOP_PASSWORD": "pass-word-99", "SHOP_SECRET": "query-abc-77"}
BASIC = b64encode(f"shop:{SECRETS['SHOP_PASSWORD']}".encode()).decode()


def quoting(request: Request) -> Handled:
    """An agent that fails on one order, and quotes everything it was sent in its error."""
    if number(request) == 2 and who(request) == "candidate":
        words = f"no: {request.headers['authorization']} http://shop:pass-word-99@host{request.path}"
        return as_json({"error": words}, 500)
    return Shop()(request)


@pytest.mark.parametrize(
    "sent", [f"Bearer {SECRETS['SHOP_TOKEN']}", f"Basic {BASIC}"], ids=["header", "address"]
)
async def test_no_secret_is_written_anywhere_and_the_run_can_be_repeated(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    for name, secret in SECRETS.items():
        monkeypatch.setenv(name, secret)
    async with LoopbackServer(quoting) as server:
        project.lay(leaky(server, in_address=sent.startswith("Basic")), cases(3))
        runs = [await project.run("run", "experiment.yaml", "--events") for _ in range(2)]
        agent = [request for request in server.requests if request.path.startswith("/agent")]
    assert {request.headers["authorization"] for request in agent} == {sent}
    assert all(request.path.endswith("?token=query-abc-77") for request in agent)
    assert [run.code for run in runs] == [5, 5]
    written = [run.out + run.err for run in runs]
    written += [project.ask("report", "shop", "--format", form).out for form in REPORTS]
    written += [project.ask("export", "shop", "--format", form).out for form in EXPORTS]
    written += [project.ask(*command).out for command in (["show", "shop"], ["rows", "shop", "--json"])]
    files = [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file()]
    for secret in (*SECRETS.values(), BASIC):
        assert not [text for text in [*written, *files] if secret in text]
    assert any("[key]" in text for text in written)


def leaky(server: LoopbackServer, *, in_address: bool) -> JsonObject:
    """Return an experiment whose agent wants one secret in its address, and one there or in a header."""
    said = agent_spec(server, run={"concurrency": 2, "retries": 0})
    url = server.url.replace("://", "://shop:${SHOP_PASSWORD}@") if in_address else server.url
    baseline = said["baseline"]
    assert isinstance(baseline, dict)
    http = baseline["http"]
    assert isinstance(http, dict)
    http["url"] = url + "/agent?token=${SHOP_SECRET}"
    if not in_address:
        http["headers"] = {"Authorization": "Bearer ${SHOP_TOKEN}"}
    return said
