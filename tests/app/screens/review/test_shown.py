"""What stands on the screen, and where, in terminals of every size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.app.screens.review.sitting import SIZES, Open, at, ready, screen_of
from tests.screens import shown, until


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_row_stands_with_both_answers_and_why_it_is_there(
    desk: Open, db: Path, size: tuple[int, int]
) -> None:
    async with desk(db).run_test(size=size) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "other9" in shown(pilot.app) and "word9" in shown(pilot.app))
        screen = shown(pilot.app)
        assert "v4 · baseline" in screen
        assert "v5 · candidate" in screen
        words = " ".join(screen.split())  # where a line breaks depends on what is known by now
        assert "high stakes: flipped hard: choose a side" in words
        assert "named whichever answer came first, both times" in words
        assert "NEEDS REVIEW" in screen
        assert "? help" in screen


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_was_asked_stands_above_the_answers(desk: Open, db: Path, size: tuple[int, int]) -> None:
    async with desk(db).run_test(size=size) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "Asked: Where is order 9?" in shown(pilot.app))
        lines = shown(pilot.app).splitlines()
        above = next(n for n, line in enumerate(lines) if "Asked:" in line)
        assert "v4 · baseline" in "".join(lines[above + 1 : above + 3])


async def test_the_win_rate_and_the_final_tally_stand_in_80_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "win rate 60.0 % ≥ 60 % · final 9–3–3" in shown(pilot.app))
        assert shown(pilot.app).splitlines()[0].endswith("…")


async def test_names_of_rows_have_room_at_120_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(120, 35)) as pilot:
        await ready(pilot)
        panes = screen_of(pilot)
        await until(pilot, lambda: "r-00018" in shown(pilot.app))
        assert panes.query_one("#queue").size.width <= 36
        assert panes.query_one("#pair").size.width >= 84


async def test_the_queue_has_all_of_its_columns_at_160_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("h")
        await until(pilot, lambda: re.search(r"row +why +judge +final", shown(pilot.app)) is not None)
        await until(pilot, lambda: re.search(r"r-00009 +required +FLIP +base ", shown(pilot.app)) is not None)


async def test_tabs_show_every_page_in_80_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        for name, words in {
            "passes": "Pass 2",
            "tools": "get_order",
            "context": "reference answer",
            "rules": "required: get_order",
            "history": "judged, v4 before v5",
            "queue": "r-00018",
            "answers": "other9",
        }.items():
            await pilot.press("tab")
            await until(pilot, lambda: f"[{name}]" in shown(pilot.app) and words in shown(pilot.app))  # noqa: B023


async def test_a_resize_keeps_the_row_and_the_panes_follow(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(200, 60)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "Pass 2" in shown(pilot.app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "[passes]" in shown(pilot.app) and "other9" not in shown(pilot.app))
        await pilot.resize_terminal(20, 5)
        await until(pilot, lambda: "needs 20 × 4" in shown(pilot.app))
        for size in ((1, 1), (40, 12)):
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: "Pass 1" in shown(pilot.app))
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: "Pass 2" in shown(pilot.app) and "other9" in shown(pilot.app))
        assert at(pilot) == "r-00009"


async def test_the_footer_names_what_is_likely_wanted_of_the_row(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        assert "c confirm  u undo  j next" in shown(pilot.app)
        await pilot.press("B")
        await until(pilot, lambda: "u undo  j next  B blind  ? help" in shown(pilot.app))
        assert "confirm" not in shown(pilot.app).splitlines()[-1]
        await pilot.press("h")
        await until(pilot, lambda: "u undo  enter go on  esc back  ? help" in shown(pilot.app))


async def test_how_the_answers_are_looked_at_stands_beside_the_tabs(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        for key, says in (
            ("d", "± unified"),
            ("d", "± off"),
            ("M", "± off · Markdown"),
            ("d", "± words · Markdown"),
        ):
            await pilot.press(key)
            await until(pilot, lambda: says in shown(pilot.app))  # noqa: B023


async def test_one_thing_is_said_at_a_time_over_the_keys_of_its_screen(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(120, 35), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("c", "c", "c")
        await until(pilot, lambda: "There is no verdict to confirm" in shown(pilot.app))
        lines = shown(pilot.app).splitlines()
        assert ["no verdict to confirm" in line for line in lines].index(True) == len(lines) - 1
        await pilot.press("g")
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        assert "no verdict to confirm" not in shown(pilot.app)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "q leaves the desk; everything is saved." in shown(pilot.app))


async def test_another_process_writing_is_seen_but_not_what_it_says(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        async with desk(db, reviewer="ann").run_test(size=(160, 50)) as other:
            await ready(other)
            await other.press("l")
            await until(other, lambda: at(other) == "r-00018")
        await until(pilot, lambda: "1 other has voted" in shown(pilot.app))
        assert "ann" not in shown(pilot.app)
        assert at(pilot) == "r-00009"
