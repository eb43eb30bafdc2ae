from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.screens import shown, until

from bothways.app.desk.sitting import Sitting
from bothways.app.desk.state import Memory
from bothways.app.shell.app import Desk


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    memory = Memory.read(tmp_path / "desk" / "memory.json")
    memory.reviewer = "kim"
    memory.place("a.db", "refunds")["case"] = "r-7"
    memory.set_blind("kim", "a.db", "refunds", on=True)
    memory.write()
    again = Memory.read(tmp_path / "desk" / "memory.json")
    assert (again.reviewer, again.place("a.db", "refunds")) == ("kim", {"case": "r-7"})
    assert again.reads_blind("kim", "a.db", "refunds")
    assert not again.reads_blind("lee", "a.db", "refunds")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"reviewer": 7, "places": []}', '{"blind": {"kim": 7}}', "\x00"]
)
def test_a_file_that_cannot_be_read_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(text)
    memory = Memory.read(path)
    assert (memory.reviewer, memory.places) == ("", {})
    assert not memory.reads_blind("kim", "a.db", "refunds")


def test_where_nothing_changed_nothing_is_written(tmp_path: Path) -> None:
    Memory(tmp_path / "memory.json", reviewer="kim").write()
    idle = Memory.read(tmp_path / "memory.json")
    Memory(tmp_path / "memory.json", reviewer="lee").write()
    idle.write()
    assert Memory.read(tmp_path / "memory.json").reviewer == "lee"


def test_what_an_older_version_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text('{"reviewer": "kim", "places": {"a.db · refunds · v5 · j": {"filter": "is:open"}}}')
    memory = Memory.read(path)
    memory.write()
    assert (memory.reviewer, memory.place("a.db", "refunds", "v5", "j")) == ("kim", {"filter": "is:open"})


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_ordinary_file_is_not_waited_for_and_stays(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "memory.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    before = path.lstat()
    memory = Memory.read(path)
    assert memory.problem is not None
    memory.reviewer = "kim"
    memory.write()
    assert path.lstat().st_mode == before.st_mode
    assert list(tmp_path.iterdir()) == [path]


async def test_the_desk_says_that_it_remembers_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory.json")
    sitting = Sitting(tmp_path / "x.db", Memory.read(tmp_path / "memory.json"), "kim")
    async with Desk(sitting).run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "Nothing is remembered" in shown(pilot.app))
        said = "".join(shown(pilot.app).replace("▌", "").split())  # a toast folds its lines anywhere
        assert "memory.json:apipe" in said


def test_a_place_that_cannot_be_written_loses_only_comfort(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Memory(tmp_path / "file" / "memory.json", reviewer="kim").write()
