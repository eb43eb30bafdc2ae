"""Many rows confirmed at once."""

from __future__ import annotations

from pathlib import Path

from tests.app.screens.review.sitting import Open, at, ready, reviews, write
from tests.screens import shown, until


async def test_agreed_rows_of_a_filter_are_confirmed_at_once_after_one_question(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "judge:cand")
        await until(pilot, lambda: "filter judge:cand" in shown(pilot.app))
        await pilot.press("C")
        await until(pilot, lambda: "Confirm the judge on 4 rows" in shown(pilot.app))
        assert "high stakes" in shown(pilot.app)
        assert reviews(db) == []
        await pilot.press("y")
        await until(pilot, lambda: "4 rows are confirmed" in shown(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: "Taken back: 4 rows" in shown(pilot.app))
        assert "0/24 decided (filter shows 9)" in shown(pilot.app)
    assert [body["act"] for body in reviews(db)] == ["confirm"] * 4 + ["undo"] * 4


async def test_after_that_the_first_row_of_the_queue_that_waits_is_shown(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("J", "J", "J", "C")
        await until(pilot, lambda: "Confirm the judge on" in shown(pilot.app))
        await pilot.press("y")
        await until(pilot, lambda: "rows are confirmed" in shown(pilot.app))
        assert at(pilot) == "r-00009"
