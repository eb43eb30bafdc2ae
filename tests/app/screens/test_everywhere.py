"""What holds on every screen: any size, an empty file, a failing worker, the mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.screens import shown, until
from textual import events

from bothways.app.screens.base import DeskScreen
from bothways.app.shell.app import Desk
from bothways.widgets.keybar import Hint, KeyBar
from bothways.widgets.listing import Listing

KEYS = ("enter", "v", "g", "r", "y", "question_mark", "escape", "j", "e", "u", "n", "escape")


async def test_an_empty_file_says_what_to_do_and_takes_every_key(
    tmp_path: Path, desk: Callable[..., Desk]
) -> None:
    app = desk(tmp_path / "none.db", "experiments")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "bothways demo" in shown(app))
        await pilot.press(*KEYS)
        await pilot.click("#experiments", offset=(3, 0))
        await until(pilot, lambda: "bothways init" in shown(app))


async def test_a_filter_without_a_match_says_what_to_do_and_takes_every_key(
    db: Path, desk: Callable[..., Desk]
) -> None:
    app = desk(db)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        await pilot.press("slash", *"zzz", "enter")
        await until(pilot, lambda: "no row matches: esc shows all rows" in shown(app))
        await pilot.press("e", "c", "b", "s", "t", "n", "j", "J", "enter", "d", "x", "m", "tab", "y")
        await until(pilot, lambda: "Copy what?" in shown(app) or "nothing to copy" in shown(app))


async def test_a_window_may_become_nothing_and_come_back(db: Path, desk: Callable[..., Desk]) -> None:
    app = desk(db)
    async with app.run_test(size=(200, 60), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        await pilot.press("J", "n", *"half a note")
        for size in ((10, 5), (1, 1), (20, 5), (70, 24), (200, 60)):
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: "half a note" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: " 2/24 " in shown(app))


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (70, 24)], ids=str)
async def test_a_window_may_open_as_nothing(
    db: Path, desk: Callable[..., Desk], size: tuple[int, int]
) -> None:
    app = desk(db)
    async with app.run_test(size=size) as pilot:
        await pilot.press("J", "tab")
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: "win rate" in shown(app))


@pytest.mark.parametrize("error", [ValueError("item 3 [/foo]"), OSError("the disk \x1b[2J is gone")])
async def test_a_worker_that_fails_is_told_and_the_desk_lives(
    db: Path, desk: Callable[..., Desk], error: Exception
) -> None:
    app = desk(db)

    async def failing() -> None:
        raise error

    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        assert isinstance(app.screen, DeskScreen)
        app.screen.later("test", failing())
        await until(pilot, lambda: type(error).__name__ in shown(app))
        await pilot.press("J")
        await until(pilot, lambda: " 2/24 " in shown(app))


async def test_the_mouse_chooses_rows_tabs_and_keys_and_scrolls(db: Path, desk: Callable[..., Desk]) -> None:
    app = desk(db)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        await pilot.click("#queue", offset=(5, 4))
        await until(pilot, lambda: " 4/24 " in shown(app))
        await pilot.click("#tabs", offset=(10, 0))
        await until(pilot, lambda: "[tools]" in shown(app))
        await pilot.click(KeyBar, offset=(shown(app).splitlines()[-1].index("? help"), 0))
        await until(pilot, lambda: "Keys: review" in shown(app))
        await pilot.press("escape")
        await pilot.resize_terminal(120, 16)
        queue = app.screen.query_one("#queue", Listing)
        queue.post_message(events.MouseScrollDown(queue, 1, 1, 0, 0, 0, False, False, False))
        await until(pilot, lambda: queue.top == 3)


@pytest.mark.parametrize("width", [80, 40, 20])
async def test_a_footer_that_is_too_long_keeps_the_way_to_all_keys(
    db: Path, desk: Callable[..., Desk], width: int
) -> None:
    app = desk(db)
    async with app.run_test(size=(width, 24)) as pilot:
        await until(pilot, lambda: "? help" in shown(app).splitlines()[-1])
        assert "…" not in shown(app).splitlines()[-1]


async def test_a_click_in_a_shortened_footer_means_the_key_under_it(
    db: Path, desk: Callable[..., Desk]
) -> None:
    app = desk(db)
    async with app.run_test(size=(24, 24)) as pilot:
        await until(pilot, lambda: "? help" in shown(app).splitlines()[-1])
        await app.workers.wait_for_complete()  # what they find out about the row is in the footer by now
        app.screen.query_one(KeyBar).set_hints([Hint("x", "x", "l" * 40), Hint("desk.help", "?", "help")])
        await pilot.click(KeyBar, offset=(2, 0))
        await until(pilot, lambda: "Keys: review" in shown(app))
