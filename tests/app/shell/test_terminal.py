"""What reaches a real terminal, and how it is given back."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.app.shop import fill
from tests.app.walk import SOURCE, opened

from bothways.app.desk.review.look import load
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.state import Memory
from bothways.store import open_store

HOSTILE = (
    "x\x1b]52;c;QUJD\x1b\\y\x1b[2J\x1b]0;pwn\x07\x9b31m\x90q\u202e\u2066[/foo][@click=app.quit]z\x07\x00\x7f"
)
RESTORED = {
    "mouse": b"\x1b[?1003l", "paste": b"\x1b[?2004l", "main screen": b"\x1b[?1049l", "cursor": b"\x1b[?25h",
}  # fmt: skip
SECRET = "sk-very-secret-4711"

pytestmark = pytest.mark.terminal


def restored(seen: bytes) -> dict[str, bool]:
    """Whether each mode was left, and not entered again."""
    return {
        name: seen.rfind(off) > seen.rfind(off[:-1] + (b"l" if off.endswith(b"h") else b"h"))
        for name, off in RESTORED.items()
    }


def test_no_escape_sequence_of_a_text_reaches_the_terminal_from_any_screen(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8, hostile=HOSTILE)
    desk = opened(db, tmp_path)
    desk.until("win rate")
    desk.press("\t\t\t\t\t\tdmm")  # every tab, no differences, one side alone
    desk.press("nsome words" + HOSTILE.replace("\x1b", "").replace("\x07", "") + "\r")
    for keys in (
        "y\x1b",
        ":judge\x1b",
        "?\x1b",
        "/r-00\r",
        "s\r",
        "u",
        "g",
        "y\x1b",
        "w",
        "?\x1b",
        "r",
        "?\x1b\x1b",
    ):
        desk.press(keys)
    desk.press("q")
    assert desk.ended() == 0
    assert "␛]52".encode() in desk.seen
    assert b"Everything is saved in" in desk.seen
    assert b"-m bothways --db" in desk.seen
    assert b"review 'plain line'" in desk.seen
    sequences = re.findall(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].{0,8}|.)", desk.seen, re.DOTALL)
    strings = [one for one in sequences if one[1:2] in b"]PX^_"]
    ours = (b"\x1b]22;", b"\x1b]0;")  # the shape of the pointer, the title of the window
    assert all(one.startswith(ours) for one in strings)
    assert b"\x1b]0;pwn" not in desk.seen
    assert b"\x1b[2J\x1b]0" not in desk.seen
    text = desk.seen.decode("utf-8", errors="replace")
    assert not set(text) & {*map(chr, range(0x80, 0xA0)), "\u202e", "\u2066", "\x00", "\x7f"}


def test_a_crash_gives_the_terminal_back_and_tells_no_values(tmp_path: Path) -> None:
    crash = f"secret = {SECRET!r}; Desk.action_command_palette = lambda self, key=secret: [key][1 // 0]"
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path, code=crash)
    desk.until("win rate")
    desk.press("J")
    desk.child.send(":")
    assert desk.ended() == 70
    assert all(restored(desk.seen).values())
    assert b"bothways is broken here: ZeroDivisionError" in desk.seen
    assert b"Everything is saved in" in desk.seen
    assert b"Traceback" not in desk.seen
    log = next(tmp_path.rglob("crash.log"))
    assert str(log).encode() in desk.seen
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")
    assert SECRET.encode() not in desk.seen + log.read_bytes()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path)
    desk.until("win rate")
    os.kill(desk.pid, number)
    assert desk.ended() == 128 + number
    assert all(restored(desk.seen).values())
    assert b"The desk was told to end." in desk.seen
    assert b"Go on with:" in desk.seen


def test_a_step_that_fails_keeps_no_other_from_being_done(tmp_path: Path) -> None:
    broken = "import textual.drivers.linux_driver as d; "
    broken += "d.LinuxDriver.stop_application_mode = lambda self: 1 / 0"
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path, code=broken)
    desk.until("win rate")
    os.kill(desk.pid, signal.SIGTERM)
    desk.ended()
    assert all(restored(desk.seen).values())


def test_the_first_row_is_blind_where_that_is_asked_for_on_the_way_in(tmp_path: Path) -> None:
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path, blind=True)
    desk.until("left answer")
    desk.press("q")
    assert desk.ended() == 0
    assert b"baseline" not in desk.seen


def remembered(folder: Path, db: Path) -> str:
    """Return the row at which the desk would open next; "" while nothing is written down."""
    for path in folder.rglob("desk.json"):
        return str(
            Memory.read(path).place(str(db.resolve()), "plain line", "v5", "sonnet", "kim").get("case", "")
        )
    return ""


def test_a_closed_connection_ends_the_desk_and_the_next_one_opens_at_the_very_row(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8)
    desk = opened(db, tmp_path)
    desk.until("win rate")
    desk.press("JJ")
    pid = desk.pid
    os.close(desk.child.child_fd)  # what the end of an ssh connection does
    status = os.waitpid(pid, 0)[1]
    assert os.waitstatus_to_exitcode(status) in (128 + signal.SIGHUP, -signal.SIGHUP)
    at = remembered(tmp_path, db)
    again = opened(db, tmp_path)
    again.until(" 3/8 ")
    again.press("?")
    assert at.encode() in again.seen
    again.press("\x1b")
    again.press("q")
    assert again.ended() == 0


def test_a_terminal_that_goes_without_a_signal_ends_the_desk(tmp_path: Path) -> None:
    """One that is not its session's own: a supervisor's, or that of a program which was killed."""
    ours, its = os.openpty()
    desk = subprocess.Popen(
        [sys.executable, "-m", "bothways", "--db", str(fill(tmp_path / "x.db", 8))],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", "HOME": str(tmp_path)},
        stdin=its, stdout=its, stderr=its, start_new_session=True,
    )  # fmt: skip
    os.close(its)
    seen = b""
    while b"plain line" not in seen:
        seen += os.read(ours, 65_536)
    os.close(ours)
    try:
        assert desk.wait(timeout=60) == 128 + signal.SIGHUP
    finally:
        desk.kill()


def test_a_killed_desk_remembers_the_row_of_a_second_ago(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8)
    desk = opened(db, tmp_path)
    desk.until("win rate")
    desk.press("JJ")
    with open_store(db) as store:
        third = ReviewSession(load(store, "plain line", None, None, "kim")).work.items[2].case_id
    ends = time.monotonic() + 60
    while remembered(tmp_path, db) != third:
        assert time.monotonic() < ends
        time.sleep(0.05)
    desk.child.kill(signal.SIGKILL)
    assert desk.ended() == -signal.SIGKILL
    again = opened(db, tmp_path)
    again.until(" 3/8 ")
    again.press("q")
    assert again.ended() == 0


def test_a_size_of_no_pixels_makes_no_click_divide_by_zero(tmp_path: Path) -> None:
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path)
    desk.until("win rate")
    desk.press("\x1b[48;40;140;0;0t")  # 40 rows, 140 columns, 0 × 0 pixels
    desk.press("\x1b[<0;10;10M\x1b[<0;10;10m")  # a click
    desk.press("q")
    assert desk.ended() == 0


def test_a_screen_that_something_else_wrote_over_is_painted_anew(tmp_path: Path) -> None:
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path)
    desk.until("win rate")
    desk.press("J")
    desk.child.send("R")
    desk.until("plain line")  # the title, which nothing else paints again
    desk.press("q")
    assert desk.ended() == 0


def test_input_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    broken = "import textual._xterm_parser as p; p.XTermParser.parse_mouse_code = lambda self, code: 1 // 0"
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path, code=broken)
    desk.until("win rate")
    desk.child.send("\x1b[<0;10;10M")
    assert desk.ended() == 70
    assert b"bothways is broken here" in desk.seen
    assert "ZeroDivisionError" in next(tmp_path.rglob("crash.log")).read_text(encoding="utf-8")
    assert all(restored(desk.seen).values())


@pytest.mark.parametrize("variables", [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "cp1252"},
    {"NO_COLOR": "1"}, {"TERM": "vt100"},
], ids=str)  # fmt: skip
def test_the_desk_opens_in_any_locale_and_without_colours(tmp_path: Path, variables: dict[str, str]) -> None:
    prepared = "from bothways.app.streams import prepare; prepare()"
    desk = opened(fill(tmp_path / "x.db", 8), tmp_path, code=prepared, variables=variables)
    desk.until("win rate")
    desk.press("q")
    assert desk.ended() == 0


def test_a_broken_database_is_told_and_the_desk_lives(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8)
    desk = opened(db, tmp_path)
    desk.until("win rate")
    with sqlite3.connect(db) as other:
        other.execute("PRAGMA writable_schema = 1")
        other.execute("UPDATE sqlite_master SET sql = 'rubbish' WHERE name = 'records'")
    other.close()
    desk.until("database")
    desk.press("?")
    desk.press("\x1bq")
    assert desk.ended() == 0
