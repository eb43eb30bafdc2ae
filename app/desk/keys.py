"""The one table of keys. Bindings, footer, `?` help, palette and `--plain` are made of it; people remap.

It knows no Textual, so that a review without a screen means the same by the same letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["KEYS", "Key", "Place", "key_named", "shown"]

Place: TypeAlias = Literal["experiments", "run", "review", "gate", "everywhere"]


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


_SHOWN = {
    "question_mark": "?",
    "slash": "/",
    "escape": "esc",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}


def shown(key: str) -> str:
    """Return a key's name as people write it."""
    return _SHOWN.get(key, key)


KEYS: dict[Place, tuple[Key, ...]] = {
    "experiments": (
        Key("experiments.review", "v", "review", "Review the rows", "review"),
        Key("experiments.gate", "g", "gate", "Look at the gate", "gate"),
        Key("experiments.run", "r", "run", "Run, or watch the run", "run"),
        Key("experiments.reload", "ctrl+l", "reload", "Read the file again"),
    ),
    "run": (
        Key("run.start", "s", "start", "Start, or go on with what is missing", "start"),
        Key("run.pause", "p", "pause", "Pause or resume", "pause"),
        Key("run.stop", "x", "stop", "Stop cleanly", "stop"),
        Key("run.retry", "f", "retry", "Try again what failed", "retry failed"),
        Key("run.review", "v", "review", "Review the rows", "review"),
        Key("run.gate", "g", "gate", "Look at the gate", "gate"),
    ),
    "review": (
        Key("review.left", "h,1", "verdict('left')", "The left answer is better", "left"),
        Key("review.right", "l,2", "verdict('right')", "The right answer is better", "right"),
        Key("review.equal", "e,3", "verdict('equal')", "They are equally good", "equal"),
        Key("review.both_bad", "b,4", "verdict('both bad')", "Both are unacceptable"),
        Key("review.confirm", "c", "act('confirm')", "The judge is right", "confirm"),
        Key("review.skip", "s", "ask('skip')", "Skip this row, with a reason"),
        Key("review.note", "n", "ask('note')", "Write a note"),
        Key("review.tools", "t", "ask('tools')", "Sign the difference in tool calls"),
        Key("review.undo", "u", "act('undo')", "Undo the last act, wherever it was", "undo"),
        Key("review.redo", "U,ctrl+r", "act('redo')", "Redo the last undone act"),
        Key("review.next_open", "j", "step(1, True)", "Next undecided row", "next"),
        Key("review.previous_open", "k", "step(-1, True)", "Previous undecided row"),
        Key("review.next", "J", "step(1, False)", "Next row"),
        Key("review.previous", "K", "step(-1, False)", "Previous row"),
        Key("review.filter", "slash", "ask('filter')", "Show only some rows"),
        Key("review.differences", "d", "panes('differences')", "Differences: by word, as one text, off"),
        Key("review.markdown", "M", "panes('markdown')", "Answers rendered as Markdown, or as they stand"),
        Key("review.swap", "x", "swap", "Swap the sides"),
        Key("review.maximise", "m", "panes('maximise')", "Left alone, right alone, both"),
        Key("review.tab", "tab", "panes('next tab')", "Next tab"),
        Key("review.tab_back", "shift+tab", "panes('previous tab')", "Previous tab"),
        Key("review.pane", "w", "app.focus_next", "Into the next pane"),
        Key("review.gate", "g", "gate", "Look at the gate"),
    ),
    "gate": (
        Key("gate.sign", "s", "sign", "Sign the decision", "sign"),
        Key("gate.pane", "tab,w", "app.focus_next", "Into the next pane", "pane"),
        Key("gate.review", "v", "review", "Review the rows", "review"),
        Key("gate.run", "r", "run", "Run, or watch the run"),
    ),
    "everywhere": (
        Key("desk.back", "escape", "back", "One step outwards", "back"),
        Key("desk.help", "question_mark", "help", "The keys of this place", "help"),
        Key("desk.palette", "ctrl+p", "app.command_palette", "Everything by name"),
        Key("desk.quit", "q,ctrl+q", "leave", "Leave the desk"),
    ),
}
"""For each screen what it can do, and what can be done everywhere."""


def key_named(id: str) -> Key:
    """Return the key with this id; KeyError where there is none."""
    return {key.id: key for keys in KEYS.values() for key in keys}[id]
