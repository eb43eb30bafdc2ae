"""A small window over a screen, whatever it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual import events
from textual.screen import ModalScreen

if TYPE_CHECKING:
    from bothways.widgets.entry import Entry
    from bothways.widgets.words import Words

__all__ = ["Dialog"]

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A small window. Keys that it has no use for do nothing behind it, and it says so."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > Vertical {
            width: 72; max-width: 95%; height: auto; max-height: 95%;
            padding: 1 2; border: round $primary; background: $surface;
        }
        & Static { height: auto; }
        & Words { height: 6; }
        & .dialog-title { text-style: bold; }
        & .dialog-hint { color: $text-muted; margin-top: 1; }
        & .dialog-error { color: $text-error; }
    }
    """
    WAITS = "This window is open: its keys stand at its foot."
    WRITTEN = False
    """Whether words are typed here, into the first field."""
    _ahead = ""
    _warned = False

    def typed_ahead(self, character: str) -> None:
        """Take a character that was typed at the window before it had the keys; a field of it gets it."""
        self._ahead += character
        if self.is_mounted:
            self._catch_up()

    def on_mount(self) -> None:
        """Take what was typed ahead."""
        self._catch_up()

    def _catch_up(self) -> None:
        ahead, self._ahead = self._ahead, ""
        entries = self._entries
        if ahead and entries:
            next((one for one in entries if one is self.focused), entries[0]).insert_text_at_cursor(ahead)

    def after_typing(self, act: Callable[[], object]) -> None:
        """Do something once all that was typed before its key has reached the field it was typed into."""
        (self.focused or self).call_later(act)

    @property
    def _entries(self) -> list[Entry | Words]:
        """The fields, in their order."""
        from bothways.widgets.entry import Entry  # here: the first paint of the desk does not wait for them
        from bothways.widgets.words import Words

        return [one for one in self.query("*") if isinstance(one, Entry | Words)]

    def on_key(self, event: events.Key) -> None:
        """Say why a key of the screen below does nothing; where words are typed, it is one of them."""
        if event.is_printable and event.key not in self.active_bindings:
            event.stop()
            if self.WRITTEN and event.character:
                self.typed_ahead(event.character)
            elif not self._warned:
                self._warned = True
                self.notify(self.WAITS)
