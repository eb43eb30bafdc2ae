from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.drafts import whole
from tests.app.shop import AT
from tests.loopback.behaviours import says
from tests.loopback.provider import judging, provider
from tests.screens import shown, until
from textual.pilot import Pilot

from bothways.app.desk.new.draft import Draft
from bothways.app.screens.new import NewScreen
from bothways.app.shell.app import Desk
from bothways.engine.spec.load import load_spec
from bothways.store import open_store

Open = Callable[..., Desk]
SOURCE = Path(__file__).parents[3] / "src"
SIZES = [(80, 24), (160, 50)]


@pytest.fixture
def here(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new project, in which the desk is opened; its worker finds the package."""
    monkeypatch.chdir(shop)
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    return shop


def draft(app: Desk) -> Draft:
    screen = app.screen
    assert isinstance(screen, NewScreen)
    return screen.making.draft


async def opened(pilot: Pilot[None], key: str = "n") -> None:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, NewScreen))
    await until(pilot, lambda: "to mend" in shown(pilot.app) or "calls" in shown(pilot.app))


def foot_line(app: Desk) -> str:
    return shown(app).splitlines()[-1]


def foot(app: Desk) -> str:
    return " ".join(foot_line(app).split())


def fill(app: Desk, values: Draft) -> None:
    screen = app.screen
    assert isinstance(screen, NewScreen)
    screen.making.draft.fill(values.values)
    screen.changed()


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_an_experiment_is_made_by_keyboard_alone_and_nothing_is_spent(
    desk: Open, here: Path, size: tuple[int, int]
) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: "makes one here" in shown(app))
        await opened(pilot)
        await pilot.press("enter", *"mine", "tab", *"mine.yaml", "enter")
        await pilot.press("c")
        await until(pilot, lambda: "Experiment: cases" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: draft(app).values.get("cases") == "cases.jsonl")
        await pilot.press(*["down"] * 5, "enter", *"v1", "enter", "down", "enter", *"m1", "enter")
        await pilot.press("down", "enter", *"prompts/v1.md", "enter")
        await pilot.press(*["down"] * 3, "enter", *"v2", "enter", *["down"] * 3)
        await pilot.press("enter", *"prompts/v2.md", "enter", *["down"] * 4, "enter", *"m2", "enter")
        await until(pilot, lambda: "✓ v2: one change · 16 calls" in shown(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "s starts it" in shown(app))
    experiment, _ = load_spec(here / "mine.yaml")
    assert [one.name for one in experiment.variants] == ["v1", "v2"]
    with open_store(here / "x.db") as store:
        assert store.experiments() == ["mine"]
        assert not store.runs("mine")


async def test_letters_are_text_while_a_line_is_filled_in_and_keys_before_and_after(
    desk: Open, here: Path
) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", *"qoabdcX?")
        await until(pilot, lambda: draft(app).values.get("name") == "qoabdcX?")
        await pilot.press("escape", "a")
        await until(pilot, lambda: draft(app).values.get("candidates") == "2")
        assert draft(app).values["name"] == "qoabdcX?"


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_footer_tells_the_keys_that_work_where_one_types(
    desk: Open, here: Path, size: tuple[int, int]
) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: foot(app).endswith("esc leave, what is typed stays"))
        assert foot(app).startswith("enter take it tab fill in next ctrl+u empty")
        await pilot.press("escape")
        await until(pilot, lambda: foot(app).endswith("esc back ? help"))


async def test_a_click_on_a_key_of_the_entry_does_what_the_key_does(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", *"half")
        await pilot.click("KeyBar", offset=(foot_line(app).index("esc") + 1, 0))
        await until(pilot, lambda: foot(app).endswith("? help"))
        await pilot.press("enter")
        await until(pilot, lambda: "ctrl+u" in foot(app))
        await pilot.click("KeyBar", offset=(foot_line(app).index("ctrl+u") + 1, 0))
        await until(pilot, lambda: "name" not in draft(app).values)
        await pilot.press(*"whole")
        await pilot.click("KeyBar", offset=(1, 0))
        await until(pilot, lambda: "▸  spec file" in shown(app))
        assert draft(app).values["name"] == "whole"


async def test_tab_fills_in_line_after_line_over_the_names_of_parts_and_back(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", *["tab"] * 6, *"v4", "shift+tab", *"earlier")
        await until(pilot, lambda: draft(app).values.get("follows") == "earlier")
        assert draft(app).values["baseline.name"] == "v4"
        await pilot.press(*["shift+tab"] * 9, *"x")
        await until(pilot, lambda: draft(app).values.get("name") == "x")


async def test_whoever_only_looks_makes_no_file(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await opened(pilot)
        fill(app, whole(here))
        await until(pilot, lambda: "16 calls" in shown(app))
        await pilot.press("b")
        await until(pilot, lambda: "There are no answers in this file" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, NewScreen))
    assert not list(here.glob("x.db*"))


async def test_escape_steps_outwards_and_the_draft_survives_a_restart(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", *"half", "escape")
        assert isinstance(app.screen, NewScreen)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, NewScreen))
    again = desk(here / "x.db", "experiments")
    async with again.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "name             half" in shown(again))


async def test_escape_steps_from_a_page_to_the_form_first(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: "[check]" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "[form]" in shown(app) and "▸" in shown(app))


async def test_a_line_is_filled_in_where_it_can_be_seen(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: "[check]" in shown(app))
        await pilot.press("enter", *"seen")
        await until(pilot, lambda: "[form]" in shown(app) and "name             seen" in shown(app))


async def test_a_window_that_shrinks_keeps_the_form(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(160, 50)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "[check]" in shown(app) and "spec file" in shown(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "[form]" in shown(app) and "spec file" in shown(app))
        await pilot.resize_terminal(160, 50)
        await until(pilot, lambda: "[check]" in shown(app) and "To mend" in shown(app))


async def test_answers_that_are_stored_become_the_baseline(desk: Open, here: Path) -> None:
    with open_store(here / "x.db") as store:
        store.add(*load_spec(here / "experiment.yaml"), AT)
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "short answers" in shown(app))
        await opened(pilot)
        await pilot.press("b")
        await until(pilot, lambda: "v2  of short answers, 4 rows" in shown(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: draft(app).values.get("baseline.name") == "v2")
        assert draft(app).values["baseline.prompt_text"].startswith("You answer customers")


async def test_the_draft_is_on_disk_before_the_screen_is_left(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", *"half")
        memory = app.sitting.memory.path
        await until(pilot, lambda: '"half"' in memory.read_text(encoding="utf-8"))


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_every_page_says_its_part(desk: Open, here: Path, size: tuple[int, int]) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        fill(app, whole(here))
        await until(pilot, lambda: "one change" in shown(app))
        if size[0] < 110:
            await pilot.press("tab")
        await until(pilot, lambda: "31.2 % of" in shown(app) and "cost: at least 0.00" in shown(app))
        await pilot.press("tab")
        await until(pilot, lambda: "-Be helpful and explain everything" in shown(app))
        assert "prompt line 4" in shown(app)
        await pilot.press("tab")
        await until(pilot, lambda: "first case: where-is-it" in shown(app))
        assert "I ordered a kettle" in shown(app)
        await pilot.press("tab")
        await until(pilot, lambda: "# Try it:" in shown(app))


async def test_what_is_wrong_stands_at_its_line_and_keeps_it_from_being_saved(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        broken = whole(here)
        broken.put("baseline.prompt", "nowhere.md")
        fill(app, broken)
        await until(pilot, lambda: "1 to mend" in shown(app) and "✗ prompt" in shown(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Not saved" in shown(app))
        assert not (here / "x.yaml").exists()
        with open_store(here / "x.db") as store:
            assert not store.experiments()


@pytest.mark.parametrize("answer", ["y", "n"])
async def test_a_file_is_written_over_only_when_somebody_says_so(desk: Open, here: Path, answer: str) -> None:
    (here / "x.yaml").write_text("# mine\n", encoding="utf-8")
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        fill(app, whole(here))
        await until(pilot, lambda: "one change" in shown(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Write over x.yaml?" in shown(app))
        await pilot.press(answer)
        if answer == "y":
            await until(pilot, lambda: "s starts it" in shown(app))
        else:
            await until(pilot, lambda: isinstance(app.screen, NewScreen))
            assert draft(app).values["name"] == "x"
    kept = (here / "x.yaml").read_text(encoding="utf-8") == "# mine\n"
    assert kept == (answer == "n")


async def test_a_spec_that_is_there_is_chosen_by_name_and_stored_as_it_is(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    text = (here / "experiment.yaml").read_bytes()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("enter", *"mine", "escape", "o")
        await until(pilot, lambda: "experiment.yaml  short answers" in shown(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "✓ v2: one change" in shown(app))
        await pilot.press("a", "enter")
        await until(pilot, lambda: "is used as it is" in shown(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "s starts it" in shown(app))
        await pilot.press("escape")
        await opened(pilot)
        assert draft(app).values == {"name": "mine"}
    assert (here / "experiment.yaml").read_bytes() == text


async def test_an_edit_of_a_prompt_elsewhere_is_seen(desk: Open, here: Path) -> None:
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(160, 50)) as pilot:
        await opened(pilot)
        fill(app, whole(here))
        await until(pilot, lambda: "v2: one change" in shown(app))
        same = (here / "prompts" / "v1.md").read_bytes()
        (here / "prompts" / "v2.md").write_bytes(same)
        os.utime(here / "prompts" / "v2.md", ns=(1, 1))
        await until(pilot, lambda: "v2: 0 changes" in shown(app))


async def test_hostile_file_names_and_texts_are_shown_as_marks(desk: Open, here: Path) -> None:
    hostile = '{"id": "\\u001b[2J", "input": "[/b]"}\n'
    (here / "\x1b]52;c;QQ\x07[b]foo.jsonl").write_text(hostile, encoding="utf-8")
    app = desk(here / "x.db", "experiments")
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await opened(pilot)
        fill(app, whole(here))
        await pilot.press("down", "down", "c")
        await until(pilot, lambda: "␛]52;c;QQ␇[b]foo.jsonl" in shown(app))
        await pilot.press("home", "enter")  # the list opens at what is chosen now
        await until(pilot, lambda: "one change" in shown(app) and "\x1b" in draft(app).values["cases"])
        await pilot.press("tab", "tab")
        await until(pilot, lambda: "first case: ␛[2J" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be typed" in shown(app))
        assert "\x1b" not in shown(app)


async def test_an_experiment_that_follows_one_runs_what_is_missing_alone(desk: Open, here: Path) -> None:
    async with provider(
        judging('{"winner": "tie", "rationale": "same"}', says(lambda body: f"Said: {body['messages']}"))
    ) as server:
        path = here / "experiment.yaml"
        spec = path.read_text(encoding="utf-8")
        for model in ("openai/gpt-4o-mini        #", "anthropic/claude-sonnet-4-5\n"):
            name = "judge" if model.startswith("anthropic") else "m"
            end = "\n" if model.endswith("\n") else " #"
            spec = spec.replace(f"model: {model}", f"model: {name}\n  endpoint: {server.url}{end}")
        path.write_text(spec, encoding="utf-8")
        with open_store(here / "x.db") as store:
            store.add(*load_spec(path), AT)
        app = desk(here / "x.db", "experiments")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "short answers" in shown(app))
            await pilot.press("r")
            await until(pilot, lambda: "s starts it" in shown(app))
            await pilot.press("s")
            await until(pilot, lambda: shown(app).count("8 of 8") == 2, within_s=60)
            await until(pilot, lambda: app.sitting.workers["short answers"].ended == 0, within_s=30)
            await pilot.press("escape")
            (here / "prompts" / "v3.md").write_text("Be kind.", encoding="utf-8")
            await opened(pilot, "f")
            await until(pilot, lambda: "no calls" in shown(app))
            assert draft(app).values["follows"] == "short answers"
            draft(app).put("candidates[0].prompt", "prompts/v3.md")
            await pilot.press("ctrl+s")
            await until(pilot, lambda: "short answers 2 · run" in shown(app) and "s starts it" in shown(app))
            before = len(server.requests)
            await pilot.press("s")
            await until(pilot, lambda: app.sitting.workers["short answers 2"].ended == 0, within_s=60)
            assert len(server.requests) - before == 4 + 8
