from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.app.shop import AT, EXPERIMENT, fill, row
from tests.screens import shown, until

from bothways.app.shell.app import Desk
from bothways.engine.experiment import ReviewSettings, Variant
from bothways.engine.facts import Answer, PassResult
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.store import open_store
from bothways.widgets.listing import Listing

Open = Callable[..., Desk]


@pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=str)
async def test_experiments_stand_with_rows_state_and_decision(
    desk: Open, db: Path, size: tuple[int, int]
) -> None:
    async with desk(db, "experiments").run_test(size=size) as pilot:
        await until(pilot, lambda: "! NEEDS REVIEW" in shown(pilot.app))
        assert "plain line" in shown(pilot.app)
        assert "complete" in shown(pilot.app)


async def test_an_empty_file_says_what_to_do_and_takes_every_key(desk: Open, tmp_path: Path) -> None:
    open_store(tmp_path / "empty.db").close()
    async with desk(tmp_path / "empty.db", "experiments").run_test(
        size=(80, 24), notifications=True
    ) as pilot:
        await until(pilot, lambda: "bothways demo" in shown(pilot.app))
        await pilot.press("enter", "v", "g", "r", "down", "end", "escape")
        await until(pilot, lambda: "bothways init" in shown(pilot.app))


async def test_looking_at_a_file_that_is_not_there_makes_none(desk: Open, tmp_path: Path) -> None:
    async with desk(tmp_path / "none.db", "experiments").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "bothways demo" in shown(pilot.app))
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "bothways init" in shown(pilot.app))
    assert not (tmp_path / "none.db").exists()


async def test_a_narrow_list_keeps_the_names_and_how_the_gates_stand(desk: Open, db: Path) -> None:
    async with desk(db, "experiments").run_test(size=(46, 12)) as pilot:
        await until(pilot, lambda: "! NEEDS REVIEW · not signed" in shown(pilot.app))
        assert "plain line" in shown(pilot.app)


async def test_a_screen_that_is_open_already_is_gone_back_to(desk: Open, db: Path) -> None:
    async with desk(db, "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "! NEEDS REVIEW" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "r-00009" in shown(pilot.app))
        for _ in range(2):
            await pilot.press("g")
            await until(pilot, lambda: "money paths" in shown(pilot.app))
            await pilot.press("v")
            await until(pilot, lambda: "other9" in shown(pilot.app))
        assert len(pilot.app.screen_stack) == 2


async def test_enter_opens_the_review_and_escape_comes_back(desk: Open, db: Path) -> None:
    async with desk(db, "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "! NEEDS REVIEW" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "r-00009" in shown(pilot.app))
        await pilot.press("g")
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "candidates" in shown(pilot.app))


async def test_pairs_that_no_judge_saw_are_reviewed_too(desk: Open, tmp_path: Path) -> None:
    with open_store(tmp_path / "x.db") as store:
        store.take(EXPERIMENT.model_copy(update={"judge": None}), [replace(row(0), passes=())], AT)
    async with desk(tmp_path / "x.db", "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "plain line" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "no judge" in shown(pilot.app) and "r-00000" in shown(pilot.app))


async def test_an_experiment_that_comes_in_later_appears(desk: Open, db: Path) -> None:
    async with desk(db, "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "! NEEDS REVIEW" in shown(pilot.app))
        fill(db, 8, name="newer")
        await until(pilot, lambda: "newer" in shown(pilot.app))


async def test_the_first_experiment_of_a_file_appears_by_itself(desk: Open, tmp_path: Path) -> None:
    async with desk(tmp_path / "later.db", "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "There is no experiment" in shown(pilot.app))
        fill(tmp_path / "later.db", 8, name="first of all")
        await until(pilot, lambda: "first of all" in shown(pilot.app))


async def test_a_key_pressed_before_the_list_is_there_acts_once_it_is(desk: Open, db: Path) -> None:
    app = desk(db, "experiments")
    async with app.run_test(size=(120, 30)) as pilot:
        app.simulate_key("g")
        await until(pilot, lambda: "money paths" in shown(app))


async def test_leaving_a_review_comes_back_to_its_experiment(desk: Open, db: Path) -> None:
    fill(db, 8, name="newer")
    async with desk(db).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "r-00009" in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: "▸plain line" in shown(pilot.app))


async def test_a_file_that_is_no_database_is_told_and_nothing_else_breaks(desk: Open, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database " * 100)
    app = desk(tmp_path / "text.db", "experiments")
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await until(pilot, lambda: "▌" in shown(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: "Keys: experiments" in shown(app))


async def test_the_palette_offers_what_the_keys_do(desk: Open, db: Path) -> None:
    async with desk(db).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "r-00009" in shown(pilot.app))
        await pilot.press("ctrl+p", *"screens")
        await until(pilot, lambda: "No matches found" in shown(pilot.app))
        await pilot.press("escape", "ctrl+p", *"both are")
        await until(pilot, lambda: "Both are unacceptable" in shown(pilot.app))
        await pilot.press("down", "enter")

        def saved() -> bool:
            with open_store(db) as store:
                return bool(store.records("plain line", "review"))

        await until(pilot, saved)


def test_nothing_heavy_is_imported_before_the_first_paint() -> None:
    """Screens and the database come after it: the app alone must not pull them in."""
    code = "import sys, bothways.app.shell.run; print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_env())
    loaded = set(ran.stdout.split())
    assert not loaded & {
        "pydantic",
        "sqlite3",
        "sqlite_utils",
        "httpx",
        "litellm",
        "numpy",
        "scipy",
        "rapidfuzz",
    }


def _env() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")}


def two_candidates(number: int) -> ImportedRow:
    """A row on which v5 wins both times, and v6 loses."""
    one = row(6 + 8 * number)
    better = (PassResult(1, "v5 is better."), PassResult(0, "v5 is better."))
    worse = (PassResult(0, "v4 is better."), PassResult(1, "v4 is better."))
    return replace(
        one,
        answers=(*one.answers, ImportedAnswer("v6", Answer("no"))),
        passes=tuple(
            ImportedPass("sonnet", shown, said)
            for name, results in (("v5", better), ("v6", worse))
            for shown, said in zip((("v4", name), (name, "v4")), results, strict=True)
        ),
    )


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """A file with one experiment of two candidates."""
    experiment = EXPERIMENT.model_copy(
        update={
            "candidates": (Variant(name="v5"), Variant(name="v6")),
            "review": ReviewSettings(require="never"),
        }
    )
    with open_store(tmp_path / "x.db") as store:
        store.take(experiment, [two_candidates(number) for number in range(12)], AT)
    return tmp_path / "x.db"


async def test_of_several_candidates_each_has_its_decision_and_one_is_chosen(
    desk: Open, several: Path
) -> None:
    async with desk(several, "experiments").run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "1 NEEDS REVIEW, 1 DO NOT SHIP" in shown(pilot.app))
        await pilot.press("g")
        await until(pilot, lambda: "v6  by sonnet  DO NOT SHIP" in shown(pilot.app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "v4 → v6" in shown(pilot.app) and "money paths" in shown(pilot.app))


async def test_of_several_candidates_those_that_are_read_blind_have_their_decision_hidden(
    desk: Open, several: Path
) -> None:
    app = desk(several, "experiments")
    app.sitting.set_blind("plain line", on=True)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "hidden while you read blind" in shown(app))
        await pilot.press("g")
        await until(pilot, lambda: "v5  by sonnet  hidden while you read blind" in shown(app))


async def test_sixty_experiments_are_listed_and_reached(desk: Open, tmp_path: Path) -> None:
    for number in range(60):
        fill(tmp_path / "x.db", 1, name=f"number {number:02}")
    async with desk(tmp_path / "x.db", "experiments").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "▸number 59" in shown(pilot.app))
        await pilot.press("end")
        await until(pilot, lambda: "▸number 00" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "number 00 ·" in shown(pilot.app) and "r-00000" in shown(pilot.app))


async def test_a_run_that_is_gone_is_running_no_more(desk: Open, tmp_path: Path) -> None:
    """Nothing is written when a worker is killed: the list finds out all the same."""
    db = fill(tmp_path / "x.db", 8)
    with open_store(db) as store:
        journal = store.run(store.specs("plain line")[0].id, {}, AT)
        await journal.__aenter__()
        async with desk(db, "experiments").run_test(size=(120, 30)) as pilot:
            await until(pilot, lambda: "running" in shown(pilot.app))
            journal._lock.free()  # what the operating system does for a process that was killed
            await until(pilot, lambda: "running" not in shown(pilot.app))
        await journal._writer.close()


async def test_j_and_k_go_from_experiment_to_experiment(desk: Open, db: Path) -> None:
    with open_store(db) as store:
        store.take(EXPERIMENT.model_copy(update={"name": "another"}), [row(1)], AT)
    async with desk(db, "experiments").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "another" in shown(pilot.app) and "plain line" in shown(pilot.app))
        listing = pilot.app.screen.query_one(Listing)
        for key, at in (("j", 1), ("j", 1), ("k", 0)):
            await pilot.press(key)
            assert listing.cursor == at
