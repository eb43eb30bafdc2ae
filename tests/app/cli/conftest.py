"""A small project whose assistants and judge are functions, and a way to use it as a person would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from bothways.app.cli.group import cli

REPOSITORY = Path(__file__).parents[3]

AGENT = """
def old(asked):
    return "Old: " + asked["input"]

def new(asked):
    if "fail" in asked["input"]:
        raise RuntimeError("no idea")
    return "New: " + asked["input"]

def judge(asked):
    places = [n for n, text in enumerate(asked["answers"]) if text.startswith("New")]
    return {"winner": places[0], "rationale": "it is newer \\x1b[2J"}
"""
SPEC = """
name: shop
cases: cases.jsonl
baseline: {name: v4, function: "agent:old"}
candidates: [{name: v5, function: "agent:new"}]
judge: {name: j, function: "agent:judge"}
attest: {one_change: only the greeting}
gate: {min_decided: 3, rerun_margin: 0}
"""
CASES = [
    {"id": "c1", "input": "Where is 7?", "high_stakes": True, "tags": {"path": "shipping"}},
    {"id": "c2", "input": "Where is 8?"},
    {"id": "c3", "input": "Where is 9?"},
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "experiment.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(c) + "\n" for c in CASES), encoding="utf-8")
    return tmp_path


Command: TypeAlias = Callable[..., Result]


@pytest.fixture
def command(project: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `bothways …` in this process, in the project's folder."""
    monkeypatch.chdir(project)
    monkeypatch.delenv("BOTHWAYS_DB", raising=False)
    monkeypatch.delenv("BOTHWAYS_REVIEWER", raising=False)

    def run(*arguments: str, stdin: str = "") -> Result:
        return CliRunner().invoke(cli, list(arguments), input=stdin)

    return run


Process: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def process(project: Path) -> Process:
    """Run `bothways …` as a process of its own, in the project's folder."""

    def run(*arguments: str, code: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", *(["-c", code] if code else ["-m", "bothways"]), *arguments]
        return subprocess.run(
            command,
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
            check=False,
        )

    return run


def pairs(folder: Path, *, high_stakes: bool = False, cost_usd: float | None = None) -> Path:
    """Write a file of twelve pairs, all won by v5 in both orders; each answer cost the same."""
    lines = [
        {
            "pair_id": f"r-{n}",
            "prompt": f"Where is {n}?",
            "a": {"model": "v4", "text": "Old \u202e ≥ 漢", "cost_usd": cost_usd},
            "b": {"model": "v5", "text": "New", "cost_usd": cost_usd},
            "judgements": [
                {"judge": "j", "shown_first": first, "verdict": "B", "rationale": "newer"} for first in "AB"
            ],
            "high_stakes": high_stakes,
        }
        for n in range(12)
    ]
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
