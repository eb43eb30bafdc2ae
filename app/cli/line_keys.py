"""What can be typed in the review without a screen: the keys of the desk that need none."""

from __future__ import annotations

from typing import Literal

from bothways.app.desk.keys import Key as DeskKey
from bothways.app.desk.keys import key_named, shown
from bothways.app.desk.review.order import ORDERS
from bothways.app.desk.review.session import Key
from bothways.engine.review import Act

__all__ = ["ACTS", "BACK", "STEPS", "TOOLS", "VERDICTS", "key_ids", "listed"]

VERDICTS: dict[str, Key] = {
    "review.left": "left", "review.right": "right", "review.equal": "equal", "review.both_bad": "both bad",
}  # fmt: skip
ACTS = {"review.confirm": Act.CONFIRM, "review.skip": Act.SKIP, "review.note": Act.NOTE}
BACK: dict[str, Literal["undo", "redo"]] = {"review.undo": "undo", "review.redo": "redo"}
TOOLS = {"ok": Act.TOOLS_OK, "bad": Act.TOOLS_BAD}
STEPS: dict[str, tuple[Literal[1, -1], bool]] = {
    "review.next_open": (1, True), "review.previous_open": (-1, True), "review.next": (1, False),
    "review.previous": (-1, False),
}  # fmt: skip
_MORE = {
    "review.tools": ": {key} ok, or {key} bad", "review.skip": ": {key} why",
    "review.filter": ": {key} words", "review.find": ": {key} name",
    "review.order": f": {{key}} with one of {', '.join(ORDERS)}",
    "review.confirm_all": ": {key} says how many, {key} yes does it",
}  # fmt: skip
"""What is typed behind a key."""
_HERE = (
    *VERDICTS, *ACTS, "review.note_editor", "review.confirm_all", "review.tools", *BACK, *STEPS,
    "review.filter", "review.order", "review.find", "review.blind", "review.swap", "desk.help", "desk.quit",
)  # fmt: skip
"""What the table of keys has that needs no screen."""


def key_ids() -> dict[str, str]:
    """Return the id of the key that each letter stands for."""
    return {letter: id for id in _HERE for letter in _letters(key_named(id))}


def listed() -> str:
    """Return the keys that work here, one a line, from the desk's table."""
    lines = []
    for id in _HERE:
        key = key_named(id)
        lines.append(f"  {' or '.join(_letters(key))}  {key.label}{_MORE.get(id, '').format(key=key.shown)}")
    return "\n".join(lines)


def _letters(key: DeskKey) -> list[str]:
    """Return what a key is called here: what can be typed into a line."""
    names = [shown(name) for name in key.keys.split(",")]
    return [name for name in names if len(name) == 1] or names
