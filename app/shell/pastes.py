"""A paste is text, whatever is in it.

Textual's parser takes an escape sequence inside of a bracketed paste for one of its own: the paste is torn,
and the letters that follow are pressed as keys. Terminals differ in what they filter of a paste.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual._xterm_parser import XTermParser
from textual.message import Message

from bothways.engine.text import visible_line

__all__ = ["Pastes", "keep_pastes_whole"]

BEGIN, END = "\x1b[200~", "\x1b[201~"
ESCAPE = visible_line("\x1b")


class Pastes:
    """Reads what a terminal sends, in whatever pieces it comes, and hands it on with every paste as text."""

    def __init__(self) -> None:
        self._inside = False
        self._held = ""
        self._told = ""

    def read(self, data: str) -> str:
        """Return what may be handed on by now."""
        read = ""
        while data:
            part, data = self._paste(data) if self._inside else self._keys(data)
            read += part
        return read

    def _keys(self, data: str) -> tuple[str, str]:
        """Hand on everything as it comes (escape is a key), and see where a paste begins."""
        before, begins, rest = (self._told + data).partition(BEGIN)
        part = (before + begins)[len(self._told) :]
        self._inside = bool(begins)
        self._told = "" if begins else before[1 - len(BEGIN) :]
        return part, rest

    def _paste(self, data: str) -> tuple[str, str]:
        """Hand on what is sure to be text, and see where the paste ends."""
        text, ends, rest = (self._held + data).partition(END)
        self._inside = not ends
        self._held = "" if ends else _begun(text, END)
        text = text.removesuffix(self._held) if self._held else text
        return text.replace("\x1b", ESCAPE) + ends, rest


def _begun(text: str, mark: str) -> str:
    """Return the end of a text with which a mark may have begun."""
    lengths = range(min(len(mark) - 1, len(text)), 0, -1)
    return next((mark[:length] for length in lengths if text.endswith(mark[:length])), "")


def keep_pastes_whole() -> None:
    """Let every parser of this process read pastes so; to be called once, before the desk runs."""
    feed: Callable[[XTermParser, str], Iterable[Message]] = XTermParser.feed
    pastes = Pastes()

    def fed(parser: XTermParser, data: str) -> Iterable[Message]:
        read = pastes.read(data)
        return feed(parser, read) if read or not data else ()  # nothing at all means the end

    XTermParser.feed = fed  # type: ignore[method-assign, assignment]
