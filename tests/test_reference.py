"""REFERENCE.md names what there is: keys of the models, figures of the gate, codes, variables."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import BaseModel, JsonValue

from bothways.app.desk.settings import Settings
from bothways.app.exits import CRASHED, INTERRUPTED, STOPPED_EARLY
from bothways.engine.analysis.gather import gather
from bothways.engine.cases.columns import FIELDS
from bothways.engine.errors import BothwaysError
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.verdicts import COLUMNS as VERDICTS
from bothways.engine.experiment import (
    Attest,
    Experiment,
    GateSettings,
    Judge,
    ReviewSettings,
    RunSettings,
    Tool,
    Variant,
)
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import Decision
from bothways.engine.report.card import MOST_TEXT
from bothways.engine.report.formats import FORMATS
from bothways.engine.report.matters import MOST_IN_ALL, MOST_ROWS
from bothways.engine.rules import CHECKS, RULES
from bothways.engine.targets.http_settings import HttpSettings
from tests.engine.shop import ledger

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "REFERENCE.md").read_text(encoding="utf-8")
SOURCES = [p for part in ("app", "engine", "store", "bothways") for p in (ROOT / part).glob("**/*.py")]


def rows(head: str) -> dict[str, str]:
    """Return a table's second column by each of the names in its first."""
    table = REFERENCE[REFERENCE.index(f"| {head} |") :].split("\n\n")[0]
    found = re.findall(r"^\| (`.*?|\d+) \| (.*) \|$", table, re.MULTILINE)
    return {name.strip("`"): said for names, said in found for name in names.split()}


@pytest.mark.parametrize(
    ("head", "model", "written_otherwise", "only_resolved"),
    [
        ("experiment", Experiment, {"cases", "map"}, {"imported"}),
        ("variant", Variant, {"prompt_text"}, {"folder", "tool_module_version"}),
        ("tool", Tool, set(), set()),
        ("http", HttpSettings, set(), set()),
        ("judge", Judge, {"prompt_text"}, {"folder"}),
        ("review", ReviewSettings, {"high_stakes"}, {"high_stakes_tags"}),
        ("gate", GateSettings, set(), set()),
        ("run", RunSettings, set(), set()),
        ("attest", Attest, set(), set()),
    ],
)
def test_the_keys_of_a_spec_are_those_of_its_models(
    head: str, model: type[BaseModel], written_otherwise: set[str], only_resolved: set[str]
) -> None:
    assert set(rows(head)) == (set(model.model_fields) | written_otherwise) - only_resolved


@pytest.mark.parametrize("model", [GateSettings, RunSettings])
def test_the_defaults_are_those_of_the_models(model: type[BaseModel]) -> None:
    said = rows({GateSettings: "gate", RunSettings: "run"}[model])
    for name, field in model.model_fields.items():
        shown = re.findall(r"\(([\d.]+)\)$", said[name])
        assert shown == ([f"{field.default}"] if re.fullmatch(r"[\d.]+", str(field.default)) else [])


def test_the_code_shown_answers_and_judges(tmp_path: Path) -> None:
    """As a command, as a function, and as a judge: every way in which it is said to be used."""
    for block in re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL):
        name = block.splitlines()[0].removeprefix("# ")
        (tmp_path / name).write_text(block, encoding="utf-8")
    spec = {
        "name": "shown",
        "cases": "cases.json",
        "baseline": {"name": "v4", "command": [sys.executable, "agent.py"], "version": "1"},
        "candidates": [{"name": "v5", "function": "agent:answer"}],
        "judge": {"function": "judges:shorter"},
    }
    (tmp_path / "experiment.yaml").write_text(json.dumps(spec), encoding="utf-8")
    (tmp_path / "cases.json").write_text(json.dumps([{"id": "c1", "input": "Where?"}]), encoding="utf-8")

    def bothways(*arguments: str) -> str:
        command = [sys.executable, "-m", "bothways", *arguments]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            command, cwd=tmp_path, env=env, check=True, stdout=subprocess.PIPE
        ).stdout.decode()

    bothways("run", "experiment.yaml")
    (pair,) = map(json.loads, bothways("export", "shown").splitlines())
    assert [pair[side]["text"] for side in ("a", "b")] == ["You asked: Where?"] * 2
    assert [one["verdict"] for one in pair["judgements"]] == ["tie", "tie"]


def test_the_fields_of_cases_and_their_rules_are_those_that_are_read() -> None:
    assert set(rows("case")) == set(FIELDS)
    assert set(rows("rule")) == set(RULES)
    assert set(rows("check")) == set(CHECKS)


def test_the_pair_shown_is_read_whole(tmp_path: Path) -> None:
    section = REFERENCE[REFERENCE.index("## Pairs") :]
    line = json.loads(section.split("```json\n")[1].split("```")[0])
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    experiment, found = read_pairs(path)
    (row,) = found
    assert [variant.name for variant in experiment.variants] == ["v4", "v5"]
    beside = [row.case.extra, *(one.answer.extra for one in row.answers)]
    assert [extra for extra in [*beside, *(one.result.extra for one in row.passes)] if extra] == []


def result() -> Mapping[str, JsonValue]:
    data = ledger("refund-flow")
    return as_json(evaluate(gather(data, data.experiment.name, today="2026-01-05")))


def test_the_names_of_the_gates_json_are_those_that_are_printed() -> None:
    assert set(rows("name")) == set(result())


def test_every_name_inside_them_is_there_too() -> None:
    said = rows("name")

    def inside(value: JsonValue) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(inside, value))
        return set(value).union(*map(inside, value.values())) if isinstance(value, dict) else set()

    for name, value in result().items():
        if name == "conditions":
            assert isinstance(value, list)
            value = [{**one, "figures": None} for one in value if isinstance(one, dict)]
        missing = {one for one in inside(value) if f"`{one}`" not in said[name]}
        assert not missing, name


def test_the_settings_are_those_that_are_read() -> None:
    assert set(rows("setting")) == {one.name for one in fields(Settings)}


def test_the_exit_codes_are_those_of_the_program() -> None:
    codes = {decision.exit_code for decision in Decision} | {BothwaysError.exit_code}
    assert {int(code) for code in rows("code")} == codes | {0, STOPPED_EARLY, CRASHED, INTERRUPTED}


def test_every_variable_of_ours_that_is_read_is_named() -> None:
    read = {
        name for source in SOURCES for name in re.findall(r"\bBOTHWAYS_[A-Z_]+\b", source.read_text("utf-8"))
    }
    assert {name for name in rows("variable") if name.startswith("BOTHWAYS")} == read


def test_the_formats_of_reports_are_those_that_are_written() -> None:
    assert tuple(rows("format")) == FORMATS


def test_the_bounds_of_a_report_are_those_that_hold() -> None:
    bounds = f"At most {MOST_ROWS} are shown in full, {MOST_TEXT:,} characters of a text and {MOST_IN_ALL:,}"
    assert bounds in REFERENCE


def test_the_columns_of_csv_are_named() -> None:
    section = REFERENCE[REFERENCE.index("## Exports") :].split("\n## ")[0]
    assert [name for name in VERDICTS if f"`{name}`" not in section] == []
