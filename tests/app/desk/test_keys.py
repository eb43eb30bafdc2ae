from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.screen import Screen

from bothways.app.desk.gate.words import decisions_page
from bothways.app.desk.keys import KEYS, SHIPPED, Place, pressed, remap, shown
from bothways.app.desk.new.draft import Draft
from bothways.app.desk.new.pages import explain, form_lines, page
from bothways.app.desk.new.precheck import Checked
from bothways.app.desk.run.remedies import next_step
from bothways.app.screens.bindings import bindings, hints
from bothways.app.screens.experiments import ExperimentsScreen
from bothways.app.screens.gate import GateScreen
from bothways.app.screens.help import help_page
from bothways.app.screens.new import NewScreen
from bothways.app.screens.review import ReviewScreen
from bothways.app.screens.run import RunScreen
from bothways.engine.facts import FailureKind

SCREENS: dict[Place, type[Screen[None]]] = {
    "experiments": ExperimentsScreen,
    "new": NewScreen,
    "run": RunScreen,
    "review": ReviewScreen,
    "gate": GateScreen,
}


def test_every_place_but_everywhere_has_a_screen() -> None:
    assert set(SCREENS) == set(KEYS) - {"everywhere"}


def test_ids_are_unique() -> None:
    ids = [key.id for keys in KEYS.values() for key in keys]
    assert len(ids) == len(set(ids))


def test_no_sentence_names_a_key_as_it_came_where_a_person_has_others() -> None:
    own = [f"{held}+f{number}" for held in ("ctrl", "alt", "shift", "ctrl+alt") for number in range(1, 13)]
    ids = [key.id for keys in SHIPPED.values() for key in keys]
    remap({id: own[n % len(own)] for n, id in enumerate(ids)})
    try:
        draft, checked = Draft({}, Path()), Checked()
        lines = [*decisions_page([]), explain(None, checked, 0, editing=False)]
        for one in form_lines(draft):
            lines.append(explain(one.field, checked, 2, editing=False))
        for name in ("check", "changes", "cases", "file"):
            lines += page(name, draft, checked)
        said = ["".join(run.text for run in line) for line in lines]
        said += [next_step(kind) for kind in FailureKind] + [key.label for key in KEYS["review"]]
    finally:
        remap({})
    shipped = {shown(name) for keys in SHIPPED.values() for key in keys for name in key.keys.split(",")}
    named = shipped - {"a", "enter", "tab", "left", "delete", "backspace", ":", "/", *"1234"}
    assert [
        words for words in said if named & set(re.findall(r"[^\s,;.:()]+", words.replace("e.g.", "")))
    ] == []


@pytest.mark.parametrize("place", SCREENS)
def test_no_key_means_two_things_in_one_place(place: Place) -> None:
    keys = [one for key in (*KEYS[place], *KEYS["everywhere"]) for one in key.keys.split(",")]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("place", SCREENS)
def test_a_screen_binds_what_the_table_says(place: Place) -> None:
    assert bindings(place) == SCREENS[place].BINDINGS


@pytest.mark.parametrize("place", SCREENS)
def test_every_action_exists(place: Place) -> None:
    acting = {key: key.action.split("(")[0] for key in (*KEYS[place], *KEYS["everywhere"])}
    own = {key: name for key, name in acting.items() if not name.startswith("app.")}
    assert own
    assert [key for key, name in own.items() if not hasattr(SCREENS[place], f"action_{name}")] == []


@pytest.mark.parametrize("place", SCREENS)
def test_a_footer_has_at_most_seven_keys_and_fits_80_columns(place: Place) -> None:
    foot = hints(place)
    assert len(foot) <= 7
    assert cell_len("".join(f" {hint.key} {hint.label} " for hint in foot)) <= 80
    assert foot[-1].id == "desk.help"


@pytest.mark.parametrize("place", SCREENS)
def test_help_lists_every_key(place: Place) -> None:
    page = "\n".join("".join(run.text for run in line) for line in help_page(place))
    for key in (*KEYS[place], *KEYS["everywhere"]):
        assert f"{key.shown}" in page
        assert key.label in page


@pytest.mark.parametrize(
    ("written", "name"),
    [("?", "question_mark"), ("/", "slash"), ("esc", "escape"), ("U", "U"), ("ctrl+r", "ctrl+r"),
     ("f5", "f5"), ("-", "minus"), ("+", "plus"), ("ñ", "ñ"), ("space", "space")],
)  # fmt: skip
def test_a_key_is_written_as_people_write_it(written: str, name: str) -> None:
    assert pressed(written) == name
    assert shown(name) == written


@pytest.mark.parametrize("written", ["", " ", "hyper+x", "ctrl+", "\x1b", "f99", "ab"])
def test_what_is_no_key_is_none(written: str) -> None:
    assert pressed(written) is None


def test_the_names_of_keys_are_textuals() -> None:
    from textual.keys import _character_to_key

    assert {pressed(c) for c in string.punctuation} == {_character_to_key(c) for c in string.punctuation}


@pytest.mark.parametrize("place", SCREENS)
def test_everything_can_be_done_with_a_key_that_no_terminal_swallows(place: Place) -> None:
    for key in (*KEYS[place], *KEYS["everywhere"]):
        plain = [one for one in key.keys.split(",") if "+" not in one]
        assert plain or key.keys == "shift+tab", key  # tab alone goes round to every page
