from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pexpect
import pytest
from tests.app.desk.shop import fill

SOURCE = Path(__file__).parents[3] / "src"
HOSTILE = "x\x1b]52;c;QUJD\x1b\\y\x1b[2J\x1b]0;pwn\x07\x9b31m\u202e"


def opened(db: Path, state: Path, code: str = "") -> pexpect.spawn[bytes]:
    run = f"from pathlib import Path; from bothways.app.desk.app import *; {code or 'pass'}; "
    run += f"run_desk(Path({str(db)!r}), screen='review', experiment='plain line', reviewer='kim')"
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", "XDG_STATE_HOME": str(state)}
    return pexpect.spawn(sys.executable, ["-c", run], env=env, dimensions=(40, 140), timeout=60)


def until(child: pexpect.spawn[bytes], words: bytes) -> bytes:
    """Read until the words are there, and return all that was read."""
    found = b""
    while words not in found:
        found += child.read_nonblocking(65_536, timeout=60)
    return found


def drain(child: pexpect.spawn[bytes], within_s: float = 60.0) -> bytes:
    """Read until the program ends."""
    found = b""
    ends = time.monotonic() + within_s
    while time.monotonic() < ends:
        try:
            found += child.read_nonblocking(65_536, timeout=1)
        except pexpect.TIMEOUT:
            continue
        except pexpect.EOF:
            return found
    raise AssertionError("it never ended")


@pytest.mark.terminal
def test_no_escape_sequence_of_a_text_reaches_a_real_terminal(tmp_path: Path) -> None:
    child = opened(fill(tmp_path / "x.db", 8, hostile=HOSTILE), tmp_path)
    seen = until(child, b"win rate")
    child.send("\t\t\t\tn")
    seen += until(child, b"Note on")
    child.send("\x1b")
    time.sleep(0.5)  # a lone escape is told from a sequence by the time that passes after it
    child.send("q")
    seen += drain(child)
    assert b"Everything is saved in" in seen
    assert b"-m bothways --db" in seen
    assert b"review 'plain line'" in seen
    assert "␛]52".encode() in seen
    for sequence in (b"\x1b]52", b"\x1b]0;pwn", b"\x1b[2J\x1b]0", "\x9b".encode(), "\u202e".encode()):
        assert sequence not in seen


@pytest.mark.terminal
def test_a_crash_gives_the_terminal_back(tmp_path: Path) -> None:
    crash = "Desk.action_command_palette = lambda self: 1 / 0"
    child = opened(fill(tmp_path / "x.db", 8), tmp_path, crash)
    until(child, b"win rate")
    child.send("\x10")
    seen = drain(child)
    assert b"ZeroDivisionError" in seen
    assert b"\x1b[?1049l" in seen  # the main screen
    assert b"\x1b[?25h" in seen  # the cursor
    assert b"\x1b[?1003l" in seen  # the mouse


@pytest.mark.terminal
def test_a_size_of_no_pixels_makes_no_click_divide_by_zero(tmp_path: Path) -> None:
    child = opened(fill(tmp_path / "x.db", 8), tmp_path)
    until(child, b"win rate")
    child.send("\x1b[48;40;140;0;0t")  # 40 rows, 140 columns, 0 × 0 pixels
    child.send("\x1b[<0;10;10M\x1b[<0;10;10m")  # a click
    child.send("d")
    until(child, "± unified".encode())
    child.send("q")
    assert b"ZeroDivisionError" not in drain(child)
