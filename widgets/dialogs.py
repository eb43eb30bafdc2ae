"""Small windows that ask: a few words, or yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from bothways.engine.text import excerpt, visible_line
from bothways.widgets.listing import Column, Listing
from bothways.widgets.plain import Run, plain

__all__ = ["Ask", "Choose", "Confirm", "Field", "Filled"]

_CSS = """
{name} {{
    align: center middle;
    & > Vertical {{
        width: 72; max-width: 95%; height: auto; max-height: 95%;
        padding: 1 2; border: round $primary; background: $surface;
    }}
    & Static {{ height: auto; }}
    & .dialog-title {{ text-style: bold; }}
    & .dialog-hint {{ color: $text-muted; margin-top: 1; }}
    & .dialog-error {{ color: $text-error; }}
}}
"""


_EXPLAINED = 2_000
_LINES = 12
"""Characters and lines that a dialog explains at most: it is laid out whole, unlike a page."""


def _cut(text: str) -> str:
    cut = "\n".join(text[:_EXPLAINED].split("\n", _LINES)[:_LINES])
    return cut if cut == text else cut + "…"


@dataclass(frozen=True, slots=True)
class Field:
    """One line to fill in. `required` is what to say when it is left empty; "" where it may be."""

    label: str
    value: str = ""
    required: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """What was written. `saved` is False where the window was left: the words are a draft then."""

    values: tuple[str, ...]
    saved: bool


class Ask(ModalScreen[Filled]):
    """Asks for a few lines of text. Enter saves from any of them; escape leaves, and hands back the draft."""

    DEFAULT_CSS = _CSS.format(name="Ask")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", id="dialog.leave")]

    def __init__(self, title: str, fields: Sequence[Field], explain: str = "") -> None:
        super().__init__()
        self._title = title
        self._fields = tuple(fields)
        self._explain = explain

    def compose(self) -> ComposeResult:
        """Lay out the title, the fields and the keys."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            if self._explain:
                yield Static(plain(_cut(self._explain)))
            for field in self._fields:
                yield Static(plain(excerpt(field.label, 200)))
                entry = Input(visible_line(field.value))
                entry.cursor_blink = False
                yield entry
            yield Static("", id="dialog-error", classes="dialog-error")
            more = "tab next field · " if len(self._fields) > 1 else ""
            yield Static(f"enter saves · {more}escape leaves", classes="dialog-hint")

    @property
    def _values(self) -> tuple[str, ...]:
        return tuple(entry.value.strip() for entry in self.query(Input))

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        event.stop()
        for entry, field in zip(self.query(Input), self._fields, strict=True):
            if field.required and not entry.value.strip():
                self.query_one("#dialog-error", Static).update(plain(excerpt(field.required, 200)))
                entry.focus()
                return
        self.dismiss(Filled(self._values, saved=True))

    def action_leave(self) -> None:
        """Close without saving."""
        self.dismiss(Filled(self._values, saved=False))


class Confirm(ModalScreen[bool]):
    """Asks before what is hard to take back."""

    DEFAULT_CSS = _CSS.format(name="Confirm")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="dialog.yes"),
        Binding("n,escape", "answer(False)", "No", id="dialog.no"),
    ]

    def __init__(self, title: str, explain: str = "") -> None:
        super().__init__()
        self._title = title
        self._explain = explain

    def compose(self) -> ComposeResult:
        """Lay out the question and the keys."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            if self._explain:
                yield Static(plain(_cut(self._explain)))
            yield Static("y yes · n or escape no", classes="dialog-hint")

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)


class Choose(ModalScreen[int | None]):
    """Asks which of several is meant."""

    DEFAULT_CSS = (
        _CSS.format(name="Choose")
        + """
    Choose Listing { height: 12; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", id="dialog.leave")]

    def __init__(self, title: str, choices: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)

    def compose(self) -> ComposeResult:
        """Lay out the choices."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            listing = Listing((Column(""),), id="choices")
            listing.show([(Run(choice),) for choice in self._choices])
            yield listing
            yield Static("enter chooses · escape leaves", classes="dialog-hint")

    @on(Listing.Chosen)
    def _chosen(self, event: Listing.Chosen) -> None:
        event.stop()
        self.dismiss(event.row)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
