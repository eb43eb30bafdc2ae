"""What README and CONTRIBUTING say is so: their commands run, their tables are the program's own."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from bothways.app.cli.table import COMMANDS
from bothways.app.desk.keys import KEYS
from bothways.engine.gate.conditions import CONDITIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PROVEN_BY_CI = {"pip install .": ROOT / "tests" / "wheel.sh"}
"""What needs a package index: the script that does it in CI."""


def commands(text: str) -> list[str]:
    """Return what stands behind `$ ` in the console blocks, without remarks."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [line.split("  #")[0].strip() for line in lines]


def bothways(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bothways", *arguments]


@pytest.fixture
def endpoint() -> Iterator[str]:
    """A provider that answers, and judges everything a tie."""
    command = [sys.executable, "-m", "tests.loopback.provider", "--judge", "anthropic/claude-sonnet-4-5"]
    command += ["--verdict", '{"rationale": "Both say when.", "winner": "tie"}']
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def at_the_desk(command: list[str], folder: Path, env: dict[str, str]) -> None:
    """Do what the README says a person does: read, confirm what is required, leave."""
    child = pexpect.spawn(command[0], command[1:], cwd=folder, env=env, dimensions=(40, 140), timeout=60)
    for left in (b"to do: 2 required", b"to do: 1 required", b"to do: "):
        child.expect_exact(left)
        child.send("c" if left != b"to do: " else "q")
    child.expect(pexpect.EOF)
    child.close()


@pytest.mark.slow
@pytest.mark.terminal
def test_the_commands_of_the_readme_do_the_whole_job(tmp_path: Path, endpoint: str) -> None:
    settings = tmp_path / "settings.yaml"
    settings.write_text("repeat_guard: false\n", encoding="utf-8")  # this person is quick with their keys
    env = {
        **os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm-256color",
        "BOTHWAYS_SETTINGS": str(settings),
    }  # fmt: skip
    folder, codes = tmp_path, {}
    for line in [c for c in commands(README) if not c.startswith("make ")]:
        if line in PROVEN_BY_CI:
            assert "install -q" in PROVEN_BY_CI[line].read_text()
            continue
        first, _, moved = line.partition(" && cd ")
        words = bothways(*shlex.split(first)[1:])
        if "review" in words:
            at_the_desk(words, folder, env)
        else:
            codes[first] = subprocess.run(words, cwd=folder, env=env, capture_output=True).returncode
        folder = folder / moved
        if moved:  # any OpenAI-compatible server, as the README says
            spec = folder / "experiment.yaml"
            written = re.sub(
                r"^( +)(model: .*)$", rf"\1\2\n\1endpoint: {endpoint}", spec.read_text(), flags=re.M
            )
            spec.write_text(written)
    *others, gate = codes.values()
    assert others == [0, 0, 0]
    assert gate == 1, "ties only: the candidate wins nothing, which does not ship"
    with sqlite3.connect(folder / "bothways.db") as db:
        kinds = [kind for (kind,) in db.execute("SELECT kind FROM records ORDER BY seq")]
    assert kinds == ["review", "review", "decision"]


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_make_target_named_exists(text: str) -> None:
    named = set(re.findall(r"`make ([a-z]+)`", text))
    named |= {line.removeprefix("make ") for line in commands(text) if line.startswith("make ")}
    assert named
    for target in named:
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_readme_names_every_command_and_no_other() -> None:
    table = README[README.index("| command | does |") : README.index("has an example for each")]
    named = set(re.findall(r"`(?:bothways )?([a-z]+)`", "".join(re.findall(r"^\| (.*?) \|", table, re.M))))
    assert named - {"bothways"} == set(COMMANDS)


def test_the_readme_names_the_gates_conditions_in_their_order() -> None:
    table = README[
        README.index("| condition | passes when |") : README.index("What is not known never ships")
    ]
    named = re.findall(r"^\| ([a-z ]+) \|", table, re.M)[1:]
    assert [name.replace(" ", "_") for name in named] == [rule.__name__ for rule in CONDITIONS]


def test_the_keys_that_the_readme_names_are_keys_of_the_desk() -> None:
    desk = README[README.index("## The desk") :]
    named = {key for found in re.findall(r"`([^`]{1,3})`", desk) for key in found.split("/")}
    known = {key.shown for keys in KEYS.values() for key in keys}
    assert named
    assert named <= known


def test_every_file_and_folder_that_contributing_names_exists() -> None:
    named = re.findall(r"`((?:engine|store|app|widgets|tests|bothways|\.ci)/[\w./]*)`", CONTRIBUTING)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_link_leads_somewhere() -> None:
    links = {
        (document.name, target)
        for document in ROOT.glob("*.md")
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    }
    assert ("README.md", "REFERENCE.md") in links
    assert [link for link in links if not (ROOT / link[1]).exists()] == []


def test_no_module_is_left_to_be_described_and_none_is_cut_up_by_banners() -> None:
    sources = [
        path
        for folder in ("app", "engine", "store", "widgets", "tests")
        for path in (ROOT / folder).rglob("*.py")
    ]
    assert sources
    wanting = re.compile(r'^"""TODO|^ *# ?[-=]{3}', re.MULTILINE)
    assert [path for path in sources if wanting.search(path.read_text(encoding="utf-8"))] == []
