"""The desk asked for where there is no terminal: one line, and nothing that only a terminal understands."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.cli.conftest import REPOSITORY, Process, pairs

PIECES = [[], ["review", "shop"]]


def bothways(folder: Path, words: list[str], *, stdin: int, stdout: int) -> tuple[int, bytes]:
    """Run it as a process of its own; return its exit code and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bothways", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "TERM": "xterm-256color"},
        stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def one_line(code: int, said: bytes) -> None:
    assert code == 2
    (line,) = said.splitlines()
    assert line.startswith(b"Error: The desk needs a terminal; without one: bothways ")
    assert b"\x1b" not in line


@pytest.mark.parametrize("words", PIECES, ids=str)
def test_cases_piped_into_it_are_not_read_as_keys(project: Path, words: list[str]) -> None:
    master, terminal = pty.openpty()
    with (project / "cases.jsonl").open("rb") as cases:
        code, said = bothways(project, words, stdin=cases.fileno(), stdout=terminal)
    os.close(terminal)
    os.set_blocking(master, False)
    with pytest.raises(OSError):  # noqa: PT011 (nothing to read: BlockingIOError, or EIO once it is closed)
        os.read(master, 1)
    os.close(master)
    one_line(code, said)


@pytest.mark.parametrize("words", PIECES, ids=str)
def test_a_file_that_its_output_goes_to_stays_empty(project: Path, words: list[str]) -> None:
    master, terminal = pty.openpty()
    with (project / "out.txt").open("wb") as out:
        code, said = bothways(project, words, stdin=terminal, stdout=out.fileno())
    os.close(terminal)
    os.close(master)
    one_line(code, said)
    assert (project / "out.txt").read_bytes() == b""


@pytest.mark.parametrize("words", PIECES, ids=str)
def test_without_any_input_it_ends_at_once(project: Path, words: list[str]) -> None:
    one_line(*bothways(project, words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))


def test_what_needs_no_screen_needs_no_terminal(process: Process, project: Path) -> None:
    assert process("import", str(pairs(project)), "--name", "shop").returncode == 0
    assert process("gate", "shop", "--json").returncode == 4
    assert process("review", "shop", "--plain", "--reviewer", "kim").returncode == 0


def test_a_name_that_no_experiment_has_opens_no_desk(process: Process, project: Path) -> None:
    assert process("import", str(pairs(project)), "--name", "shop").returncode == 0
    master, terminal = pty.openpty()
    code, said = bothways(project, ["review", "shpo"], stdin=terminal, stdout=terminal)
    os.close(terminal)
    os.close(master)
    assert code == 2
    assert b"there is no experiment called 'shpo'" in said
