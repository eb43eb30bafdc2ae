"""The line of keys at the foot of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.message import Message

from bothways.widgets.lines import OneLine
from bothways.widgets.plain import Run

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
        self.show(
            tuple(run for hint in hints for run in (Run(f" {hint.key}", "key"), Run(f" {hint.label} ")))
        )

    def on_click(self, event: events.Click) -> None:
        """Say which key was clicked."""
        at = 0
        for hint in self.hints:
            at += cell_len(f" {hint.key} {hint.label} ")
            if event.x < at:
                self.post_message(self.Clicked(hint.id))
                return
