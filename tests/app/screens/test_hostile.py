"""Every screen there is, with everything that its keys open, on a file in which every text is an attack."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.app.hostile import HOSTILE, NAME, UNSEEN, attacked
from tests.app.walk import opened
from tests.screens import shown, until
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

import bothways.app.screens
from bothways.app.desk.keys import KEYS, Place
from bothways.app.desk.sitting import Pairing
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.copy import CopyMenu
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.app.screens.help import HelpScreen
from bothways.app.shell.app import Desk

CANDIDATE, JUDGE = f"v5{HOSTILE}", f"judge{HOSTILE}"
PAIRING = Pairing(NAME, CANDIDATE, JUDGE)
PLACES = [place for place in get_args(Place) if place != "everywhere"]
OPENED_BY_KEYS: set[type[Screen[Any]]] = {HelpScreen, CopyMenu}
"""Screens over a screen: `?` and `y` open them everywhere, and the walk presses both."""
LEAVES = {"desk.quit", "desk.back"}


def opener(place: str) -> Callable[[Desk], DeskScreen]:
    screens: dict[str, Callable[[Desk], DeskScreen]] = {
        "experiments": lambda app: ExperimentsScreen(app.sitting),
        "new": lambda app: go.new_screen(app.sitting, NAME),
        "run": lambda app: go.run_screen(app.sitting, PAIRING),
        "review": lambda app: go.review_screen(app.sitting, PAIRING),
        "gate": lambda app: go.gate_screen(app.sitting, PAIRING),
    }
    return screens[place]


def all_screens() -> set[type[Screen[Any]]]:
    for module in pkgutil.iter_modules(bothways.app.screens.__path__, "bothways.app.screens."):
        importlib.import_module(module.name)
    waiting: list[type[Screen[Any]]] = [Screen]
    found: set[type[Screen[Any]]] = set()
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("bothways.app.screens"):
                found.add(kind)
    return found - {DeskScreen}


def test_every_screen_is_walked() -> None:
    walked = {kind.PLACE for kind in all_screens() if issubclass(kind, DeskScreen)}
    assert walked == set(PLACES)
    assert {kind for kind in all_screens() if not issubclass(kind, DeskScreen)} == OPENED_BY_KEYS


def harmless(pilot: Pilot[None]) -> None:
    screen = shown(pilot.app)
    assert not set(screen) & UNSEEN, screen


async def settled(pilot: Pilot[None]) -> None:
    """Let a key have its effect: what it opens may be read in a thread first."""
    await pilot.pause(0.05)
    harmless(pilot)


@pytest.mark.parametrize("place", PLACES)
async def test_what_every_key_opens_shows_attacks_as_text(
    place: Place, desk: Callable[..., Desk], tmp_path: Path
) -> None:
    app = desk(attacked(tmp_path), "experiments", reviewer=f"kim{HOSTILE}")
    async with app.run_test(size=(160, 50), notifications=True, tooltips=True) as pilot:
        screen = opener(place)(app)
        await app.push_screen(screen)
        await until(pilot, lambda: "[/foo]x␛]52" in shown(app))
        app.copy_to_clipboard(HOSTILE)
        for key in (*KEYS[place], *KEYS["everywhere"]):
            if key.id in LEAVES:
                continue
            await pilot.press(key.keys.split(",")[0])
            await settled(pilot)
            if isinstance(app.focused, Input | TextArea):
                app.post_message(events.Paste(HOSTILE))
                await pilot.press("ctrl+v")
                await settled(pilot)
                await pilot.press("enter")
                await settled(pilot)
            for _ in range(4):
                if app.screen is not screen:
                    await pilot.press("escape")
                    await settled(pilot)
            if app.screen is not screen:  # the key led to another screen, whose turn comes by itself
                screen = opener(place)(app)
                await app.push_screen(screen)
                await until(pilot, lambda: "[/foo]x␛]52" in shown(app))


@pytest.mark.slow
@pytest.mark.terminal
@pytest.mark.timeout(600)
@pytest.mark.parametrize("place", PLACES)
def test_no_sequence_but_our_own_reaches_a_terminal_from_any_key(place: Place, tmp_path: Path) -> None:
    screen = "experiments" if place == "new" else place
    desk = opened(attacked(tmp_path), tmp_path, screen=screen, pairing=PAIRING, reviewer=f"kim{HOSTILE}")
    desk.until("]52")
    if place == "new":
        desk.press("f")
    for key in (*KEYS[place], *KEYS["everywhere"]):
        name = key.keys.split(",")[0]
        if key.id not in LEAVES and (len(name) == 1 or name in SENT):
            desk.press(SENT.get(name, name), quiet_s=0.3)
            desk.press(PASTED, quiet_s=0.3)
            desk.press("\x1b", quiet_s=0.3)
            if place == "experiments":
                desk.press("\x1b", quiet_s=0.3)
    desk.child.kill(15)
    desk.ended()
    sequences = re.findall(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].{0,8}|.)", desk.seen, re.DOTALL)
    strings = [one for one in sequences if one[1:2] in b"]PX^_"]
    ours = (b"\x1b]22;", b"\x1b]0;")  # the shape of the pointer, the title of the window
    assert all(one.startswith(ours) for one in strings)
    assert b"\x1b]0;pwn" not in desk.seen
    assert b"\x1b[2J\x1b]0" not in desk.seen
    assert "␛]52".encode() in desk.seen
    text = desk.seen.decode("utf-8", errors="replace")
    assert not set(text) & {*map(chr, range(0x80, 0xA0)), "\u202e", "\u2066", "\u2028", "\x00", "\x7f"}


PASTED = f"\x1b[200~{HOSTILE}\x1b[201~"
SENT = {
    "slash": "/", "question_mark": "?", "colon": ":", "tab": "\t", "shift+tab": "\x1b[Z", "enter": "\r",
    "ctrl+l": "\x0c", "ctrl+s": "\x13", "ctrl+r": "\x12", "delete": "\x1b[3~",
}  # fmt: skip
"""What a terminal sends for a key with a name."""
