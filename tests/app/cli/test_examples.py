"""Every example of every help text runs as it is written, in the folder of the sample project."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from bothways.app.cli.group import cli
from bothways.app.cli.table import COMMANDS

ENDS = {"gate": 4}
"""Exit codes other than 0: refund-flow is inconclusive."""
AT_A_TERMINAL = {f"bothways review refund-flow{how} --reviewer kim" for how in ("", " --blind")}
"""Examples that open the desk; here there is no terminal, and they say what to do without one."""


def examples() -> Iterator[tuple[str, str]]:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from ((name, line.strip()) for line in (command.epilog or "").splitlines()[2:])


def run(line: str) -> Result:
    program, *arguments = shlex.split(line)
    assert program == "bothways"
    return CliRunner().invoke(cli, arguments)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample project, run, with a file of pairs to import."""
    folder = tmp_path_factory.mktemp("examples") / "shop"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BOTHWAYS_DB", raising=False)
        patch.chdir(folder.parent)
        assert run("bothways demo shop --headless").exit_code == 0
        patch.chdir(folder)
        assert run("bothways export refund-flow -o pairs.jsonl").exit_code == 0
    return folder


@pytest.mark.parametrize(("name", "line"), list(examples()))
def test_an_example_runs_as_it_is_written(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str
) -> None:
    folder = shutil.copytree(sample, tmp_path / "shop")
    monkeypatch.chdir(folder)
    for variable in ("BOTHWAYS_DB", "BOTHWAYS_REVIEWER", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    done = run(line)
    if line in AT_A_TERMINAL:
        assert done.exit_code == 2
        assert "--plain" in done.stderr
    else:
        assert done.exit_code == ENDS.get(name, 0), done.output


def test_there_is_an_example_for_every_command() -> None:
    assert {name for name, _ in examples()} == set(COMMANDS)
