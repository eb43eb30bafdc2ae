"""One line to type into."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input

from bothways.engine.text import visible_line

__all__ = ["Entry"]


class Entry(Input):
    """An `Input` that takes enter in its turn among the letters.

    Textual lets enter bubble up to the app's bindings, so that what is typed right behind it would be part
    of what is submitted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Take what stands there", show=False, id="entry.take"),
        Binding(
            "ctrl+u", "delete_left_all", "Delete what is left of the cursor", show=False, id="entry.empty"
        ),
    ]

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(visible_line(text) or None, select_on_focus=False, id=id)
        self.set_reactive(Input.cursor_blink, False)
        self._was = text

    @property
    def words(self) -> str:
        """What stands there; a text that nobody touched is still what it was."""
        return self._was if self.value == visible_line(self._was) else self.value.strip()

    async def on_key(self, event: events.Key) -> None:
        """Submit what stands there at enter, and nothing that comes behind it."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()
