"""Very many rows: a few are there to be read while all are, and nothing is concluded from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from tests.app.screens.review.sitting import Open, at, reviews
from tests.app.shop import fill
from tests.screens import shown, until

from bothways.app.desk.review import look
from bothways.app.desk.review.look import Look, load
from bothways.app.screens import review
from bothways.engine.analysis.choose import choose
from bothways.engine.errors import StoreError
from bothways.store import Store, open_store

FEW, ALL = "6 of 24 rows read", "0/24 decided"


@pytest.fixture
def all_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Six rows are few and 24 very many; all of them are read when this is set."""
    read = Event()

    def loads(
        store: Store, experiment: str, candidate: str | None, judge: str | None, reviewer: str, *, blind: bool
    ) -> Look:
        assert read.wait(60)
        return load(store, experiment, candidate, judge, reviewer, blind=blind)

    monkeypatch.setattr(look, "FIRST", 6)
    monkeypatch.setattr(review, "load", loads)
    yield read
    read.set()  # whoever still waits for it is let go


async def test_the_first_rows_can_be_read_while_the_others_are(desk: Open, db: Path, all_read: Event) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        first = at(pilot)
        await pilot.press("J", "J", "J")
        there = at(pilot)
        assert there != first
        all_read.set()
        await until(pilot, lambda: ALL in shown(pilot.app))
        assert at(pilot) == there


async def test_who_went_nowhere_begins_at_the_first_of_all_rows_that_waits(
    desk: Open, db: Path, all_read: Event
) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        assert at(pilot) == "r-00003"
        all_read.set()
        await until(pilot, lambda: ALL in shown(pilot.app))
        assert at(pilot) == "r-00009"


async def test_rows_that_cannot_be_read_are_not_waited_for(
    desk: Open, db: Path, all_read: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> Look:
        raise StoreError("the file is damaged")

    monkeypatch.setattr(review, "load", fails)
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "Not all rows could be read: esc leads out" in shown(pilot.app))
        assert "Reading all" not in shown(pilot.app)
        await pilot.press("l")
        await until(pilot, lambda: "this key was not taken" in shown(pilot.app))


def test_where_rows_come_back_for_second_looks_all_are_read_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "FIRST", 6)
    with open_store(fill(tmp_path / "x.db", 24)) as store:
        plain = choose(store, "plain line")
        spec = plain.experiment
        again = plain._replace(
            experiment=spec.model_copy(update={"review": spec.review.model_copy(update={"second_look": 0.1})})
        )
        assert look.glance(store, plain, "kim", "") is not None
        assert look.glance(store, again, "kim", "") is None


async def test_nothing_is_concluded_from_a_few_rows(desk: Open, db: Path, all_read: Event) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        told = shown(pilot.app)
        assert "Reading all 24 rows" in told
        assert not [word for word in ("SHIP", "NEEDS REVIEW", "win rate", "decided", "to do") if word in told]
        all_read.set()
        await until(pilot, lambda: "win rate" in shown(pilot.app))


@pytest.mark.parametrize("key", ["l", "u", "C", "slash", "B"])
async def test_before_all_are_read_a_key_that_needs_them_is_not_taken_and_says_so(
    desk: Open, db: Path, all_read: Event, key: str
) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        await pilot.press(key)
        await until(pilot, lambda: "Still reading" in shown(pilot.app))
        all_read.set()
        await until(pilot, lambda: ALL in shown(pilot.app))
        assert reviews(db) == []


async def test_a_sitting_resumes_among_the_rows_around_its_row(desk: Open, db: Path, all_read: Event) -> None:
    all_read.set()
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: ALL in shown(pilot.app))
        await pilot.press("J", "J")
        there = at(pilot)
    all_read.clear()
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        assert at(pilot) == there
        all_read.set()
        await until(pilot, lambda: ALL in shown(pilot.app))
        assert at(pilot) == there


async def test_a_remembered_filter_waits_for_all_rows(desk: Open, db: Path, all_read: Event) -> None:
    all_read.set()
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: ALL in shown(pilot.app))
        await pilot.press("slash", *"is:hard", "enter")
        await until(pilot, lambda: "filter shows" in shown(pilot.app))
    all_read.clear()
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: FEW in shown(pilot.app))
        all_read.set()
        await until(pilot, lambda: "filter shows" in shown(pilot.app))
