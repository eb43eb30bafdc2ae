"""Going from row to row: by key, by name, by mouse, in an order."""

from __future__ import annotations

from pathlib import Path

from tests.app.screens.review.sitting import Open, at, ready, reviews, write
from tests.screens import shown, until


async def test_small_j_skips_what_is_decided_and_capital_j_does_not(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l")
        await until(pilot, lambda: at(pilot) == "r-00018")
        await pilot.press("K")
        assert at(pilot) == "r-00009"
        await pilot.press("J")
        assert at(pilot) == "r-00018"
        await pilot.press("j")
        assert at(pilot) == "r-00021"


async def test_a_sitting_resumes_at_the_very_row(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l", "J", "J")
        await until(pilot, lambda: at(pilot) == "r-00003")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot, "r-00003")


async def test_a_row_is_found_by_letters_of_its_name(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("f")
        await write(pilot, "00013")
        await until(pilot, lambda: at(pilot) == "r-00013")


async def test_an_order_is_chosen_told_and_remembered(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("o")
        await until(pilot, lambda: "In which order?" in shown(pilot.app))
        await pilot.press("down", "down", "enter")
        await until(
            pilot, lambda: "· file order ·" in shown(pilot.app) and "10/24 r-00009" in shown(pilot.app)
        )
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(
            pilot, lambda: "· file order ·" in shown(pilot.app) and "10/24 r-00009" in shown(pilot.app)
        )


async def test_the_mouse_chooses_rows_tabs_and_keys(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.click("#queue", offset=(5, 3))
        await until(pilot, lambda: at(pilot) == "r-00021")
        await pilot.click("#tabs", offset=(9, 0))
        await until(pilot, lambda: "[tools]" in shown(pilot.app))
        await pilot.click("KeyBar", offset=(1, 0))
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert reviews(db)[0]["case"] == "r-00021"


async def test_a_verdict_goes_on_from_the_row_that_was_jumped_to(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("f")
        await write(pilot, "00013")
        await until(pilot, lambda: at(pilot) == "r-00013")
        await pilot.press("e")
        await until(pilot, lambda: at(pilot) == "r-00011")  # which follows it in the queue
    assert reviews(db)[0]["case"] == "r-00013"


async def test_on_a_narrow_screen_the_arrows_move_in_the_queue_as_soon_as_it_is_shown(
    desk: Open, db: Path
) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await pilot.press("shift+tab")
        await until(pilot, lambda: "[queue]" in shown(pilot.app))
        await pilot.press("down")
        await until(pilot, lambda: at(pilot) == "r-00018")
        await pilot.press("enter")
        await until(pilot, lambda: "[answers]" in shown(pilot.app))
        assert at(pilot) == "r-00018"
