"""Taking back goes where the act was, over rows, sittings and filters."""

from __future__ import annotations

from pathlib import Path

from tests.app.screens.review.sitting import Open, at, ready, reviews, screen_of, write
from tests.screens import until


async def test_undo_goes_back_to_the_row_and_redo_brings_it_back(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l")
        await until(pilot, lambda: at(pilot) == "r-00018")
        await pilot.press("l")
        await until(pilot, lambda: at(pilot) == "r-00021")
        await pilot.press("u")
        await until(pilot, lambda: at(pilot) == "r-00018")
        await pilot.press("u")
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("u")
        await pilot.press("U")
        await until(pilot, lambda: len(reviews(db)) == 5)
        row = screen_of(pilot).session.row  # type: ignore[union-attr]
        assert row is not None
        assert row.final == "candidate"
    assert [body["act"] for body in reviews(db)] == ["verdict", "verdict", "undo", "undo", "redo"]


async def test_undo_and_redo_follow_the_acts_over_rows_and_sittings(desk: Open, db: Path) -> None:
    rows = ("r-00009", "r-00018", "r-00021")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        for case in rows:
            await ready(pilot, case)
            await pilot.press("l")
        await until(pilot, lambda: len(reviews(db)) == 3)
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) != "")
        for key, cases in (("u", rows[::-1]), ("U", rows)):
            for case in cases:
                await pilot.press(key)
                await until(pilot, lambda: at(pilot) == case)  # noqa: B023
        row = screen_of(pilot).session
        assert row is not None
        assert [row.acts_on(case)[-1].verdict for case in rows] == ["candidate"] * 3


async def test_an_undo_of_what_a_filter_hides_drops_the_filter(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l", "slash")
        await write(pilot, "judge:tie")
        await until(pilot, lambda: at(pilot) == "r-00012")
        await pilot.press("u")
        await until(pilot, lambda: at(pilot) == "r-00009")
