"""Where output goes: never over a database, into a pipe as into a file, and a full disk is said to be one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.app.cli.conftest import REPOSITORY, Command, Process, pairs

FULL = Path("/dev/full")


@pytest.fixture
def imported(command: Command, project: Path) -> Command:
    assert command("import", str(pairs(project)), "--name", "shop").exit_code == 0
    return command


@pytest.mark.parametrize("name", ["bothways.db", "bothways.db-wal", "link.db", "other.db"])
def test_a_database_is_never_written_over(imported: Command, project: Path, name: str) -> None:
    (project / "link.db").symlink_to("bothways.db")
    with sqlite3.connect(project / "other.db") as other:
        other.execute("CREATE TABLE precious (x)")
    before = {path.name: path.read_bytes() for path in project.glob("*.db")}
    refused = imported("export", "shop", "-o", name)
    assert (refused.exit_code, "is a database" in refused.stderr) == (2, True)
    assert {path.name: path.read_bytes() for path in project.glob("*.db")} == before


def test_a_link_keeps_leading_to_what_is_written(imported: Command, project: Path) -> None:
    (project / "deep").mkdir()
    (project / "link.jsonl").symlink_to("deep/rows.jsonl")
    assert imported("export", "shop", "-o", "link.jsonl").exit_code == 0
    assert (project / "link.jsonl").is_symlink()
    assert (project / "deep" / "rows.jsonl").read_text(encoding="utf-8").count("\n") == 12


def test_a_pipe_is_written_to_and_stays_one(imported: Command, project: Path) -> None:
    os.mkfifo(project / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((project / "pipe").read_text(encoding="utf-8")))
    reader.start()
    assert imported("export", "shop", "-o", "pipe").exit_code == 0
    reader.join(timeout=60)
    assert (project / "pipe").is_fifo()
    assert read[0].count("\n") == 12


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_stdout_is_no_defect_and_the_act_is_on_record(
    imported: Command, process: Process, project: Path
) -> None:
    code = "import sys; from bothways.app.cli import main; sys.stdout = open('/dev/full', 'w'); main()"
    acts = ("verdict", "shop", "r-1", "confirm", "--reviewer", "kim")
    ended = process(*acts, code=code)
    assert (ended.returncode, "is done" in ended.stderr) == (2, True), ended.stderr
    with sqlite3.connect(project / "bothways.db") as db:
        assert db.execute("SELECT count(*) FROM records").fetchone() == (1,)


BOTHWAYS = f'"{sys.executable}" -P -m bothways'


def at_the_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Let a shell run it, with what only a shell connects."""
    return subprocess.run(
        ["bash", "-c", line.replace("bothways", BOTHWAYS, 1)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout here")
@pytest.mark.parametrize("to", ["/dev/stdout | wc -l", ">(wc -l) | cat"])
def test_a_pipe_that_only_has_a_number_is_written_to(imported: Command, project: Path, to: str) -> None:
    done = at_the_shell(project, f"bothways export shop -o {to}")
    assert (done.stdout.strip(), "12 pairs in /dev/" in done.stderr) == ("12", True), done.stderr


def test_a_name_as_long_as_a_name_can_be_is_written(imported: Command, project: Path) -> None:
    name = "x" * os.pathconf(project, "PC_NAME_MAX")
    assert imported("export", "shop", "-o", name).exit_code == 0
    assert (project / name).read_text(encoding="utf-8").count("\n") == 12
    assert not [path for path in project.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("name", ["loop", "x" * 2000])
def test_a_name_that_leads_nowhere_is_an_error_in_words(imported: Command, project: Path, name: str) -> None:
    (project / "loop").symlink_to("loop")
    refused = imported("export", "shop", "-o", name)
    assert (refused.exit_code, "Error: Cannot write" in refused.stderr) == (2, True), refused.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("gate shop", 4, ""),
        ("gate shop --json", 4, ""),
        ("export shop", 2, "Error: The output could not be written"),
        ("--help", 2, "Error: The output could not be written"),
    ],
)
def test_a_closed_stdout_costs_the_output_alone(
    imported: Command, project: Path, words: str, code: int, says: str
) -> None:
    done = at_the_shell(project, f"bothways {words} >&-")
    assert (done.returncode, done.stderr.partition("\n")[0]) == (code, says)


def test_with_every_stream_closed_the_gate_has_its_exit_code(imported: Command, project: Path) -> None:
    assert at_the_shell(project, "bothways gate shop <&- >&- 2>&-").returncode == 4
