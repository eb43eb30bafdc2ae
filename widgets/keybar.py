"""The line of keys at the foot of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.message import Message

from bothways.widgets.lines import OneLine
from bothways.widgets.plain import Line, Run

__all__ = ["Hint", "KeyBar"]


class Hint(NamedTuple):
    """One key of the line: the id of its binding, the key to press, and what it does in a word or two."""

    id: str
    key: str
    label: str


class KeyBar(OneLine):
    """Shows a few keys; a click does what the key does."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; background: $panel; }
    """

    @dataclass
    class Clicked(Message):
        """A key of the line was clicked."""

        id: str
        """The id of its binding."""

    def __init__(self, hints: Sequence[Hint], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints: tuple[Hint, ...] = ()
        self.set_hints(hints)

    def set_hints(self, hints: Sequence[Hint]) -> None:
        """Show other keys."""
        self.hints = tuple(hints)
        self.show(_line(hints))

    def row_line(self, number: int, width: int) -> Line | None:
        """Return the keys that there is room for; the last one always has it: it tells all others."""
        return None if number else _line(self._fitting(width))

    def _fitting(self, width: int) -> list[Hint]:
        fitting = list(self.hints)
        while len(fitting) > 1 and sum(map(_cells, fitting)) > width:
            del fitting[-2]
        return fitting

    def on_click(self, event: events.Click) -> None:
        """Say which key was clicked."""
        at = 0
        for hint in self._fitting(self.size.width):
            at += _cells(hint)
            if event.x < at:
                self.post_message(self.Clicked(hint.id))
                return


def _line(hints: Sequence[Hint]) -> Line:
    return tuple(run for hint in hints for run in (Run(f" {hint.key}", "key"), Run(f" {hint.label} ")))


def _cells(hint: Hint) -> int:
    return cell_len(f" {hint.key} {hint.label} ")
