from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from tests.app.shop import AT, EXPERIMENT, fill, row
from tests.screens import shown, until
from textual import events
from textual.app import App

from bothways.app.desk.gate.look import GateLook, load
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import gate
from bothways.app.screens.review import ReviewScreen
from bothways.app.shell.app import Desk
from bothways.engine.analysis.gather import gather
from bothways.engine.experiment import ReviewSettings
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import State
from bothways.engine.review import Act, Said, act
from bothways.store import open_store
from bothways.widgets.conditions import Conditions
from bothways.widgets.sign import Sign
from bothways.widgets.tabs import TabBar

Open = Callable[..., Desk]


def review_everything(db: Path) -> None:
    """Say what is required, always for the candidate, and sign every tool difference."""
    with open_store(db) as store:
        evidence = gather(store, "plain line", today=AT)
        result = evaluate(evidence)
        for row in evidence.rows:
            if row.case_id in result.missing:
                body = act(store, evidence, result, row, Act.CANDIDATE, Said("kim", AT, reason="read it"))
                store.append("review", body, AT)
            if row.case_id in result.tool_diffs_unsigned:
                store.append("review", act(store, evidence, result, row, Act.TOOLS_OK, Said("kim", AT)), AT)


async def test_conditions_stand_with_state_rows_and_reason(desk: Open, db: Path) -> None:
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        screen = shown(pilot.app)
        assert "? UNKNOWN money paths" in screen
        assert "judge alone" in screen
        assert "two equal prompts would pass" in screen
        assert "nothing is signed yet" in screen


async def test_enter_opens_the_rows_behind_a_condition(desk: Open, db: Path) -> None:
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "tool discipline" in shown(pilot.app))
        await pilot.press("down", "down", "down")
        await until(pilot, lambda: "▸? UNKNOWN tool discipline" in shown(pilot.app))
        await pilot.press("enter")

        def opened() -> bool:
            screen = pilot.app.screen
            return isinstance(screen, ReviewScreen) and screen.session is not None

        await until(pilot, opened)
        screen = pilot.app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.session is not None
        assert {item.case_id for item in screen.session.work.items} == {"r-00006", "r-00014", "r-00022"}
        await pilot.press("escape")
        await until(pilot, lambda: "▸? UNKNOWN tool discipline" in shown(pilot.app))


async def test_signing_is_refused_at_once_while_reviews_are_missing(desk: Open, db: Path) -> None:
    async with desk(db, "gate").run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "Reviews are missing · 10 rows wait for a person" in shown(pilot.app))
        assert "your name" not in shown(pilot.app)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
async def test_who_signs_is_told_how_many_rows_somebody_has_read(
    desk: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    with open_store(tmp_path / "x.db") as store:
        store.take(EXPERIMENT.model_copy(update={"review": ReviewSettings()}), map(row, range(6)), AT)
        evidence = gather(store, "plain line", today=AT)
        agreed = next(one for one in evidence.rows if one.judged is not None)
        at_once = Said("kim", AT, bulk="confirm at once")
        store.append("review", act(store, evidence, evaluate(evidence), agreed, Act.CONFIRM, at_once), AT)
    async with desk(tmp_path / "x.db", "gate").run_test(size=size) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        told = "Read by reviewers: none of 6 rows, 1 confirmed in bulk, unread."
        await until(pilot, lambda: told in shown(pilot.app))


async def test_a_signed_decision_is_on_record_with_its_hash(desk: Open, db: Path) -> None:
    review_everything(db)
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "Sign: " in shown(pilot.app))
        await pilot.press(*"fine", "enter", *"as agreed", "ctrl+s")
        await until(pilot, lambda: "signed by kim?" in shown(pilot.app))
        await pilot.press("y")

        def recorded() -> bool:
            with open_store(db) as store:
                return len(store.records("plain line", "decision")) == 1

        await until(pilot, recorded)
        with open_store(db) as store:
            (record,) = store.records("plain line", "decision")
            assert store.broken() is None
        await until(
            pilot, lambda: f"signed by kim on {record.at[:10]}, {record.hash[:12]}" in shown(pilot.app)
        )
        await until(pilot, lambda: "stands: nothing has come in since" in shown(pilot.app))
        assert "Recorded just now" in shown(pilot.app)
        assert shown(pilot.app).count(record.hash) == 2  # just now, and among the decisions on record
        assert (record.body["reviewer"], record.body["note"]) == ("kim", "fine\nas agreed")

        with open_store(db) as store:
            evidence = gather(store, "plain line", today=AT)
            row = evidence.rows[1]
            store.append(
                "review", act(store, evidence, evaluate(evidence), row, Act.TIE, Said("ann", AT)), AT
            )
        await until(pilot, lambda: "superseded: SHIP, signed by kim" in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: "SHIP · superseded" in shown(pilot.app))


async def test_hostile_names_are_shown_as_they_stand(desk: Open, tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8, hostile="[/foo]\x1b[2J\u202e", name="[/bar]\x1b]0;x\x07")
    for screen in ("experiments", "review", "gate", "run"):
        async with desk(db, screen, name="[/bar]\x1b]0;x\x07").run_test(size=(160, 50)) as pilot:
            await until(pilot, lambda: "[/bar]␛]0;x␇" in shown(pilot.app))
            if screen == "review":
                await until(pilot, lambda: "[/foo]␛[2J\\u202e" in shown(pilot.app))
                await pilot.press("question_mark", "escape", "n", "escape", "tab", "tab", "tab", "tab")
            assert not {"\x1b", "\x07", "\u202e"} & set(shown(pilot.app))


async def test_enter_in_the_name_field_saves(desk: Open, db: Path) -> None:
    review_everything(db)
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "Sign: " in shown(pilot.app))
        await pilot.press("shift+tab", "enter")
        await until(pilot, lambda: "signed by kim?" in shown(pilot.app))


async def test_what_was_typed_faster_than_it_was_taken_is_in_the_note_that_is_signed(
    desk: Open, db: Path
) -> None:
    review_everything(db)
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "▸ note (may be empty" in shown(pilot.app))
        for letter in "all read":
            pilot.app.post_message(events.Key("space" if letter == " " else letter, letter))
        pilot.app.post_message(events.Key("ctrl+s", None))
        await until(pilot, lambda: "signed by kim?" in shown(pilot.app))
        assert "Note: all read" in shown(pilot.app)


async def test_a_name_that_is_known_stands_there_and_what_is_typed_is_the_note(desk: Open, db: Path) -> None:
    review_everything(db)
    with open_store(db) as store:
        number = len(store.records("plain line", "review")) + 1
    async with desk(db, "gate").run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "▸ note (may be empty" in shown(pilot.app))
        assert "  your name, as it is known here (enter signs)" in shown(pilot.app)
        await pilot.press("f", "shift+tab")
        await until(pilot, lambda: "▸ your name" in shown(pilot.app))
        await pilot.press("enter", "y")
        await until(pilot, lambda: f"record {number} of the reviews and decisions in" in shown(pilot.app))
    with open_store(db) as store:
        (record,) = store.records("plain line", "decision")
    assert (record.seq, record.body["reviewer"], record.body["note"]) == (number, "kim", "f")


async def test_what_changes_between_look_and_signature_is_refused_and_the_note_kept(
    desk: Open, db: Path
) -> None:
    review_everything(db)
    async with desk(db, "gate").run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "Sign: " in shown(pilot.app))
        await pilot.press(*"fine", "ctrl+s")
        await until(pilot, lambda: "signed by kim?" in shown(pilot.app))
        with open_store(db) as store:
            evidence = gather(store, "plain line", today=AT)
            body = act(store, evidence, evaluate(evidence), evidence.rows[1], Act.TIE, Said("ann", AT))
            store.append("review", body, AT)
        await pilot.press("y")
        await until(pilot, lambda: "The facts have changed" in shown(pilot.app))
        with open_store(db) as store:
            assert store.records("plain line", "decision") == []
        await pilot.press("s")
        await until(pilot, lambda: "Sign: " in shown(pilot.app) and "fine" in shown(pilot.app))


async def test_nothing_is_signed_without_a_name(desk: Open, db: Path) -> None:
    review_everything(db)
    async with desk(db, "gate", reviewer="").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "nothing is signed yet" in shown(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: "Sign: " in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "A decision needs a signature." in shown(pilot.app))


async def test_a_small_screen_has_everything_under_tabs(desk: Open, db: Path) -> None:
    async with desk(db, "gate").run_test(size=(80, 24)) as pilot:
        await until(
            pilot, lambda: "[condition]" in shown(pilot.app) and "enough evidence" in shown(pilot.app)
        )
        await pilot.press("tab")
        await until(pilot, lambda: "→ ✗ DO NOT SHIP  1 act" in shown(pilot.app))
        await pilot.press("tab")
        await until(pilot, lambda: "with people" in shown(pilot.app))
        await pilot.press("end")
        await until(pilot, lambda: "No decision is on record" in shown(pilot.app))
        await pilot.press("tab")
        await until(pilot, lambda: "[decisions]" in shown(pilot.app))
        await pilot.press("tab", "down", "down", "down")
        await until(pilot, lambda: "▸? UNKNOWN tool discipline" in shown(pilot.app))
        assert "r-00006" in shown(pilot.app)


async def test_pages_can_be_changed_before_anything_is_read(
    desk: Open, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def slow(sitting: Sitting, pairing: Pairing) -> GateLook:
        assert go_on.wait(60)
        return load(sitting, pairing)

    monkeypatch.setattr(gate, "load", slow)
    async with desk(db, screen="gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "reading" in shown(pilot.app))
        screen = pilot.app.screen
        assert isinstance(screen, gate.GateScreen)
        screen.query_one(TabBar).set_tabs((), "")  # as it is before the first layout
        screen.action_tab(1)
        await until(pilot, lambda: "[decisions]" in shown(pilot.app))
        go_on.set()
        await until(pilot, lambda: "No decision is on record" in shown(pilot.app))


async def test_the_reason_of_what_does_not_pass_is_whole_in_80_columns(desk: Open, db: Path) -> None:
    with open_store(db) as store:
        result = evaluate(gather(store, "plain line", today=AT))
    reasons = [one.detail for one in result.conditions if one.state is not State.PASS]
    async with desk(db, "gate").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "money paths" in shown(pilot.app))
        listed = shown(pilot.app).split("[condition]")[0]
        why = " ".join(" ".join(line[_WHY:].split()) for line in listed.splitlines()[3:])
        assert [reason for reason in reasons if reason not in why] == []


_WHY = 27
"""The column of the reasons in 80."""


async def test_the_cursor_steps_from_condition_to_condition_over_the_rest_of_their_reasons(
    desk: Open, db: Path
) -> None:
    async with desk(db, "gate").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "▸✓ PASS    complete" in shown(pilot.app))
        conditions = pilot.app.screen.query_one(Conditions)
        names = [one.name for one in conditions.views]
        for number in range(1, len(names)):
            await pilot.press("down" if number % 2 else "j")
            assert conditions.at == number
        await pilot.press("j", "down", "up", "k")
        assert conditions.at == len(names) - 3


async def test_j_and_k_look_at_conditions_while_a_page_has_the_arrows(desk: Open, db: Path) -> None:
    async with desk(db, "gate").run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "▸✓ PASS    complete" in shown(pilot.app))
        await pilot.press("w", "w", "j", "j", "k")
        await until(pilot, lambda: "▸? UNKNOWN win rate" in shown(pilot.app))


async def test_reasons_too_long_for_the_window_that_signs_end_visibly_in_it() -> None:
    app: App[None] = App()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Sign("Sign: DO NOT SHIP", "every reason has its words, " * 40))
        await until(pilot, lambda: "your name" in shown(app))
        above = shown(app).split("▸ your name")[0]
        assert "…" in above
