"""A row of tabs that costs one line to paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from bothways.widgets.lines import OneLine
from bothways.widgets.plain import Run

__all__ = ["TabBar"]


class TabBar(OneLine):
    """Shows the names of what can be looked at; the screen decides what is shown."""

    DEFAULT_CSS = """
    TabBar { background: $surface; }
    """

    @dataclass
    class Clicked(Message):
        """A tab was clicked."""

        name: str
        """Its name."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names: tuple[str, ...] = ()
        self.active = ""

    def set_tabs(self, names: Sequence[str], active: str, note: str = "") -> None:
        """Show these names, the active one in brackets, which needs no colour, and a note behind them."""
        self.names, self.active = tuple(names), active
        tabs = (
            Run(f"[{name}]" if name == active else f" {name} ", "title" if name == active else "")
            for name in names
        )
        self.show((*tabs, Run(f" {note}", "muted")))

    def on_click(self, event: events.Click) -> None:
        """Say which tab was clicked."""
        at = 0
        for name in self.names:
            at += len(name) + 2
            if event.x < at:
                self.post_message(self.Clicked(name))
                return
