"""The window in which a person signs: a name and a note of as many lines as it takes."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from bothways.engine.text import excerpt
from bothways.widgets.dialog import Dialog
from bothways.widgets.dialogs import Filled
from bothways.widgets.entry import Entry
from bothways.widgets.stock import plain
from bothways.widgets.words import Words

__all__ = ["Sign"]

_EXPLAINED = 240
"""Characters of why it is as it is, which its four rows hold: the page behind the window has all of it."""


class Sign(Dialog[Filled]):
    """Asks for name and note; escape leaves and hands back the draft.

    Who is known begins with the note, and their name stands above it: typed there it would spoil the name.
    """

    DEFAULT_CSS = """
    Sign {
        & > Vertical { width: 76; padding: 0 2; }
        & Words { height: 5; }
        & .dialog-hint { margin-top: 0; }
        & #explain { max-height: 4; }
    }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="sign.leave"),
        Binding("ctrl+s", "save", "Sign", id="sign.save", priority=True),
    ]

    def __init__(self, title: str, explain: str, name: str = "", note: str = "") -> None:
        super().__init__()
        self._title = title
        self._explain = explain
        self._draft = (name, note)

    def compose(self) -> ComposeResult:
        """Lay out the title, the two fields and the keys."""
        name, note = self._draft
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            yield Static(plain(excerpt(self._explain, _EXPLAINED)), id="explain")
            yield Static(id="of-name")
            yield Entry(name)
            yield Static(id="of-note")
            yield Words(note)
            yield Static("", id="dialog-error", classes="dialog-error")
            yield Static("ctrl+s signs · tab next field · escape leaves", classes="dialog-hint")

    def on_mount(self) -> None:
        """Begin where something is still to be written."""
        self.set_focus(self.query_one(Words if self._draft[0] else Entry))

    def on_descendant_focus(self) -> None:
        """Point at the field that has the keys: nobody is to write a note into the name."""
        name = "your name, as it is known here" if self._draft[0] else "your name"
        named = isinstance(self.focused, Input)
        for id, words, here in (
            ("#of-name", f"{name} (enter signs)", named),
            ("#of-note", "note (may be empty; enter begins a new line)", not named),
        ):
            self.query_one(id, Static).update(f"{'▸' if here else ' '} {words}")

    @property
    def _filled(self) -> tuple[str, str]:
        return self.query_one(Entry).words.strip(), self.query_one(Words).words.strip()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Sign by the name as it stood at enter: what was typed behind it is no part of it."""
        event.stop()
        with self.prevent(Input.Changed):
            self.query_one(Input).value = event.value
        self._save()

    def action_save(self) -> None:
        """Close with what was written."""
        self.after_typing(self._save)

    def _save(self) -> None:
        """Close; a decision needs a name."""
        if not self._filled[0]:
            self.query_one("#dialog-error", Static).update("A decision needs a signature.")
            self.query_one(Input).focus()
            return
        self.dismiss(Filled(self._filled, saved=True))

    def action_leave(self) -> None:
        """Close without signing."""
        self.dismiss(Filled(self._filled, saved=False))
