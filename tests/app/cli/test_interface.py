"""Streams, exit codes and errors: what scripts rely on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.cli.conftest import REPOSITORY, Command, Process, pairs


def test_an_unknown_command_names_the_nearest(command: Command) -> None:
    shown = command("frezee")
    assert shown.exit_code == 2
    assert "Did you mean freeze?" in shown.stderr
    assert shown.stdout == ""


def test_a_spec_given_as_command_says_how_to_run_it(command: Command) -> None:
    assert "bothways run experiment.yaml" in command("experiment.yaml").stderr


def test_without_a_terminal_the_desk_names_the_headless_command(command: Command) -> None:
    shown = command()
    assert shown.exit_code == 2
    assert "bothways list" in shown.stderr
    assert "--plain" in command("review", "shop").stderr


@pytest.mark.parametrize("arguments", [["list"], ["gate", "x"], ["export", "x"], ["verify"], ["rows", "x"]])
def test_a_missing_database_is_an_error_and_is_not_made(
    command: Command, project: Path, arguments: list[str]
) -> None:
    shown = command(*arguments)
    assert shown.exit_code == 2
    assert shown.stderr.startswith("Error: There is no database at bothways.db\n")
    assert not (project / "bothways.db").exists()


def test_the_database_is_named_before_or_after_the_command_or_by_the_environment(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("--db", "one.db", "import", str(pairs(project)), "--name", "shop")
    assert (project / "one.db").exists()
    assert json.loads(command("list", "--db", "one.db", "--json").stdout)[0]["experiment"] == "shop"
    monkeypatch.setenv("BOTHWAYS_DB", "one.db")
    assert command("list").exit_code == 0
    assert "two.db" in command("--db", "two.db", "list").stderr


def test_bad_input_names_the_place_and_changes_nothing(command: Command, project: Path) -> None:
    path = pairs(project)
    path.write_text(path.read_text(encoding="utf-8") + '{"pair_id": "r-1"\n', encoding="utf-8")
    shown = command("import", str(path), "--name", "shop")
    assert shown.exit_code == 2
    assert f"{path}:13" in shown.stderr
    assert not (project / "bothways.db").exists()


def test_an_unknown_experiment_is_an_error(command: Command, project: Path) -> None:
    command("import", str(pairs(project)), "--name", "shop")
    assert command("gate", "shoop").exit_code == 2


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_concurrency_that_is_none_is_refused(command: Command, value: str) -> None:
    shown = command("run", "experiment.yaml", "--concurrency", value)
    assert shown.exit_code == 2
    assert "--concurrency" in shown.stderr


def test_data_goes_to_stdout_and_talk_to_stderr(process: Process, project: Path) -> None:
    taken = process("import", str(pairs(project)), "--name", "shop", "--json")
    assert json.loads(taken.stdout)["rows"] == 12
    exported = process("export", "shop")
    assert len(exported.stdout.splitlines()) == 12
    assert exported.stderr == "12 pairs\n"


def test_control_characters_of_a_model_never_reach_the_terminal(command: Command, project: Path) -> None:
    command("import", str(pairs(project)), "--name", "shop")
    shown = command("review", "shop", "--plain", "--reviewer", "kim", stdin="q\n")
    assert "\u202e" not in shown.output
    assert "\\u202e" in shown.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    "arguments", [["gate", "shop"], ["rows", "shop", "--json"], ["show", "shop"], ["export", "shop"]]
)
def test_a_poor_encoding_never_breaks_a_command(
    process: Process, project: Path, encoding: str, arguments: list[str]
) -> None:
    good = process("import", str(pairs(project)), "--name", "shop")
    shown = process(*arguments, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert good.returncode == 0
    assert "Traceback" not in shown.stderr
    assert shown.returncode == process(*arguments).returncode
    assert shown.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["gate", "shop"], ["export", "shop"], ["export", "shop", "--format", "csv"],
        ["rows", "shop", "--json"], ["--help"], ["gate", "--help"], ["--version"],
    ],
)  # fmt: skip
def test_a_closed_pipe_leaves_the_exit_code(process: Process, project: Path, arguments: list[str]) -> None:
    process("import", str(pairs(project)), "--name", "shop", "--attest", "one_change=known")
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "bothways", *arguments],
        cwd=project,
        env={"PYTHONPATH": str(REPOSITORY / "src"), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    talk = running.stderr.read()
    running.stderr.close()
    assert (running.wait(60), talk) == (0, "")


def test_a_reader_may_leave_in_the_middle_of_an_export(process: Process, project: Path) -> None:
    path = pairs(project)
    lines = path.read_text(encoding="utf-8").splitlines()
    long = [json.dumps({**json.loads(line), "context": "x" * 100_000}) + "\n" for line in lines]
    path.write_text("".join(long), encoding="utf-8")
    process("import", str(path), "--name", "shop")
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "bothways", "export", "shop"],
        cwd=project,
        env={"PYTHONPATH": str(REPOSITORY / "src"), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.read(10)
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(60) == 0


def test_a_defect_of_ours_is_no_decision(process: Process) -> None:
    code = (
        "import sys; import bothways.app.cli.database as d; sys.argv = ['bothways', 'list']\n"
        "def broken(*a, **k): raise ZeroDivisionError('oops')\n"
        "d.opened = broken\n"
        "from bothways.app.cli import main; main()"
    )
    shown = process(code=code)
    assert shown.returncode == 70
    assert "Traceback" not in shown.stderr
    assert "ZeroDivisionError: oops" in shown.stderr
