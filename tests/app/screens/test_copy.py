from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.screens import shown, until

from bothways.app.desk.copies import LIMIT, Copy, copies_of_row, free_path, save
from bothways.app.screens.copy import CopyMenu, copy_out
from bothways.app.shell.app import Desk
from bothways.widgets.rowview import CaseView, PassView, RowView, SideText, ToolsView

STORED = "a\tb\r\n[docs](http://a.b) \x1b]52;c;QUJD\x1b\\ \ud800 ```x"


def view(text: str = STORED, passes: tuple[PassView, ...] = ()) -> RowView:
    left, right = SideText("v4 · baseline", text), SideText("v5 · candidate", "other")
    return RowView(left, right, passes, ToolsView("v4", "v5"), CaseView("r-1", (("user", text),)), (), ())


def test_what_is_copied_is_what_is_stored() -> None:
    left = next(copies_of_row(view()))
    assert left.name == "the left answer: v4 · baseline"
    assert left.text == STORED
    assert left.clean == STORED.replace("\ud800", "\ufffd")


def test_a_row_without_passes_offers_no_reasons() -> None:
    assert "the judge's reasons" not in [copy.name for copy in copies_of_row(view())]
    one = PassView(("v4", "v5"), "first", "because")
    words = {copy.name: copy.text for copy in copies_of_row(view(passes=(one,)))}
    assert words["the judge's reasons"] == "v4 shown first, v5 second: first\nbecause"


def test_the_row_as_json_has_the_names_of_an_export_of_pairs() -> None:
    passes = (PassView(("v5", "v4"), "first", "because"), PassView(("v4", "v5"), "tie"))
    copy = next(copy for copy in copies_of_row(view("plain", passes)) if copy.ending == "json")
    assert json.loads(copy.text) == {
        "pair_id": "r-1",
        "prompt": [{"role": "user", "content": "plain"}],
        "a": {"model": "v4", "text": "plain"},
        "b": {"model": "v5", "text": "other"},
        "judgements": [
            {"shown_first": "B", "verdict": "B", "rationale": "because"},
            {"shown_first": "A", "verdict": "tie", "rationale": ""},
        ],
    }


def test_nothing_leaves_its_fence_in_markdown() -> None:
    copy = next(copy for copy in copies_of_row(view()) if copy.ending == "md")
    assert "````text" in copy.text
    assert "\x1b" not in copy.text


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    copy = Copy("x", "new")
    path = free_path(tmp_path, copy)
    save(copy, path)
    assert free_path(tmp_path, copy) != path
    with pytest.raises(FileExistsError):
        save(Copy("y", "newer"), path)
    assert path.read_text() == "new"


async def test_what_was_sent_is_not_said_to_have_arrived(
    db: Path, desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = desk(db)
    sent: list[str] = []
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", sent.append)
        await pilot.press("y")
        await until(pilot, lambda: "the left answer: v4 · baseline" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "sent to the terminal as OSC 52; whether it arrives" in shown(app))
    (sequence,) = [words for words in sent if "]52;" in words]
    assert base64.b64decode(sequence.split(";")[2].rstrip("\a")).startswith(b"word0 word1")


async def test_a_copy_is_saved_where_it_says(db: Path, desk: Callable[..., Desk]) -> None:
    app = desk(db, "gate")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        await pilot.press("y")
        await until(pilot, lambda: "the gate in words" in shown(app))
        await pilot.press("f")
        await until(pilot, lambda: "into a new file" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "saved in" in shown(app))
    assert (db.parent / "bothways-copy-1.txt").read_text(encoding="utf-8").startswith("! NEEDS REVIEW")


async def test_more_than_many_terminals_take_is_warned_of(db: Path, desk: Callable[..., Desk]) -> None:
    app = desk(db)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        copy = Copy("long", "x" * (LIMIT + 1))
        app.run_worker(copy_out(app, app.sitting, [copy]))
        await until(pilot, lambda: isinstance(app.screen, CopyMenu))
        await pilot.press("t")
        await until(pilot, lambda: "Many take 74 KB at most" in shown(app))


async def test_where_there_is_nothing_it_says_so(tmp_path: Path, desk: Callable[..., Desk]) -> None:
    app = desk(tmp_path / "none.db", "experiments")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("y")
        await until(pilot, lambda: "There is nothing to copy here" in shown(app))
