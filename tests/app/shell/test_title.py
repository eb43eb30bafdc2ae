from __future__ import annotations

import io

import pytest

from bothways.app.shell.title import titled, titling


class Gone(io.StringIO):
    """A terminal whose connection is closed while somebody looks at it."""

    closed_now = False

    def isatty(self) -> bool:
        return True

    def write(self, said: str) -> int:
        if self.closed_now:
            raise OSError(5, "Input/output error")
        return super().write(said)


def test_a_terminal_that_is_gone_takes_no_title_back_and_fails_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Gone()
    monkeypatch.setattr("sys.__stderr__", terminal)
    with titled():
        terminal.closed_now = True
    assert terminal.getvalue() == "\x1b[22;0t"


def test_a_title_holds_nothing_that_a_terminal_obeys() -> None:
    said = titling("✗ x\x07\x1b]52;c;QUJD\x1b\\\u202e\nshop")
    assert said.startswith("\x1b]0;")
    assert said.endswith("\x07")
    inside = said[4:-1]
    assert not {"\x1b", "\x07", "\n", "\u202e"} & set(inside)
