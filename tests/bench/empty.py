"""The least that Textual can do: the app that the desk is measured against."""

from __future__ import annotations

import sys

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static

READY = "nothing yet"
EMPTY = (sys.executable, "-m", "tests.bench.empty")
"""The command that runs it."""


class Empty(App[None]):
    """One line, which changes with every key."""

    def __init__(self) -> None:
        super().__init__()
        self._keys = 0

    def compose(self) -> ComposeResult:
        """Show the line."""
        yield Static(READY)

    def on_key(self, event: events.Key) -> None:
        """Say which key it was, and how many there were."""
        self._keys += 1
        self.query_one(Static).update(f"key {self._keys}: {event.key}")


if __name__ == "__main__":
    Empty().run()
