"""The app: themes, keys, the way things are said. It holds no logic."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from textual.app import App, SystemCommand
from textual.notifications import SeverityLevel
from textual.screen import Screen

from bothways.app.desk.keys import KEYS
from bothways.app.desk.pixels import ignore_empty_pixels
from bothways.app.desk.sitting import Pairing, Sitting, login_name
from bothways.app.desk.state import Memory
from bothways.app.desk.themes import DEFAULT_THEME, THEMES
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.engine.text import excerpt, visible_line

__all__ = ["Desk", "run_desk"]

_OPENERS = {"review": go.review_screen, "gate": go.gate_screen, "run": go.run_screen}

_SAID = 300
"""Characters of what is said at the bottom: a few lines at most."""


class Desk(App[None]):
    """The desk on one database."""

    TITLE = "bothways"
    CSS = """
    #title { background: $panel; }
    ToastRack { margin: 0; }
    Toast { width: 100%; max-width: 100%; max-height: 3; padding: 0 1; margin: 0; }
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
        """Say one thing at a time, over the keys at the bottom and in the way of nothing else.

        A message may quote what a model wrote, so markup is never read in it.
        """
        self.clear_notifications()
        words = " · ".join(part for part in (title, *message.splitlines()) if part)
        super().notify(excerpt(words, _SAID), severity=severity, timeout=timeout, markup=False)

    def action_help_quit(self) -> None:
        """Answer ctrl+c, which elsewhere ends a program."""
        self.notify("q leaves the desk; everything is saved.")

    def get_system_commands(self, screen: Screen[object]) -> Iterator[SystemCommand]:
        """Offer everything that the keys of this place do, then Textual's own."""
        if isinstance(screen, DeskScreen):
            for key in (*KEYS[screen.PLACE], *KEYS["everywhere"]):
                yield SystemCommand(
                    key.label, f"key: {key.shown}", lambda action=key.action: self._act(screen, action)
                )
        for command in super().get_system_commands(screen):
            if command.title == "Theme":
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
    ignore_empty_pixels()
    memory = Memory.read()
    sitting = Sitting(db, memory, reviewer or memory.reviewer or login_name())
    at = Pairing(experiment, candidate, judge) if experiment else None
    desk = Desk(sitting, screen=screen, at=at)
    desk.run()
    if not desk.return_code:
        sys.stderr.write(f"Everything is saved in {visible_line(str(db))}. Go on with: {_again(sitting)}\n")


def _again(sitting: Sitting) -> str:
    """Return the command that comes back to what was looked at last, as this program was called."""
    called = Path(sys.argv[0])
    program = [called.name] if called.stem == "bothways" else [Path(sys.executable).name, "-m", "bothways"]
    words = [*program, "--db", str(sitting.db)]
    if (at := sitting.looked_at) is not None:
        words += ["review", at.experiment]
        words += ["--candidate", at.candidate] if at.candidate else []
        words += ["--judge", at.judge] if at.judge else []
    return visible_line(shlex.join(words))
