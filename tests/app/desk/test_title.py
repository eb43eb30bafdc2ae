from __future__ import annotations

from bothways.app.desk.title import titling


def test_a_title_holds_nothing_that_a_terminal_obeys() -> None:
    said = titling("✗ x\x07\x1b]52;c;QUJD\x1b\\\u202e\nshop")
    assert said.startswith("\x1b]0;")
    assert said.endswith("\x07")
    inside = said[4:-1]
    assert not {"\x1b", "\x07", "\n", "\u202e"} & set(inside)
