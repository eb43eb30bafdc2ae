"""Before the vote nothing on a screen of the review tells whose answer is whose, or what the judge said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.app.screens.review.sitting import Open, at, go_to, reviews, write
from tests.app.shop import AT, EXPERIMENT, fill, row
from tests.screens import shown, until
from textual import events
from textual.pilot import Pilot

from bothways.app.desk.review.veil import veiled
from bothways.app.desk.run.tally import tallies
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.state import Memory
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.app.screens.review import ReviewScreen
from bothways.engine.experiment import Judge, ReviewSettings, Variant
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.engine.lots import sides
from bothways.store import open_store
from bothways.widgets.rowview import CaseView, RowView, SideText, ToolsView
from bothways.widgets.tabs import TabBar

TELLS = ("zebra", "okapi", "lynx", "baseline", "candidate", "flip", "agreed", "tie", "rationale", "wins")
SIZES = ((80, 24), (160, 50))


def blind_row(number: int) -> ImportedRow:
    """Return a row whose variants, judge and reasons have names that stand nowhere else."""
    made = row(number)
    names = {"v4": "ZEBRA", "v5": "OKAPI"}
    return ImportedRow(
        made.case,
        tuple(ImportedAnswer(names[one.variant], one.answer) for one in made.answers),
        tuple(ImportedPass("LYNX", tuple(names[n] for n in one.shown), one.result) for one in made.passes),
    )


@pytest.fixture
def blind_db(tmp_path: Path) -> Path:
    experiment = EXPERIMENT.model_copy(
        update={
            "baseline": Variant(name="ZEBRA"),
            "candidates": (Variant(name="OKAPI"),),
            "judge": Judge(name="LYNX"),
            "review": ReviewSettings(high_stakes_tags=("refund",), blind=True),
        }
    )
    with open_store(tmp_path / "blind.db") as store:
        store.take(experiment, map(blind_row, range(12)), AT)
    return tmp_path / "blind.db"


def told(pilot: Pilot[Any]) -> list[str]:
    """Return the words that tell something and stand on the screen."""
    screen = shown(pilot.app).casefold().replace("because of order", "rationale")
    return [word for word in TELLS if word in screen]


async def opened(pilot: Pilot[Any], *keys: str, words: str, window: bool = False) -> None:
    """Press keys, wait for the words, in a window or with none open, and see that nothing is told."""
    await pilot.press(*keys)
    await until(
        pilot,
        lambda: words in shown(pilot.app) and isinstance(pilot.app.screen, ReviewScreen) is not window,
    )
    assert told(pilot) == [], shown(pilot.app)


def test_a_providers_error_that_names_its_model_is_not_told() -> None:
    side = SideText("OKAPI · candidate", "", "no answer · http_error: okapi-4 is overloaded")
    tools = ToolsView("ZEBRA", "OKAPI", state="broken", reasons=("breaks required: get_order",))
    view = RowView(side, SideText("ZEBRA · baseline", "hello"), (), tools, CaseView("r-1"), (), ())
    assert "okapi" not in str(veiled(view, ())).casefold()
    assert "breaks" not in str(veiled(view, ()))


async def next_tab(pilot: Pilot[Any]) -> None:
    bar = pilot.app.screen.query_one(TabBar)
    before = bar.active
    await pilot.press("tab")
    await until(pilot, lambda: bar.active != before)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_no_screen_tells_before_the_vote(desk: Open, blind_db: Path, size: tuple[int, int]) -> None:
    async with desk(blind_db).run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        for _ in range(8):
            await next_tab(pilot)
            assert told(pilot) == [], shown(pilot.app)
        await opened(pilot, "c", words="There is no verdict to confirm")
        await opened(pilot, "C", words="nothing can be confirmed")
        await opened(pilot, "B", words="This experiment is read blind · its spec says so")
        await opened(pilot, "d", "d", "x", "m", "m", "m", words="1/12")
        await opened(pilot, "u", words="nothing of yours to undo")
        await opened(pilot, "n", words="Note on r-00000", window=True)
        await opened(pilot, "h", "i", "enter", words="1/12")
        await opened(pilot, "s", words="Skip this row", window=True)
        await opened(pilot, "n", "o", "enter", words="r-00003")
        await opened(pilot, "u", words="r-00000")
        await opened(pilot, "g", words="Look at the gate?", window=True)
        await opened(pilot, "n", words="1/12")
        await opened(pilot, "o", words="In which order?", window=True)
        await opened(pilot, "escape", words="1/12")
        await opened(pilot, "f", words="Go to a row", window=True)
        await opened(pilot, "escape", words="1/12")
        for _ in range(3):
            await pilot.press("J")
            assert told(pilot) == [], shown(pilot.app)
        await opened(pilot, "ctrl+p", words="Search", window=True)
    assert [body["act"] for body in reviews(blind_db)] == ["note", "skip", "undo"]


async def test_the_history_says_that_what_happened_is_hidden_until_the_vote(
    desk: Open, blind_db: Path
) -> None:
    async with desk(blind_db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        bar = pilot.app.screen.query_one(TabBar)
        while bar.active != "history":
            await next_tab(pilot)
        await until(pilot, lambda: "what happened here  shown after your vote" in shown(pilot.app))
        assert "nothing has happened" not in shown(pilot.app)
        await pilot.press("e")
        await until(pilot, lambda: "judged, ZEBRA before OKAPI" in shown(pilot.app))
        assert "what happened here" not in shown(pilot.app)


def test_where_nothing_happened_nothing_is_said_to_be_hidden() -> None:
    side = SideText("OKAPI · candidate", "hello")
    view = RowView(side, side, (), ToolsView("ZEBRA", "OKAPI"), CaseView("r-1"), (), ())
    assert veiled(view, ()).history == ()


async def test_the_gate_asks_a_blind_reader_wherever_it_is_opened_from(desk: Open, blind_db: Path) -> None:
    async with desk(blind_db).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExperimentsScreen))
        await opened(pilot, "g", words="Look at the gate?", window=True)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExperimentsScreen))
        await opened(pilot, "g", words="Look at the gate?", window=True)
        await pilot.press("y")
        await until(pilot, lambda: "ZEBRA" in shown(pilot.app))


async def test_nothing_that_can_be_copied_or_searched_for_tells_before_the_vote(
    desk: Open, blind_db: Path
) -> None:
    app = desk(blind_db)
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        assert isinstance(app.screen, ReviewScreen)
        copies = [f"{copy.name} {copy.text}".casefold() for copy in app.screen.copies()]
        assert any("left answer" in copy for copy in copies)
        tells = {*TELLS, "cost_usd", "duration"} - {"tie"}
        assert not [word for word in tells for copy in copies if word in copy.replace("baseline_", "")]
        await opened(pilot, "y", words="Copy what?", window=True)
        await opened(pilot, "escape", words="1/12")
        for words in ("is:flip", "judge:okapi", "zebra", "final:candidate"):
            await pilot.press("slash", *["backspace"] * 20)
            app.post_message(events.Paste(words))
            await pilot.press("enter")
            await until(pilot, lambda: "no row matches" in shown(app))
            await pilot.press("escape")
            await until(pilot, lambda: at(pilot) != "")


async def test_the_vote_reveals_and_the_reader_goes_on_when_they_have_seen_it(
    desk: Open, blind_db: Path
) -> None:
    left, right = sides("plain line", "OKAPI", "r-00000", "kim")
    names = {"baseline": "ZEBRA", "candidate": "OKAPI"}
    async with desk(blind_db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        await pilot.press("h")
        await until(pilot, lambda: f"left is {names[left]}, right is {names[right]}" in shown(pilot.app))
        await until(pilot, lambda: "LYNX" not in shown(pilot.app) and "named OKAPI" in shown(pilot.app))
        await pilot.press("h")
        assert at(pilot) == "r-00000"
        await pilot.press("j")
        await until(pilot, lambda: at(pilot) == "r-00003")
        assert "left answer" in shown(pilot.app)
    (body,) = reviews(blind_db)
    assert (body["verdict"], body["left"], body["blind"]) == (left, left, True)


async def test_a_change_of_mind_after_the_reveal_is_recorded_as_one(desk: Open, blind_db: Path) -> None:
    async with desk(blind_db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        await pilot.press("e")
        await until(pilot, lambda: "left is" in shown(pilot.app))
        candidate = "h" if sides("plain line", "OKAPI", "r-00000", "kim")[0] == "candidate" else "l"
        await pilot.press(candidate)
        await until(pilot, lambda: len(reviews(blind_db)) == 2)
    one, two = reviews(blind_db)
    assert (one["verdict"], one["blind"], one["changed_mind"]) == ("tie", True, False)
    assert (two["verdict"], two["blind"], two["changed_mind"]) == ("candidate", False, True)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_key_hides_names_and_judge_until_it_is_pressed_again(
    desk: Open, db: Path, size: tuple[int, int]
) -> None:
    async with desk(db).run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B")
        await until(pilot, lambda: "left answer" in shown(pilot.app))
        assert "· blind" in shown(pilot.app)
        assert "sonnet" not in shown(pilot.app)
        assert "v5" not in shown(pilot.app)
        await pilot.press("B")
        await until(pilot, lambda: "v4 · baseline" in shown(pilot.app))
        assert "· blind" not in shown(pilot.app)


async def test_the_first_row_after_the_key_is_one_that_was_not_seen_with_names(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B")
        await until(pilot, lambda: at(pilot) not in ("", "r-00009"))
        await pilot.press("e")
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert reviews(db)[0]["blind"] is True


async def test_where_every_row_was_seen_with_names_that_is_said(desk: Open, tmp_path: Path) -> None:
    async with desk(fill(tmp_path / "two.db", 2)).run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00000")
        await pilot.press("J")
        await until(pilot, lambda: at(pilot) == "r-00001")
        await pilot.press("B")
        await until(pilot, lambda: "You have seen every row that waits" in shown(pilot.app))
        assert "seen before with its names: no vote on it is blind" in shown(pilot.app)


async def test_who_reads_blind_does_so_whenever_they_come_back_and_nobody_else_does(
    desk: Open, db: Path
) -> None:
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExperimentsScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "· blind" in shown(pilot.app))
    async with desk(db).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "· blind" in shown(pilot.app))
        assert "left answer" in shown(pilot.app)
    async with desk(db, reviewer="lee").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "v4 · baseline" in shown(pilot.app))
        assert at(pilot) == "r-00009"


async def test_who_chose_to_read_blind_before_they_had_a_name_still_does_with_one(
    desk: Open, db: Path
) -> None:
    async with desk(db, reviewer="").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B")
        await until(pilot, lambda: "left answer" in shown(pilot.app))
        await pilot.press("e")
        await write(pilot, "kim")
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert (reviews(db)[0]["reviewer"], reviews(db)[0]["blind"]) == ("kim", True)
    async with desk(db, reviewer="").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) != "")
        assert "left answer" not in shown(pilot.app)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_list_keeps_how_the_gate_stands_from_who_reads_blind(
    desk: Open, db: Path, size: tuple[int, int]
) -> None:
    async with desk(db, "experiments").run_test(size=size) as pilot:
        await until(pilot, lambda: "NEEDS REVIEW" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExperimentsScreen))
        assert "NEEDS REVIEW" not in shown(pilot.app)
        await until(pilot, lambda: "hidden while you read blind" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: at(pilot) != "")
        await pilot.press("B", "escape")
        await until(pilot, lambda: "NEEDS REVIEW" in shown(pilot.app))


def test_a_run_does_not_tell_either(blind_db: Path, tmp_path: Path) -> None:
    sitting = Sitting(blind_db, Memory(tmp_path / "memory.json"), "kim")
    assert tallies(sitting, Pairing("plain line")) == ["So far: hidden while you read blind"]


async def test_the_list_does_not_tell_of_an_experiment_that_is_blind_by_its_spec(
    desk: Open, blind_db: Path
) -> None:
    async with desk(blind_db, "experiments").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "hidden while you read blind" in shown(pilot.app))


async def test_what_was_seen_with_names_stays_seen_when_the_review_is_opened_again(
    desk: Open, db: Path
) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExperimentsScreen))
        await until(pilot, lambda: "plain line" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: at(pilot) == "r-00009")
        await pilot.press("B")
        await until(pilot, lambda: "left answer" in shown(pilot.app))
        go_to(pilot, "r-00009")
        await pilot.press("e")
        await until(pilot, lambda: len(reviews(db)) == 1)
    assert reviews(db)[0]["blind"] is False
