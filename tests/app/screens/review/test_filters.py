"""Filters: which rows are shown, and what is said of the others."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from tests.app.screens.review.sitting import Open, at, narrow, ready, screen_of, write
from tests.app.shop import AT
from tests.screens import shown, until

from bothways.app.desk.review.look import Look
from bothways.app.desk.review.session import ReviewSession
from bothways.store import open_store


async def test_a_filter_is_remembered_and_escape_drops_it_first(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await narrow(pilot, "judge:tie")
        await until(pilot, lambda: at(pilot) == "r-00012")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00012")
        await until(pilot, lambda: "filter judge:tie" in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: "filter" not in shown(pilot.app))
        assert at(pilot) == "r-00012"


async def test_a_filter_that_was_left_behind_is_nobody_elses(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await narrow(pilot, "judge:tie")
    async with desk(db, reviewer="lee").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "lee · 0/" in shown(pilot.app))
        assert at(pilot) == "r-00009"
        assert "filter" not in shown(pilot.app)


async def test_who_signs_at_the_gate_comes_back_to_a_review_of_their_own(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await narrow(pilot, "judge:tie")
        screen_of(pilot).sitting.sign_as("lee")
        with open_store(db) as store:
            store.append("review", {"experiment": "another", "case": "r-00001"}, AT)
        await until(pilot, lambda: "lee · 0/" in shown(pilot.app))
        await ready(pilot)
        assert "filter" not in shown(pilot.app)


async def test_a_filter_that_matches_nothing_says_so_and_names_the_states(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "is:finished")
        await until(pilot, lambda: "no row matches is:finished" in shown(pilot.app))
        await until(pilot, lambda: "names no state" in shown(pilot.app) and "open, done" in shown(pilot.app))
        assert "every row is decided" not in shown(pilot.app)


async def test_a_text_is_looked_for_in_what_was_asked(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, '"order 17?"')
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))


async def test_a_text_that_is_remembered_is_looked_for_again(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, '"order 17?"')
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))


async def test_a_text_keeps_its_rows_when_somebody_else_has_written(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, '"order 17?"')
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))
        before = screen_of(pilot).session
        with open_store(db) as store:
            store.append("review", {"experiment": "another", "case": "r-00001"}, AT)
        await until(pilot, lambda: screen_of(pilot).session is not before)
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))


async def test_when_the_rows_shown_are_decided_the_others_are_told_of(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "is:hard tag:refund")
        await until(pilot, lambda: "(filter shows 1)" in shown(pilot.app))
        await pilot.press("l")
        await until(pilot, lambda: "None of the rows shown waits; 23 others do" in shown(pilot.app))
        assert "1/24 decided" in shown(pilot.app)


async def test_a_filter_that_is_set_while_the_rows_are_read_again_stays(
    desk: Open, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = Event(), Event()
    refreshed = ReviewSession.refreshed

    def slow(session: ReviewSession, look: Look) -> ReviewSession:
        fresh = refreshed(session, look)
        asked.set()
        assert go_on.wait(60)
        return fresh

    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        monkeypatch.setattr(ReviewSession, "refreshed", slow)
        before = screen_of(pilot).session
        with open_store(db) as store:
            store.append("review", {"experiment": "another", "case": "r-00001"}, AT)
        await until(pilot, asked.is_set)
        await narrow(pilot, "judge:tie")
        go_on.set()
        await until(pilot, lambda: screen_of(pilot).session is not before)
        assert "filter judge:tie" in shown(pilot.app)
