"""What is typed elsewhere, held down, pasted or pressed too early is no verdict."""

from __future__ import annotations

from pathlib import Path

from tests.app.screens.review.sitting import Open, at, at_once, ready, reviews, write
from tests.screens import shown, until
from textual import events
from textual.widgets import Input


async def test_skip_note_and_letters_in_a_field_never_vote(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await write(pilot, "hle bcu")
        await until(pilot, lambda: len(reviews(db)) == 1)
        assert at(pilot) == "r-00009"
        await pilot.press("s")
        await write(pilot, "ask Ann")
        await until(pilot, lambda: at(pilot) == "r-00018")
    assert [(body["act"], body["note"], body["reason"]) for body in reviews(db)] == [
        ("note", "hle bcu", ""),
        ("skip", "", "ask Ann"),
    ]


async def test_a_held_key_is_one_verdict(desk: Open, db: Path) -> None:
    async with desk(db, clock=lambda: 0.0).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press(*["l"] * 8)
        await until(pilot, lambda: "held down" in shown(pilot.app))
        await pilot.press("j", "l")
    assert [body["case"] for body in reviews(db)] == ["r-00009"]


async def test_a_pasted_text_votes_nothing(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        pilot.app.screen.post_message(events.Paste("hlebcu"))
        await pilot.press("n")
        await until(pilot, lambda: "Note on" in shown(pilot.app))
        pilot.app.screen.focused.post_message(events.Paste("hle"))  # type: ignore[union-attr]
        await write(pilot, "b")
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert [(body["act"], body["note"]) for body in reviews(db)] == [("note", "hleb")]


async def test_what_is_typed_ahead_of_a_window_is_written_in_it_and_votes_nothing(
    desk: Open, db: Path
) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        at_once(pilot, "/hles")
        await until(pilot, lambda: bool(pilot.app.screen.query(Input)))
        entry = pilot.app.screen.query_one(Input)
        await until(pilot, lambda: entry.value == "hles")
        await pilot.press("t", "enter")
        await until(pilot, lambda: "no row matches hlest" in shown(pilot.app))
    assert reviews(db) == []


async def test_what_is_typed_behind_enter_is_no_part_of_the_words(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await until(pilot, lambda: bool(pilot.app.screen.query(Input)))
        await pilot.press("s", "o")
        pilot.app.post_message(events.Key("enter", "\r"))
        at_once(pilot, "jjl")
        await until(pilot, lambda: len(reviews(db)) == 1 and at(pilot) == "r-00009")
        assert "draft" not in shown(pilot.app)
    (body,) = reviews(db)
    assert (body["act"], body["note"]) == ("note", "so")


async def test_a_key_pressed_while_the_rows_are_read_says_that_it_was_not_taken(desk: Open, db: Path) -> None:
    app = desk(db, screen="experiments")
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "NEEDS REVIEW" in shown(app))
        app.simulate_key("v")
        app.simulate_key("b")
        await until(pilot, lambda: "Still reading" in shown(app))
        await ready(pilot)
    assert reviews(db) == []


async def test_a_key_behind_a_window_says_that_the_window_is_open(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("g")
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        await pilot.press("escape", "C")
        await until(pilot, lambda: "Confirm the judge" in shown(pilot.app))
        await pilot.press("l")
        await until(pilot, lambda: "This window is open" in shown(pilot.app))
    assert reviews(db) == []
