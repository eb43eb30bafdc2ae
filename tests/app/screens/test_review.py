from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.app.shop import AT, EXPERIMENT, row
from tests.screens import shown, until
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from bothways.app.desk.keys import pressed
from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.errors import RefusedError
from bothways.engine.experiment import ReviewSettings
from bothways.engine.facts import JsonObject
from bothways.store import open_store

Open = Callable[..., Desk]
SIZES = ((80, 24), (160, 50), (200, 60))


def reviews(db: Path) -> list[JsonObject]:
    with open_store(db) as store:
        return [record.body for record in store.records("plain line", "review")]


def screen_of(pilot: Pilot[Any]) -> ReviewScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def ready(pilot: Pilot[Any], case: str = "r-00009") -> None:
    await until(pilot, lambda: at(pilot) == case)


def at(pilot: Pilot[Any]) -> str:
    screen = pilot.app.screen
    if not isinstance(screen, ReviewScreen) or screen.session is None or screen.session.work.item is None:
        return ""
    return screen.session.work.item.case_id


async def write(pilot: Pilot[Any], words: str) -> None:
    await until(pilot, lambda: not isinstance(pilot.app.screen, ReviewScreen))
    await pilot.press(*(letter if letter != " " else "space" for letter in words), "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))


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


@pytest.mark.parametrize(
    ("key", "verdict", "both_bad"),
    [
        ("h", "baseline", False),
        ("1", "baseline", False),
        ("l", "candidate", False),
        ("2", "candidate", False),
        ("e", "tie", False),
        ("3", "tie", False),
        ("b", "tie", True),
    ],
)
async def test_one_key_saves_a_verdict_and_goes_on(
    desk: Open, db: Path, key: str, verdict: str, both_bad: bool
) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press(key)
        await until(pilot, lambda: at(pilot) == "r-00018")
    (body,) = reviews(db)
    assert (body["case"], body["verdict"], body["both_bad"]) == ("r-00009", verdict, both_bad)
    assert body["reviewer"] == "kim"


async def test_with_the_sides_swapped_left_is_the_candidate(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("x", "h")
        await until(pilot, lambda: at(pilot) == "r-00018")
    assert reviews(db)[0]["verdict"] == "candidate"


async def test_confirming_a_flip_says_why_it_cannot_be(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("c")
        await until(pilot, lambda: "There is no verdict to confirm" in shown(pilot.app))
        assert at(pilot) == "r-00009"
    assert reviews(db) == []


async def test_confirming_takes_the_judges_verdict(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        screen_of(pilot).session.work.walk.seek("r-00003")  # type: ignore[union-attr]
        screen_of(pilot).show()
        await pilot.press("c")
        await until(pilot, lambda: at(pilot) != "r-00003")
    assert [(body["case"], body["act"], body["verdict"]) for body in reviews(db)] == [
        ("r-00003", "confirm", "baseline")
    ]


async def test_an_override_asks_for_a_reason_and_takes_none_without(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        screen_of(pilot).session.work.walk.seek("r-00003")  # type: ignore[union-attr]
        screen_of(pilot).show()
        await pilot.press("l")
        await until(pilot, lambda: "Why is the judge wrong here?" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "Say why: the judge's verdict is overridden." in shown(pilot.app))
        assert reviews(db) == []
        await write(pilot, "it left out the date")
        await until(pilot, lambda: len(reviews(db)) == 1)
    (body,) = reviews(db)
    assert (body["verdict"], body["reason"], body["judge_said"]) == (
        "candidate",
        "it left out the date",
        "baseline",
    )


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


async def test_a_note_that_was_left_is_kept_as_a_draft(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "Note on r-00009" in shown(pilot.app))
        await pilot.press("h", "a", "l", "f", "escape", "J", "K", "n")
        await until(pilot, lambda: "half" in shown(pilot.app))
    assert reviews(db) == []


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


async def test_a_key_pressed_while_the_rows_are_read_says_that_it_was_not_taken(desk: Open, db: Path) -> None:
    app = desk(db, screen="experiments")
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "NEEDS REVIEW" in shown(app))
        app.simulate_key("v")
        app.simulate_key("b")
        await until(pilot, lambda: "Still opening" in shown(app))
        await ready(pilot)
    assert reviews(db) == []


async def test_a_filter_that_matches_nothing_says_so_and_names_the_states(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "is:finished")
        await until(pilot, lambda: "no row matches is:finished" in shown(pilot.app))
        await until(pilot, lambda: "names no state" in shown(pilot.app) and "open, done" in shown(pilot.app))
        assert "every row is decided" not in shown(pilot.app)


async def test_both_bad_has_one_name_and_says_that_it_counts_as_a_tie(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(200, 60)) as pilot:
        await ready(pilot)
        await pilot.press("b", "K", "shift+tab")
        await until(pilot, lambda: "kim: both bad (counts as a tie)" in shown(pilot.app))
        await until(pilot, lambda: "verdict: both bad (counts as a tie)" in shown(pilot.app))
        queue = [line[:57] for line in shown(pilot.app).splitlines() if "r-00009" in line[:57]]
        assert any("both bad" in line for line in queue)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_was_asked_stands_above_the_answers(desk: Open, db: Path, size: tuple[int, int]) -> None:
    async with desk(db).run_test(size=size) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "Asked: Where is order 9?" in shown(pilot.app))
        lines = shown(pilot.app).splitlines()
        above = next(n for n, line in enumerate(lines) if "Asked:" in line)
        assert "v4 · baseline" in "".join(lines[above + 1 : above + 3])


async def test_the_final_tally_stands_in_80_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "final 9–3–3, 9 undecided" in shown(pilot.app))
        assert shown(pilot.app).splitlines()[0].endswith("…")


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


async def test_names_of_rows_have_room_at_120_columns(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(120, 35)) as pilot:
        await ready(pilot)
        panes = screen_of(pilot)
        await until(pilot, lambda: "r-00018" in shown(pilot.app))
        assert panes.query_one("#queue").size.width <= 36
        assert panes.query_one("#pair").size.width >= 84


async def test_the_gate_line_changes_as_verdicts_are_saved(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "win rate 9 of 15" in shown(pilot.app))
        await pilot.press("l")
        await until(pilot, lambda: "win rate 10 of 16" in shown(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: "win rate 9 of 15" in shown(pilot.app))


async def test_a_tool_difference_is_signed(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        screen_of(pilot).session.work.walk.seek("r-00014")  # type: ignore[union-attr]
        screen_of(pilot).show()
        await pilot.press("tab", "t")
        await until(pilot, lambda: "What do you say" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "signed ok by kim" in shown(pilot.app))
    assert [(body["act"], body["signed"]) for body in reviews(db)] == [("tools", "ok")]


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


async def test_a_filter_is_remembered_and_escape_drops_it_first(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "judge:tie")
        await until(pilot, lambda: at(pilot) == "r-00012")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00012")
        assert "filter judge:tie" in shown(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: "filter" not in shown(pilot.app))
        assert at(pilot) == "r-00012"


async def test_a_sitting_resumes_at_the_very_row(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l", "J", "J")
        await until(pilot, lambda: at(pilot) == "r-00003")
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot, "r-00003")


async def test_without_a_name_it_is_asked_for_and_then_used(desk: Open, db: Path) -> None:
    async with desk(db, reviewer="").run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l")
        await until(pilot, lambda: "Who reviews?" in shown(pilot.app))
        await write(pilot, "ann")
        await until(pilot, lambda: at(pilot) == "r-00018")
    assert reviews(db)[0]["reviewer"] == "ann"


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
        await until(pilot, lambda: "needs 40 × 12" in shown(pilot.app))
        for size in ((1, 1), (40, 12)):
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: "Pass 1" in shown(pilot.app))
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: "Pass 2" in shown(pilot.app) and "other9" in shown(pilot.app))
        assert at(pilot) == "r-00009"


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


async def test_a_skip_needs_its_reason(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "Skip this row" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "whoever comes next wants to know" in shown(pilot.app))
    assert reviews(db) == []


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


async def test_a_row_is_found_by_letters_of_its_name(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("f")
        await write(pilot, "00013")
        await until(pilot, lambda: at(pilot) == "r-00013")


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


async def test_a_text_is_looked_for_in_what_was_asked(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, '"order 17?"')
        await until(pilot, lambda: at(pilot) == "r-00017" and "1/1" in shown(pilot.app))


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


async def test_a_reason_that_was_left_is_that_of_its_verdict_alone(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        screen_of(pilot).session.work.walk.seek("r-00003")  # type: ignore[union-attr]
        screen_of(pilot).show()
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


def at_once(pilot: Pilot[Any], keys: str) -> None:
    """Type faster than any window opens."""
    for letter in keys:
        pilot.app.post_message(events.Key(pressed(letter) or letter, letter))


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


async def test_the_footer_names_what_is_likely_wanted_of_the_row(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        assert "c confirm  u undo  j next" in shown(pilot.app)
        await pilot.press("B")
        await until(pilot, lambda: "u undo  j next  B blind  ? help" in shown(pilot.app))
        assert "confirm" not in shown(pilot.app).splitlines()[-1]
        await pilot.press("h")
        await until(pilot, lambda: "u undo  enter go on  esc back  ? help" in shown(pilot.app))


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


async def test_when_the_rows_shown_are_decided_the_others_are_told_of(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50), notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await write(pilot, "is:hard tag:refund")
        await until(pilot, lambda: "(filter shows 1)" in shown(pilot.app))
        await pilot.press("l")
        await until(pilot, lambda: "None of the rows shown waits; 23 others do" in shown(pilot.app))
        assert "1/24 decided" in shown(pilot.app)


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
