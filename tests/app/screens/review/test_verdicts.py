"""What a verdict key saves, what it asks for first, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.screens.review.sitting import Open, at, go_to, ready, reviews, write
from tests.screens import shown, until


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
        go_to(pilot, "r-00003")
        await pilot.press("c")
        await until(pilot, lambda: at(pilot) != "r-00003")
    assert [(body["case"], body["act"], body["verdict"]) for body in reviews(db)] == [
        ("r-00003", "confirm", "baseline")
    ]


async def test_an_override_asks_for_a_reason_and_takes_none_without(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        go_to(pilot, "r-00003")
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


async def test_both_bad_has_one_name_and_says_that_it_counts_as_a_tie(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(200, 60)) as pilot:
        await ready(pilot)
        await pilot.press("b", "K", "shift+tab")
        await until(pilot, lambda: "kim: both bad (counts as a tie)" in shown(pilot.app))
        await until(pilot, lambda: "verdict: both bad (counts as a tie)" in shown(pilot.app))
        queue = [line[:57] for line in shown(pilot.app).splitlines() if "r-00009" in line[:57]]
        assert any("both bad" in line for line in queue)


async def test_a_skip_needs_its_reason(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "Skip this row" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "whoever comes next wants to know" in shown(pilot.app))
    assert reviews(db) == []


async def test_a_tool_difference_is_signed(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        go_to(pilot, "r-00014")
        await pilot.press("tab", "t")
        await until(pilot, lambda: "What do you say" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "signed ok by kim" in shown(pilot.app))
    assert [(body["act"], body["signed"]) for body in reviews(db)] == [("tools", "ok")]


async def test_without_a_name_it_is_asked_for_and_then_used(desk: Open, db: Path) -> None:
    async with desk(db, reviewer="").run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await pilot.press("l")
        await until(pilot, lambda: "Who reviews?" in shown(pilot.app))
        await write(pilot, "ann")
        await until(pilot, lambda: at(pilot) == "r-00018")
    assert reviews(db)[0]["reviewer"] == "ann"


async def test_the_gate_line_changes_as_verdicts_are_saved(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "win rate 9 of 15" in shown(pilot.app))
        await pilot.press("l")
        await until(pilot, lambda: "win rate 10 of 16" in shown(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: "win rate 9 of 15" in shown(pilot.app))
