"""Rows that come back to whoever has judged them."""

from __future__ import annotations

from pathlib import Path

from tests.app.screens.review.sitting import Open, at, ready, reviews, write
from tests.app.shop import AT, EXPERIMENT, row
from tests.screens import shown, until

from bothways.engine.experiment import ReviewSettings
from bothways.store import open_store


async def test_a_row_that_comes_back_is_read_blind_and_told_whether_it_is_as_before(
    desk: Open, tmp_path: Path
) -> None:
    again = EXPERIMENT.model_copy(update={"review": ReviewSettings(second_look=1.0)})
    with open_store(tmp_path / "again.db") as store:
        store.take(again, map(row, range(3)), AT)
    async with desk(tmp_path / "again.db").run_test(size=(160, 50)) as pilot:
        await ready(pilot, "r-00001")
        await pilot.press("e")
        await until(pilot, lambda: at(pilot) == "r-00002")
    async with desk(tmp_path / "again.db").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "1 second look" in shown(pilot.app))
        await pilot.press("slash")
        await write(pilot, "is:second")
        await until(pilot, lambda: at(pilot) == "r-00001" and "left answer" in shown(pilot.app))
        assert "kim:" not in shown(pilot.app)
        await pilot.press("e")
        await until(pilot, lambda: "second look: the same as before" in shown(pilot.app))
    assert [(body["look"], body["blind"]) for body in reviews(tmp_path / "again.db")] == [
        (1, False),
        (2, True),
    ]
