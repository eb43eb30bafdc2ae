"""Bad input of each kind: file, line, field, what was expected; exit 2; no byte of the database changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.journeys.project import Done, Project

SPEC = """\
name: shop
cases: cases.jsonl
baseline: {name: v4, function: "agent:old"}
candidates: [{name: v5, function: "agent:new"}]
judge: {name: j, function: "agent:judge"}
"""
CASES = '{"id": "c1", "input": "Where is 7?"}\n{"id": "c2", "input": "Where is 8?"}\n'
AGENT = """
def old(asked):
    return "Old: " + asked["input"]

def new(asked):
    return "New: " + asked["input"]

def judge(asked):
    return [text[:3] for text in asked["answers"]].index("New")
"""
PAIR = {
    "pair_id": "r-1",
    "prompt": "Where is 7?",
    "a": {"model": "v4", "text": "Old"},
    "b": {"model": "v5", "text": "New"},
    "judgements": [{"judge": "j", "shown_first": "A", "verdict": "B"}],
}


@pytest.fixture(scope="module")
def once_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a project that was run."""
    project = Project(tmp_path_factory.mktemp("project"))
    project.write("agent.py", AGENT)
    project.write("experiment.yaml", SPEC)
    project.write("cases.jsonl", CASES)
    done = asyncio.run(project.run("run", "experiment.yaml"))
    assert done.code == 0, done.err
    return project.folder


@pytest.fixture
def with_database(once_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a copy of it, to be in."""
    folder = shutil.copytree(once_run, tmp_path / "project")
    monkeypatch.chdir(folder)
    return Project(folder)


def state(project: Project) -> str:
    """Hash the database and what SQLite keeps beside it."""
    files = sorted(project.folder.glob("bothways.db*"))
    return hashlib.sha256(b"".join(f.name.encode() + f.read_bytes() for f in files)).hexdigest()


def refused(done: Done, *told: str) -> None:
    assert done.code == 2, done.err
    assert "Traceback" not in done.err
    for words in told:
        assert words in done.err, done.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("cases: cases.jsonl", "cases: case.jsonl", ("experiment.yaml:2: cases", "case.jsonl")),
        ("judge:", "judgement:", ("experiment.yaml:5: judgement", "judge")),
        ("name: v5", "name: v4", ("experiment.yaml:4", "a second variant called v4")),
        ("agent:new", "agent", ("experiment.yaml:4", "module:function")),
        ("agent:judge", "nobody:judge", ("experiment.yaml:5", "no module 'nobody'")),
        ("name: shop", "", ("name",)),
        ("name: shop", "name: [", ("experiment.yaml:",)),
        ("name: shop", "name: shop\ngate: {threshold: 60}", ("experiment.yaml:2", "threshold")),
        ("name: shop", "name: shop\nrun: {concurrency: 0}", ("experiment.yaml:2", "concurrency")),
        (
            "name: j,",
            "name: j, params: {api_key: sk-aaaaaaaaaaaaaaaaaaaa},",
            ("experiment.yaml:5", "api_key"),
        ),
    ],
)
def test_a_wrong_spec(with_database: Project, old: str, new: str, told: tuple[str, ...]) -> None:
    with_database.write("experiment.yaml", SPEC.replace(old, new))
    before = state(with_database)
    refused(with_database.ask("run", "experiment.yaml"), *told, "expected")
    assert state(with_database) == before


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "c2", "input": ', ("cases.jsonl:2", "expected")),
        ('{"id": "c1", "input": "Again?"}', ("cases.jsonl:2: id", "c1")),
        ('{"id": "c2"}', ("cases.jsonl:2", "input")),
        ('{"id": "c2", "input": 7, "high_stakes": "perhaps"}', ("cases.jsonl:2: high_stakes", "expected")),
        ('{"id": "c2", "input": "x", "tool_rules": [{"forbid": "refund"}]}', ("cases.jsonl:2", "tool_rules")),
        ('["c2"]', ("cases.jsonl:2", "expected")),
    ],
)
def test_a_wrong_case(with_database: Project, line: str, told: tuple[str, ...]) -> None:
    with_database.write("cases.jsonl", CASES.splitlines()[0] + "\n" + line + "\n")
    before = state(with_database)
    refused(with_database.ask("run", "experiment.yaml"), *told)
    assert state(with_database) == before


def change(**fields: Any) -> str:
    return json.dumps({**PAIR, "pair_id": "r-2", **fields})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"pair_id": ', ("pairs.jsonl:2", "expected")),
        (json.dumps(PAIR), ("pairs.jsonl:2", "r-1")),
        (change(a={"model": "v4"}), ("pairs.jsonl:2: a", "expected")),
        (
            change(judgements=[{"judge": "j", "shown_first": "C", "verdict": "B"}]),
            ("pairs.jsonl:2: judgements",),
        ),
        (
            change(judgements=[{"judge": "j", "shown_first": "A", "verdict": "v5"}]),
            ("pairs.jsonl:2: judgements",),
        ),
        (change(gold="both"), ("pairs.jsonl:2: gold", "expected")),
    ],
)
def test_a_wrong_pair(with_database: Project, line: str, told: tuple[str, ...]) -> None:
    with_database.write("pairs.jsonl", json.dumps(PAIR) + "\n" + line + "\n")
    before = state(with_database)
    refused(with_database.ask("import", "pairs.jsonl", "--name", "pairs"), *told)
    assert state(with_database) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "nothing"),
        ("run", "nothing.yaml"),
        ("run", "shop", "--concurrency", "0"),
        ("run", "shop", "--budget", "much"),
        ("gate", "nothing"),
        ("gate", "shop", "--judge", "nobody"),
        ("gate", "shop", "--candidate", "nobody"),
        ("verdict", "shop", "c9", "tie", "--reviewer", "kim"),
        ("verdict", "shop", "c1", "perhaps", "--reviewer", "kim"),
        ("verdict", "shop", "c1", "tie"),
        ("import", "nothing.jsonl", "--name", "x"),
    ],
)
def test_a_wrong_command(with_database: Project, arguments: tuple[str, ...]) -> None:
    before = state(with_database)
    refused(with_database.ask(*arguments))
    assert state(with_database) == before


@pytest.mark.parametrize(
    "command", [("run", "experiment.yaml"), ("import", "experiment.yaml", "--name", "x")]
)
async def test_bad_input_makes_no_database(project: Project, command: tuple[str, ...]) -> None:
    project.write("experiment.yaml", "name: shop\n")
    refused(await project.run(*command))
    assert list(project.folder.glob("bothways.db*")) == []
