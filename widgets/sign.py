"""The window in which a person signs: a name and a note of as many lines as it takes."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from bothways.engine.text import excerpt, visible
from bothways.widgets.dialogs import Filled
from bothways.widgets.entry import Entry
from bothways.widgets.plain import plain

__all__ = ["Sign"]

_EXPLAINED = 600
"""Characters of why it is as it is: the page behind the window has all of it."""


class Sign(ModalScreen[Filled]):
    """Asks for name and note, in this order; escape leaves and hands back the draft."""

    DEFAULT_CSS = """
    Sign {
        align: center middle;
        & > Vertical {
            width: 76; max-width: 95%; height: auto; max-height: 95%;
            padding: 0 2; border: round $primary; background: $surface;
        }
        & Static { height: auto; }
        & TextArea { height: 5; }
        & .sign-title { text-style: bold; }
        & .sign-hint { color: $text-muted; }
        & .sign-error { color: $text-error; }
        & #explain { max-height: 4; }
    }
    """
    AUTO_FOCUS = "Input"
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
            yield Static(plain(excerpt(self._title, 200)), classes="sign-title")
            yield Static(plain(excerpt(self._explain, _EXPLAINED)), id="explain")
            yield Static("your name")
            yield Entry(name)
            yield Static("note (may be empty; enter begins a new line)")
            area = TextArea(visible(note))
            area.cursor_blink = False
            yield area
            yield Static("", id="sign-error", classes="sign-error")
            yield Static(
                "ctrl+s signs, and so does enter in the name · tab next field · escape leaves",
                classes="sign-hint",
            )

    @property
    def _filled(self) -> tuple[str, str]:
        return self.query_one(Input).value.strip(), self.query_one(TextArea).text.strip()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Sign by the name as it stood at enter: what was typed behind it is no part of it."""
        event.stop()
        with self.prevent(Input.Changed):
            self.query_one(Input).value = event.value
        self.action_save()

    def action_save(self) -> None:
        """Close with what was written; a decision needs a name."""
        if not self._filled[0]:
            self.query_one("#sign-error", Static).update("A decision needs a signature.")
            self.query_one(Input).focus()
            return
        self.dismiss(Filled(self._filled, saved=True))

    def action_leave(self) -> None:
        """Close without signing."""
        self.dismiss(Filled(self._filled, saved=False))
