"""The app: themes, keys, the way things are said. It holds no logic."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, get_args

from textual import events
from textual.app import App, SystemCommand
from textual.notifications import SeverityLevel
from textual.screen import Screen

from bothways.app.desk.keys import KEYS, press, remap
from bothways.app.desk.run.announce import Announcer
from bothways.app.desk.settings import ThemeName, keep_theme, settings_path
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.exits import CRASHED
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen, complain
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.app.screens.latest import Latest
from bothways.app.shell.ending import end_if_hung_up
from bothways.app.shell.themes import THEMES
from bothways.app.shell.title import titling
from bothways.engine.errors import BothwaysError
from bothways.engine.text import excerpt, visible
from bothways.widgets.dialog import Dialog

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode

__all__ = ["Desk"]

_OPENERS: dict[str, go.Opener] = {"review": go.review_screen, "gate": go.gate_screen, "run": go.run_screen}

_SAID = 300
"""Characters of what is said at the bottom: a few lines at most."""

_ANNOUNCED_S = 30.0
"""Seconds that the end of a run stays on the screen."""


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
        remap(sitting.settings.keys)
        self._opening = (screen, at)
        self._announcer = Announcer()
        self._asyncio: asyncio.AbstractEventLoop | None = None
        self._theme_kept = sitting.settings.theme

    def get_default_screen(self) -> Screen[None]:
        """Start with what there is."""
        return ExperimentsScreen(self.sitting)

    def on_mount(self) -> None:
        """Dress, take the person's own keys, and open the screen that was asked for."""
        self._asyncio = asyncio.get_running_loop()
        self._dress()
        self.set_keymap(dict(self.sitting.settings.keys))
        self.set_interval(1.0, self.sitting.memory.write)
        if not self.is_headless:
            self.set_interval(1.0, end_if_hung_up)
        name, at = self._opening
        if name in _OPENERS and at is not None:
            self.push_screen(_OPENERS[name](self.sitting, at))
        if (problem := self.sitting.unsettled) is not None:
            self.call_after_refresh(complain, self, problem)
        if (problem := self.sitting.memory.problem) is not None:
            told = partial(self.notify, title="Nothing is remembered", severity="warning", timeout=10)
            self.call_after_refresh(told, str(problem))
        listening = Latest(
            lambda job: self.run_worker(job, group="announce", exit_on_error=False), self._tell
        )
        self.call_after_refresh(listening.ask)
        self.set_interval(1.0, listening.ask)

    async def _tell(self) -> None:
        """Tell of runs that have ended, whichever screen is open: in words, by the bell, in the title."""
        if not self._announcer.due(self.sitting):
            return
        for ended in await asyncio.to_thread(self._announcer.look, self.sitting):
            self.notify(ended.words, timeout=_ANNOUNCED_S)
            if "bell" in self.sitting.settings.notify:
                self.bell()
            if "title" in self.sitting.settings.notify and self._driver is not None:
                self._driver.write(titling(f"{ended.title} – bothways"))

    def _dress(self) -> None:
        """Put the theme on that is set, and offer none whose readability nobody has computed."""
        ours = {theme.name for theme in THEMES}
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self.sitting.settings.theme
        for name in set(self.available_themes) - ours:
            self.unregister_theme(name)

    def watch_theme(self, theme: str) -> None:
        """Keep a theme that was chosen here; where that fails it lasts as long as the sitting."""
        chosen = next((name for name in get_args(ThemeName) if name == theme), None)
        if chosen is None or chosen == self._theme_kept:
            return
        self._theme_kept = chosen
        try:
            keep_theme(settings_path(), chosen)
        except BothwaysError as error:
            complain(self, error)
        except OSError as error:
            self.notify(str(error), title="The theme lasts until you leave", severity="warning")

    @property
    def clipboard(self) -> str:
        """What was copied here last, for a field that it is pasted into: fields paint what they hold."""
        return visible(super().clipboard)

    async def on_event(self, event: events.Event) -> None:
        """Make what a terminal pastes visible before it is in a field."""
        if isinstance(event, events.Paste) and not event.is_forwarded:
            event = events.Paste(visible(event.text))
        await super().on_event(event)

    def end(self, code: int) -> None:
        """Leave with an exit code, from anywhere: a signal arrives between any two lines."""
        if self._asyncio is not None:
            self._asyncio.call_soon_threadsafe(self.exit, None, code)

    def on_unmount(self) -> None:
        """Remember the place, give the connection back."""
        self.sitting.close()

    def panic(self, *renderables: RenderableType) -> None:
        """Close without showing what happened: that is told and written down once the terminal is back.

        Textual would print a traceback with the values of all variables, keys among them. Its own threads
        hand over nothing but such a traceback: its last line is kept.
        """
        from rich.traceback import Traceback  # here: the first paint does not wait for it

        if self._exception is None:
            stacks = [
                stack for one in renderables if isinstance(one, Traceback) for stack in one.trace.stacks
            ]
            self._exception = RuntimeError(*(f"{stack.exc_type}: {stack.exc_value}" for stack in stacks[:1]))
            self._return_code = CRASHED
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        self.panic()

    @property
    def crash(self) -> BaseException | None:
        """What ended the desk, where that was a defect."""
        return self._exception

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

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key does; an error that people can act on is told and ends nothing."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except BothwaysError as error:
            complain(self, error)
            return True

    def on_key(self, event: events.Key) -> None:
        """Hand on what was typed at a window before it had the keys: it must not act on what is behind."""
        window = self.screen
        if isinstance(window, Dialog) and window.WRITTEN and event.is_printable and event.character:
            event.prevent_default()
            window.typed_ahead(event.character)

    def action_help_quit(self) -> None:
        """Answer ctrl+c, which elsewhere ends a program."""
        self.notify(f"{press('desk.quit')} leaves the desk; everything is saved.")

    def get_system_commands(self, screen: Screen[object]) -> Iterator[SystemCommand]:
        """Offer everything that the keys of this place do, then the themes and where the settings are."""
        if isinstance(screen, DeskScreen):
            for key in (*KEYS[screen.PLACE], *KEYS["everywhere"]):
                if key.action != "app.command_palette":
                    yield SystemCommand(
                        key.label, f"key: {key.shown}", lambda action=key.action: self._act(screen, action)
                    )
        yield SystemCommand("Theme", "Colours; what is chosen is kept in the settings", self.search_themes)
        yield SystemCommand("Settings", "Where the settings file is", self._tell_settings)

    async def _act(self, screen: DeskScreen, action: str) -> None:
        await screen.run_action(action)

    def _tell_settings(self) -> None:
        path = settings_path()
        there = "" if path.exists() else " (there is none yet)"
        self.notify(f"{path}{there}. REFERENCE.md says what can stand in it.", title="Settings", timeout=10)
