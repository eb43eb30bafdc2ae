"""The app: themes, keys, the way things are said. It holds no logic."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from textual.app import App, SystemCommand
from textual.notifications import SeverityLevel
from textual.screen import Screen

from bothways.app.desk.keys import KEYS
from bothways.app.desk.sitting import Pairing, Sitting, login_name
from bothways.app.desk.state import Memory
from bothways.app.desk.themes import DEFAULT_THEME, THEMES
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.engine.text import visible, visible_line

__all__ = ["Desk", "run_desk"]

_OPENERS = {"review": go.review_screen, "gate": go.gate_screen, "run": go.run_screen}


class Desk(App[None]):
    """The desk on one database."""

    TITLE = "bothways"
    CSS = """
    #title { background: $panel; }
    ToastRack { margin-bottom: 2; }
    Listing, Page, PairView { background: $surface; }
    Listing:focus, Page:focus, PairView:focus { background-tint: $foreground 3%; }
    """

    def __init__(self, sitting: Sitting, *, screen: str = "experiments", at: Pairing | None = None) -> None:
        super().__init__()
        self.sitting = sitting
        self._opening = (screen, at)

    def get_default_screen(self) -> Screen[None]:
        """Start with what there is."""
        return ExperimentsScreen(self.sitting)

    def on_mount(self) -> None:
        """Dress, take the person's own keys, and open the screen that was asked for."""
        for theme in THEMES:
            self.register_theme(theme)
        memory = self.sitting.memory
        self.theme = memory.theme if memory.theme in self.available_themes else DEFAULT_THEME
        self.set_keymap(memory.keys)
        name, at = self._opening
        if name in _OPENERS and at is not None:
            self.push_screen(_OPENERS[name](self.sitting, at))

    def watch_theme(self, theme: str) -> None:
        """Remember the theme."""
        self.sitting.memory.theme = theme

    def on_unmount(self) -> None:
        """Remember the place, give the connection back."""
        self.sitting.close()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,  # noqa: ARG002 (never read: see below)
    ) -> None:
        """Say something as it is: a message may quote what a model wrote, so markup is never read in it."""
        super().notify(
            visible(message), title=visible_line(title), severity=severity, timeout=timeout, markup=False
        )

    def get_system_commands(self, screen: Screen[object]) -> Iterator[SystemCommand]:
        """Offer everything that the keys of this place do, then Textual's own."""
        if isinstance(screen, DeskScreen):
            for key in (*KEYS[screen.PLACE], *KEYS["everywhere"]):
                yield SystemCommand(
                    key.label, f"key: {key.shown}", lambda action=key.action: self._act(screen, action)
                )
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Screenshot"):
                yield command

    async def _act(self, screen: DeskScreen, action: str) -> None:
        await screen.run_action(action)


def run_desk(
    db: Path,
    *,
    screen: str = "experiments",
    experiment: str | None = None,
    candidate: str | None = None,
    judge: str | None = None,
    reviewer: str | None = None,
) -> None:
    """Open the desk on a database and come back when it is left.

    `screen` is "experiments", "review", "gate" or "run"; the last three want an `experiment`. `reviewer`
    is who acts; without it the name used last, or the account's.
    """
    memory = Memory.read()
    sitting = Sitting(db, memory, reviewer or memory.reviewer or login_name())
    at = Pairing(experiment, candidate, judge) if experiment else None
    desk = Desk(sitting, screen=screen, at=at)
    desk.run()
    if not desk.return_code:
        again = f" review '{visible_line(experiment)}'" if experiment else ""
        sys.stderr.write(f"Everything is saved in {db}. Go on with: bothways --db {db}{again}\n")
