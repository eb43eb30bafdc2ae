"""The one table of keys. Bindings, footer, `?` help, palette and `--plain` are made of it; people remap.

It knows no Textual, so that a review without a screen means the same by the same letters.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

__all__ = ["KEYS", "SHIPPED", "Key", "Place", "clashes", "key_named", "press", "pressed", "remap", "shown"]

Place: TypeAlias = Literal["experiments", "new", "run", "review", "gate", "everywhere"]


@dataclass(frozen=True, slots=True)
class Key:
    """One thing a person can do: the id that a key map names, the keys, the action and the words.

    `foot` puts it into the footer, with a word of its own where `label` is too long.
    """

    id: str
    keys: str
    action: str
    label: str
    foot: str = ""

    @property
    def shown(self) -> str:
        """The first key, as people write it."""
        return shown(self.keys.split(",")[0])


def _name(character: str) -> str:
    """Return what Textual calls the key of a character."""
    if character.isalnum():
        return character
    name = unicodedata.name(character).lower().replace("-", "_").replace(" ", "_")
    return _OTHERWISE.get(name, name)


_OTHERWISE = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
_SHOWN = {"escape": "esc", **{_name(character): character for character in string.punctuation}}
_NAMED = {
    "backspace", "delete", "down", "end", "enter", "home", "insert", "left", "pagedown", "pageup", "right",
    "space", "tab", "up", *_SHOWN, *(f"f{number}" for number in range(1, 13)),
}  # fmt: skip


def shown(key: str) -> str:
    """Return a key's name as people write it."""
    return _SHOWN.get(key, key)


def pressed(written: str) -> str | None:
    """Return the name of a key as people write it (`?`, `esc`, `ctrl+r`); None where there is no such key."""
    if len(written) == 1:
        return _name(written) if written.isprintable() and written != " " else None
    *held, key = written.split("+")
    key = "escape" if key == "esc" else key
    known = key in _NAMED or (len(key) == 1 and key.isalnum())
    return "+".join([*held, key]) if known and set(held) <= {"ctrl", "alt", "shift"} else None


KEYS: dict[Place, tuple[Key, ...]] = {
    "experiments": (
        Key("experiments.review", "v", "review", "Review the rows", "review"),
        Key("experiments.gate", "g", "gate", "Look at the gate", "gate"),
        Key("experiments.run", "r", "run", "Run, or watch the run", "run"),
        Key("experiments.new", "n", "new", "Make a new experiment", "new"),
        Key("experiments.follow", "f", "follow", "New experiment that follows this one"),
        Key("experiments.next", "j", "step(1)", "Next experiment"),
        Key("experiments.previous", "k", "step(-1)", "Previous experiment"),
        Key("experiments.reload", "ctrl+l,L", "reload", "Read the file again"),
    ),
    "new": (
        Key("new.edit", "enter", "edit", "Fill in the line", "fill in"),
        Key("new.choose", "c", "ask('choose')", "Choose from what there is", "choose"),
        Key("new.page", "tab", "page(1)", "Next page: what it takes, what changes, cases, file", "page"),
        Key("new.page_back", "shift+tab", "page(-1)", "Previous page"),
        Key("new.save", "ctrl+s,S", "ask('save')", "Save it, and go to its run", "save"),
        Key("new.use", "o", "ask('use')", "Use a spec that is there, or the form again", "open"),
        Key("new.stored", "b", "ask('stored')", "Baseline: answers that are in this file already"),
        Key("new.add", "a", "change('add')", "One more candidate"),
        Key("new.remove", "d", "change('remove')", "Take away the candidate of this line"),
        Key("new.empty", "delete,backspace", "change('empty')", "Empty the line"),
        Key("new.fresh", "X", "ask('fresh')", "Throw the draft away"),
        Key("new.again", "ctrl+l,L", "again", "Look at all files again, and read large ones"),
    ),
    "run": (
        Key("run.start", "s", "order('start')", "Start, or go on with what is missing", "start"),
        Key("run.pause", "p", "order('pause')", "Pause or resume", "pause"),
        Key("run.stop", "x", "order('stop')", "Stop cleanly", "stop"),
        Key("run.retry", "f", "order('retry')", "Try again what failed", "retry failed"),
        Key("run.review", "v", "review", "Review the rows", "review"),
        Key("run.gate", "g", "gate", "Look at the gate", "gate"),
        Key("run.pane", "tab,w", "app.focus_next", "To the errors and back; enter opens the rows of a kind"),
    ),
    "review": (
        Key("review.left", "h,1", "say('left')", "The left answer is better", "left"),
        Key("review.right", "l,2", "say('right')", "The right answer is better", "right"),
        Key("review.equal", "e,3", "say('equal')", "They are equally good", "equal"),
        Key("review.both_bad", "b,4", "say('both bad')", "Both are unacceptable (counts as equal)"),
        Key("review.confirm", "c", "say('confirm')", "The judge is right", "confirm"),
        Key(
            "review.confirm_all",
            "C",
            "ask('confirm all')",
            "Confirm the judge on all rows shown, after one question",
            "all shown",
        ),
        Key("review.skip", "s", "ask('skip')", "Skip this row, with a reason"),
        Key("review.note", "n", "ask('note')", "Write a note"),
        Key("review.note_editor", "N", "ask('note in editor')", "Write a note in your editor"),
        Key("review.tools", "t", "ask('tools')", "Sign the difference in tool calls"),
        Key(
            "review.undo",
            "u",
            "say('undo')",
            "Undo the last act, wherever it was; a bulk act as a whole",
            "undo",
        ),
        Key("review.redo", "U,ctrl+r", "say('redo')", "Redo the last undone act"),
        Key("review.next_open", "j", "step(1, True)", "Next undecided row", "next"),
        Key("review.previous_open", "k", "step(-1, True)", "Previous undecided row"),
        Key("review.next", "J", "step(1, False)", "Next row"),
        Key("review.previous", "K", "step(-1, False)", "Previous row"),
        Key("review.onwards", "enter", "turn('onwards')", "Go on after what a blind vote revealed", "go on"),
        Key("review.filter", "slash", "ask('filter')", "Show only some rows"),
        Key("review.order", "o", "ask('order')", "Put the rows into another order"),
        Key("review.find", "f", "ask('find')", "Go to a row by its name"),
        Key(
            "review.blind",
            "B",
            "turn('blind')",
            "Hide names and the judge until you vote, or show them",
            "blind",
        ),
        Key("review.differences", "d", "panes('differences')", "Differences: by word, as one text, off"),
        Key("review.markdown", "M", "panes('markdown')", "Answers rendered as Markdown, or as they stand"),
        Key("review.swap", "x", "turn('swap')", "Swap the sides"),
        Key("review.maximise", "m", "panes('maximise')", "Left alone, right alone, both"),
        Key("review.tab", "tab", "panes('next tab')", "Next tab"),
        Key("review.tab_back", "shift+tab", "panes('previous tab')", "Previous tab"),
        Key("review.pane", "w", "app.focus_next", "Into the next pane"),
        Key("review.gate", "g", "ask('gate')", "Look at the gate"),
    ),
    "gate": (
        Key("gate.sign", "s", "sign", "Sign the decision", "sign"),
        Key("gate.next", "j", "step(1)", "Next condition"),
        Key("gate.previous", "k", "step(-1)", "Previous condition"),
        Key("gate.tab", "tab", "tab(1)", "Next page: condition, change, figures, decisions", "page"),
        Key("gate.tab_back", "shift+tab", "tab(-1)", "Page before"),
        Key("gate.pane", "w", "app.focus_next", "Into the next pane", "pane"),
        Key("gate.review", "v", "review", "Review the rows", "review"),
        Key("gate.run", "r", "run", "Run, or watch the run"),
    ),
    "everywhere": (
        Key("desk.back", "escape", "back", "One step outwards", "back"),
        Key("desk.help", "question_mark", "help", "The keys of this place", "help"),
        Key("desk.copy", "y", "copy", "Copy, or save to a file"),
        Key("desk.palette", "colon,ctrl+p", "app.command_palette", "Everything by name"),
        Key("desk.redraw", "R", "redraw", "Paint the screen anew"),
        Key("desk.quit", "q,ctrl+q", "leave", "Leave the desk"),
    ),
}
"""For each screen what it can do, and what can be done everywhere."""


SHIPPED = dict(KEYS)
"""The table as it comes, before anybody's own keys."""


def remap(own: Mapping[str, str]) -> None:
    """Put a person's own keys into the table, by id; all others are as they came."""
    for place, keys in SHIPPED.items():
        KEYS[place] = tuple(replace(key, keys=own.get(key.id, key.keys)) for key in keys)


def clashes(own: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each of `own` that takes a key which means something else there: both ids, and the key."""
    for place, keys in SHIPPED.items():
        here = keys if place == "everywhere" else (*keys, *SHIPPED["everywhere"])
        taken: dict[str, str] = {}
        for id, key in ((one.id, name) for one in here for name in own.get(one.id, one.keys).split(",")):
            other = taken.setdefault(key, id)
            if other != id:
                yield (id, other, key) if id in own else (other, id, key)


def key_named(id: str) -> Key:
    """Return the key with this id; KeyError where there is none."""
    return {key.id: key for keys in KEYS.values() for key in keys}[id]


def press(id: str) -> str:
    """Return what a sentence calls the key with this id: the one that this person presses."""
    return key_named(id).shown
