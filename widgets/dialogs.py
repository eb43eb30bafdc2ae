"""Small windows that ask: a few words, or yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static, TextArea

from bothways.engine.text import excerpt, visible_line
from bothways.widgets.columns import Column
from bothways.widgets.dialog import Dialog
from bothways.widgets.entry import Entry
from bothways.widgets.listing import Listing
from bothways.widgets.plain import Run
from bothways.widgets.stock import plain
from bothways.widgets.words import Words

__all__ = ["Ask", "Choose", "Confirm", "Field", "Filled", "Find"]

_EXPLAINED = 2_000
_LINES = 12
"""Characters and lines that a dialog explains at most: it is laid out whole, unlike a page."""


def _cut(text: str) -> str:
    cut = "\n".join(text[:_EXPLAINED].split("\n", _LINES)[:_LINES])
    return cut if cut == text else cut + "…"


@dataclass(frozen=True, slots=True)
class Field:
    """A text to fill in. `required` is what to say when it is left empty; "" where it may be.

    It has as many lines as `value` needs: what one line could not show as it is gets several.
    """

    label: str
    value: str = ""
    required: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """What was written. `saved` is False where the window was left: the words are a draft then."""

    values: tuple[str, ...]
    saved: bool


class Ask(Dialog[Filled]):
    """Asks for a few texts. Enter saves from any single line, ctrl+s from all; escape hands back the draft.

    `edit` opens a longer text elsewhere and returns it, or None where that failed; with it ctrl+e does so.
    `drafted` is told of every change, so that what was begun outlives whatever ends the window.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="dialog.leave"),
        Binding("ctrl+s", "save", "Save", id="dialog.save", priority=True),
        Binding("ctrl+e", "edit", "In your editor", id="dialog.edit", priority=True),
    ]
    WAITS = "Words are asked for: enter saves, escape leaves and keeps them as a draft."
    WRITTEN = True

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        explain: str = "",
        *,
        edit: Callable[[str], str | None] | None = None,
        drafted: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self._title = title
        self._fields = tuple(fields)
        self._explain = explain
        self._edit = edit
        self._drafted = drafted

    def compose(self) -> ComposeResult:
        """Lay out the title, the fields and the keys."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            if self._explain:
                yield Static(plain(_cut(self._explain)))
            for field in self._fields:
                yield Static(plain(excerpt(field.label, 200)))
                yield Entry(field.value) if visible_line(field.value) == field.value else Words(field.value)
            yield Static("", id="dialog-error", classes="dialog-error")
            more = "tab next field · " if len(self._fields) > 1 else ""
            more += "ctrl+e your editor · " if self._edit else ""
            short = all(visible_line(field.value) == field.value for field in self._fields)
            saves = "enter saves" if short else "ctrl+s saves · enter begins a new line"
            yield Static(f"{saves} · {more}escape leaves", classes="dialog-hint")

    @property
    def _values(self) -> tuple[str, ...]:
        """What stands in the fields."""
        return tuple(entry.words for entry in self._entries)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        if self._drafted is not None:
            self._drafted(self._values[0])

    def action_edit(self) -> None:
        """Go on in an editor; what comes back from there is saved."""
        self.after_typing(self._edit_elsewhere)

    def _edit_elsewhere(self) -> None:
        if self._edit is None:
            return
        text = self._edit(self._values[0])
        if text:
            self.dismiss(Filled((text, *self._values[1:]), saved=True))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Save the line as it stood at enter: what was typed behind it is no part of it."""
        event.stop()
        with self.prevent(Input.Changed):
            event.input.value = event.value
        self._save()

    def action_save(self) -> None:
        """Close with what was written, unless something is missing."""
        self.after_typing(self._save)

    def _save(self) -> None:
        for entry, field in zip(self._entries, self._fields, strict=True):
            if field.required and not entry.words.strip():
                self.query_one("#dialog-error", Static).update(plain(excerpt(field.required, 200)))
                entry.focus()
                return
        self.dismiss(Filled(self._values, saved=True))

    def action_leave(self) -> None:
        """Close without saving."""
        self.dismiss(Filled(self._values, saved=False))


class Confirm(Dialog[bool]):
    """Asks before what is hard to take back."""

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


class Choose(Dialog[int | None]):
    """Asks which of several is meant."""

    DEFAULT_CSS = """
    Choose Listing { height: 12; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", id="dialog.leave")]

    def __init__(self, title: str, choices: Sequence[str], at: int = 0) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._at = at

    def compose(self) -> ComposeResult:
        """Lay out the choices."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            listing = Listing((Column(""),), id="choices")
            listing.show([(Run(choice),) for choice in self._choices], self._at)
            yield listing
            yield Static("enter chooses · escape leaves", classes="dialog-hint")

    @on(Listing.Chosen)
    def _chosen(self, event: Listing.Chosen) -> None:
        event.stop()
        self.dismiss(event.row)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


_FOUND = 200
"""Names that are listed at most: who finds theirs not among them types a letter more."""


_ENOUGH = 12
"""Names that hold what was typed, from which on none that are merely like it are looked for: that is slow."""


class Find(Dialog[str | None]):
    """Asks which of many names is meant: letters narrow the list, the best match stands first."""

    DEFAULT_CSS = """
    Find Listing { height: 12; }
    """
    WRITTEN = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="dialog.leave"),
        Binding("down,ctrl+n", "move(1)", "Next", id="dialog.next", priority=True),
        Binding("up,ctrl+p", "move(-1)", "Previous", id="dialog.previous", priority=True),
    ]

    def __init__(self, title: str, names: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._names = names
        self._found: list[str] = list(names[:_FOUND])

    def compose(self) -> ComposeResult:
        """Lay out the field and the list."""
        with Vertical():
            yield Static(plain(excerpt(self._title, 200)), classes="dialog-title")
            yield Entry()
            listing = Listing((Column(""),), empty=((Run("no name is like that", "muted"),),), id="names")
            listing.can_focus = False
            yield listing
            yield Static("enter goes there · up and down choose · escape leaves", classes="dialog-hint")

    def on_mount(self) -> None:
        """Show what there is."""
        self._list()

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        event.stop()
        self._found = _like(event.value.strip(), self._names)
        self._list()

    def _list(self) -> None:
        self.query_one(Listing).show([(Run(name),) for name in self._found], 0)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._found:
            self.dismiss(self._found[self.query_one(Listing).cursor])

    @on(Listing.Chosen)
    def _chosen(self, event: Listing.Chosen) -> None:
        event.stop()
        self.dismiss(self._found[event.row])

    def action_move(self, by: int) -> None:
        """Choose another of the names."""
        self.query_one(Listing).action_move(by)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


def _like(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that are like a text: those that hold it first, in their order."""
    if not text:
        return list(names[:_FOUND])
    folded = text.casefold()
    holds = [name for name in names if folded in name.casefold()][:_FOUND]
    if len(holds) >= _ENOUGH or len(text) < 2:
        return holds
    from rapidfuzz import fuzz, process  # here: the first paint does not wait for it

    alike = process.extract(
        text, names, scorer=fuzz.partial_ratio, processor=str.casefold, limit=20, score_cutoff=70
    )
    return list(dict.fromkeys([*holds, *(name for name, _, _ in alike)]))
