"""Notes and reasons: drafts of them, and an editor for the long ones."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.app.screens.review.sitting import Open, at_once, go_to, ready, reviews, screen_of, write
from tests.screens import shown, until

from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.errors import RefusedError


async def test_a_note_that_was_left_is_kept_as_a_draft(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "Note on r-00009" in shown(pilot.app))
        await pilot.press("h", "a", "l", "f", "escape", "J", "K", "n")
        await until(pilot, lambda: "half" in shown(pilot.app))
    assert reviews(db) == []


async def test_a_draft_survives_leaving_and_a_restart_and_is_told_of(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "Note on r-00009" in shown(pilot.app))
        await pilot.press("h", "a", "l", "f")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "note draft" in shown(pilot.app))
        await pilot.press("n")
        await write(pilot, " more")
        await until(pilot, lambda: "draft" not in shown(pilot.app))
    assert [body["note"] for body in reviews(db)] == ["half more"]


async def test_a_reason_that_was_left_is_that_of_its_verdict_alone(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        go_to(pilot, "r-00003")
        await pilot.press("l")
        await until(pilot, lambda: "Both passes said" in shown(pilot.app))
        await pilot.press(*"newer", "escape")
        await until(pilot, lambda: "reason draft" in shown(pilot.app))
        await pilot.press("b")
        await until(pilot, lambda: "Why is the judge wrong here?" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "Say why: the judge's verdict is overridden." in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("l")
        await until(pilot, lambda: "your draft of before" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert reviews(db)[0]["reason"] == "newer"


async def test_a_note_of_several_lines_is_changed_in_several_lines(desk: Open, db: Path) -> None:
    was = "first\tcolumn\nsecond"
    async with desk(db, editor=lambda *_: was).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "Note on" in shown(pilot.app))
        at_once(pilot, "x")
        await pilot.press("escape")
        await until(pilot, lambda: "note draft" in shown(pilot.app))
        place = screen_of(pilot).place(screen_of(pilot).session)  # type: ignore[arg-type]
        place.begun("note", "r-00009", was)
        await pilot.press("n")
        await until(pilot, lambda: "ctrl+s saves" in shown(pilot.app))
        assert "your draft of before" in shown(pilot.app)
        await pilot.press("enter", *"third", "ctrl+s")
        await until(pilot, lambda: len(reviews(db)) == 1)
        await until(pilot, lambda: "the note is saved" in shown(pilot.app) or "noted" in shown(pilot.app))
    assert reviews(db)[0]["note"] == f"{was}\nthird"


@pytest.mark.parametrize("keys", [("N",), ("n", "ctrl+e")], ids=str)
async def test_a_note_written_in_an_editor_is_saved_in_all_its_lines(
    desk: Open, db: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    monkeypatch.setattr(Desk, "suspend", lambda _: nullcontext())
    async with desk(db, editor=lambda text, about: f"{text}{about}\ntwo").run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press(keys[0])
        for key in keys[1:]:
            await until(pilot, lambda: "Note on" in shown(pilot.app))
            await pilot.press(key)
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert reviews(db)[0]["note"] == "note on r-00009\ntwo"


@pytest.mark.parametrize("keys", [("N",), ("n", "ctrl+e")], ids=str)
async def test_without_a_terminal_to_give_away_an_editor_is_said_to_be_impossible(
    desk: Open, db: Path, keys: tuple[str, ...]
) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press(keys[0])
        for key in keys[1:]:
            await until(pilot, lambda: "Note on" in shown(pilot.app))
            await pilot.press(key)
        await until(pilot, lambda: "cannot be given to an editor" in shown(pilot.app))
    assert reviews(db) == []


async def test_an_editor_that_fails_is_said_to_and_nothing_is_lost(
    desk: Open, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(text: str, about: str) -> str:
        raise RefusedError("The editor failed", "vi ended with 1", "nothing was changed")

    monkeypatch.setattr(Desk, "suspend", lambda _: nullcontext())
    async with desk(db, editor=fails).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("N")
        await until(pilot, lambda: "The editor failed" in shown(pilot.app))
