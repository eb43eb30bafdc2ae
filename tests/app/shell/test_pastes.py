"""What is pasted is text, whatever is in it and in whatever pieces it comes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.app.hostile import HOSTILE
from textual import events
from textual._xterm_parser import XTermParser

from bothways.app.shell.pastes import BEGIN, END, Pastes

pieces = st.lists(st.sampled_from(["\x1b", "[", "2", "0", "1", "~", "x", BEGIN, BEGIN[:4]]), max_size=20)


def test_a_paste_with_escape_sequences_is_one_paste_and_presses_no_key() -> None:
    sent = f"j{BEGIN}{HOSTILE}{END}k"
    read = list(XTermParser().feed(Pastes().read(sent)))
    assert [type(event) for event in read] == [events.Key, events.Paste, events.Key]
    assert isinstance(read[1], events.Paste)
    assert read[1].text == HOSTILE.replace("\x1b", "␛")


def test_keys_are_handed_on_at_once() -> None:
    pastes = Pastes()
    assert [pastes.read(key) for key in ("\x1b", "j", "\x1b[A")] == ["\x1b", "j", "\x1b[A"]


@given(pieces, st.integers(1, 7), st.text("ab\x1b[", max_size=6))
def test_it_does_not_matter_in_which_pieces_it_comes(paste: list[str], size: int, after: str) -> None:
    text = "".join(paste)
    while END in text:
        text = text.replace(END, "")
    sent = f"a{BEGIN}{text}{END}{after}"
    pastes = Pastes()
    read = "".join(pastes.read(sent[at : at + size]) for at in range(0, len(sent), size))
    assert read == f"a{BEGIN}{text.replace(chr(27), '␛')}{END}{after}"
