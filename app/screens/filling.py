"""What the keys of the form do to a draft without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from bothways.app.desk.keys import press
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from bothways.app.screens.new import NewScreen

__all__ = ["Change", "Filling"]

Change: TypeAlias = Literal["add", "remove", "empty"]


class Filling:
    """Fills in the draft of a screen, line by line and candidate by candidate."""

    def __init__(self, screen: NewScreen) -> None:
        self._screen = screen
        self._draft = screen.making.draft

    def only_the_form(self) -> bool:
        """Say so where a spec is used as it is, and nothing can be filled in."""
        if used := self._draft.used:
            title = f"{used} is used as it is"
            self._screen.notify(f"{press('new.use')} goes back to the form.", title=title)
        return bool(used)

    def do(self, change: Change) -> None:
        """Change the draft where there is a form to be changed."""
        if not self.only_the_form():
            {"add": self._add, "remove": self._remove, "empty": self._empty}[change]()

    def open(self, step: int) -> None:
        """Open the line under the cursor; from the name of a part go on by `step`."""
        field, form = self._screen.field, self._screen.form
        if self.only_the_form():
            return
        if field is None:
            form.action_close(step if form.cursor else 1)
        elif field.choices:
            self._screen.action_ask("choose")
        elif visible_line(value := self._draft.value(field)) != value:
            words = "It has lines or characters that cannot be typed: choose a file, or empty it."
            self._screen.notify(words)
        else:
            form.edit(value, self._screen.making.choices(field))

    def _add(self) -> None:
        number = self._draft.add_candidate()
        self._screen.changed()
        self._screen.go_to(f"candidates[{number}].name")

    def _remove(self) -> None:
        number = self._screen.field.candidate if self._screen.field else None
        if number is None:
            self._screen.notify("The cursor stands on no candidate.")
            return
        if not self._draft.remove_candidate(number):
            self._screen.notify("There is one candidate at least: this one is empty now.")
        self._screen.changed()

    def _empty(self) -> None:
        if self._screen.field is not None:
            self._draft.put(self._screen.field.path, "")
            self._screen.changed()
