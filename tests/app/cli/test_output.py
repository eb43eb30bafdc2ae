"""Where output goes: never over a database, into a pipe as into a file, and a full disk is said to be one."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest
from tests.app.cli.conftest import Command, Process, pairs

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
