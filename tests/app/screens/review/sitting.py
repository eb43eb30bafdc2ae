"""What the tests of the review's screen do with it, and ask of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from tests.screens import shown, until
from textual import events
from textual.pilot import Pilot

from bothways.app.desk.keys import pressed
from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.facts import JsonObject
from bothways.store import open_store

__all__ = ["SIZES", "Open", "at", "at_once", "go_to", "narrow", "ready", "reviews", "screen_of", "write"]

Open: TypeAlias = Callable[..., Desk]
SIZES = ((80, 24), (160, 50), (200, 60))


def reviews(db: Path) -> list[JsonObject]:
    """Return what stands on record."""
    with open_store(db) as store:
        return [record.body for record in store.records("plain line", "review")]


def screen_of(pilot: Pilot[Any]) -> ReviewScreen:
    """Return the review that stands in front."""
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def ready(pilot: Pilot[Any], case: str = "r-00009") -> None:
    """Wait until a row is there, by default the first that is opened."""
    await until(pilot, lambda: at(pilot) == case)


def at(pilot: Pilot[Any]) -> str:
    """Return the case that is shown; "" where none is."""
    screen = pilot.app.screen
    if not isinstance(screen, ReviewScreen) or screen.session is None or screen.session.work.item is None:
        return ""
    return screen.session.work.item.case_id


async def write(pilot: Pilot[Any], words: str) -> None:
    """Write words into the window that opens, and go on with enter."""
    await until(pilot, lambda: not isinstance(pilot.app.screen, ReviewScreen))
    await pilot.press(*(letter if letter != " " else "space" for letter in words), "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))


async def narrow(pilot: Pilot[Any], words: str) -> None:
    """Give a filter, and wait until the screen says so."""
    await pilot.press("slash")
    await write(pilot, words)
    await until(pilot, lambda: f"filter {words}" in shown(pilot.app))


def go_to(pilot: Pilot[Any], case: str) -> None:
    """Show a row, wherever in the queue it is."""
    screen = screen_of(pilot)
    assert screen.session is not None
    assert screen.session.work.walk.seek(case)
    screen.show()


def at_once(pilot: Pilot[Any], keys: str) -> None:
    """Type faster than any window opens."""
    for letter in keys:
        pilot.app.post_message(events.Key(pressed(letter) or letter, letter))
