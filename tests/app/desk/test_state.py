from __future__ import annotations

from pathlib import Path

import pytest

from bothways.app.desk.state import Memory


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    memory = Memory.read(tmp_path / "desk" / "memory.json")
    memory.reviewer = "kim"
    memory.place("a.db", "refunds")["case"] = "r-7"
    memory.write()
    again = Memory.read(tmp_path / "desk" / "memory.json")
    assert (again.reviewer, again.place("a.db", "refunds")) == ("kim", {"case": "r-7"})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"reviewer": 7, "places": []}', "\x00"])
def test_a_file_that_cannot_be_read_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(text)
    memory = Memory.read(path)
    assert (memory.reviewer, memory.places) == ("", {})


def test_a_place_that_cannot_be_written_loses_only_comfort(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Memory(tmp_path / "file" / "memory.json", reviewer="kim").write()
