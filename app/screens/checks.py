"""What the screen of a new experiment finds out about its draft, again and again, in threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.screens.latest import Latest

if TYPE_CHECKING:
    from bothways.app.screens.new import NewScreen

__all__ = ["Checks"]


class Checks:
    """Looks at the files around and checks the draft, as often as either may have changed."""

    def __init__(self, screen: NewScreen) -> None:
        self._screen = screen
        self._making = screen.making
        self._whole = False
        self._stamp: tuple[int, ...] = ()
        self._look = Latest(lambda job: screen.later("check", job), self._check, pause_s=0.2)

    def ask(self) -> None:
        """Check and remember the draft as soon as there is time."""
        self._look.ask()

    def watch(self) -> None:
        """Check again what somebody edits elsewhere."""
        if self._screen.is_current and (stamp := self._making.stamp()) != self._stamp:
            self._stamp = stamp
            self.ask()

    def look_around(self, *, whole: bool = False) -> None:
        """Look at all files around; `whole` reads large ones too, from then on."""
        self._whole = self._whole or whole
        self._screen.later("around", self._around())

    async def _around(self) -> None:
        found = await self._screen.apart(self._making.look_around)
        self._making.found = found or self._making.found
        self._screen.changed()

    async def _check(self) -> None:
        draft, whole = self._making.draft.copy(), self._whole
        checked = await self._screen.apart(lambda: self._making.check(draft, all_of_it=whole))
        self._making.remember()
        if checked is not None:
            self._making.checked = checked
            self._screen.show()
