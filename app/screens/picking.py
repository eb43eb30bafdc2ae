"""What the screen of a new experiment asks before it does something: what is meant, or whether it may."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from bothways.app.desk.keys import press
from bothways.app.desk.new.saving import stands_in_the_way, write_spec
from bothways.app.desk.sitting import Pairing
from bothways.app.screens import go
from bothways.engine.text import counted
from bothways.widgets.dialogs import Choose, Confirm

if TYPE_CHECKING:
    from bothways.app.screens.new import NewScreen

__all__ = ["Picking", "Question"]

Question: TypeAlias = Literal["choose", "use", "stored", "fresh", "save"]


class Picking:
    """Asks, and changes the draft of a screen or saves it."""

    def __init__(self, screen: NewScreen) -> None:
        self._screen = screen
        self._making = screen.making

    def ask(self, what: Question) -> None:
        """Ask what is meant by a key, and do it."""
        asking = {
            "choose": self._choose, "use": self._use, "stored": self._stored, "fresh": self._fresh,
            "save": self._save,
        }[what]  # fmt: skip
        self._screen.later("ask", asking())

    async def follow(self, earlier: str) -> None:
        """Begin with all of an earlier experiment, under another name."""
        values = await self._screen.apart(lambda: self._making.following(earlier))
        if values is not None and await self._may_replace(f"Follow {earlier}"):
            self._making.draft.fill(values)
            self._screen.changed()

    async def _pick(self, title: str, choices: list[str], at: int = 0) -> int | None:
        return await self._screen.app.push_screen_wait(Choose(title, choices, at))

    async def _may_replace(self, title: str) -> bool:
        """Ask before a draft is lost; an empty one is nothing to lose."""
        if not self._making.draft.values:
            return True
        name = self._making.draft.values.get("name", "without a name")
        sure = Confirm(f"{title}?", f"The draft {name} is thrown away for it.")
        return await self._screen.app.push_screen_wait(sure)

    async def _choose(self) -> None:
        field = self._screen.field
        choices = list(self._making.choices(field)) if field else []
        if field is None or not choices:
            self._screen.notify(f"There is nothing to choose from here: {press('new.edit')} types.")
            return
        value = self._making.draft.value(field)
        at = choices.index(value) if value in choices else 0
        if (chosen := await self._pick(f"{field.section}: {field.label}", choices, at)) is not None:
            self._making.draft.put(field.path, choices[chosen])
            self._screen.changed()

    async def _use(self) -> None:
        found = await self._screen.apart(self._making.look_around)
        self._making.found = found or self._making.found
        specs = self._making.found.specs
        folder = self._making.draft.folder
        words = [f"{path.relative_to(folder)}  {name}" for path, name in specs]
        chosen = await self._pick("What is run?", ["what the form says", *words])
        if chosen is not None:
            self._making.draft.use(specs[chosen - 1][0] if chosen else None)
            self._screen.changed()

    async def _stored(self) -> None:
        stored = await self._screen.apart(self._making.stored)
        if not stored:
            self._screen.notify("There are no answers in this file that could be used again.")
            return
        words = [f"{one.variant.name}  of {one.experiment}, {counted(one.rows, 'row')}" for one in stored]
        if (chosen := await self._pick("Whose answers are the baseline?", words)) is not None:
            self._making.use_stored(stored[chosen])
            self._screen.changed()
            self._screen.go_to("baseline.name")

    async def _fresh(self) -> None:
        if await self._may_replace("Begin again"):
            self._making.draft.fill({})
            self._screen.changed()
            self._screen.go_to("name")

    async def _save(self) -> None:
        """Check everything once more, write the spec, store it, and go to its run."""
        draft = self._making.draft.copy()
        checked = await self._screen.apart(lambda: self._making.check(draft, all_of_it=True))
        if checked is None:
            return
        self._making.checked = checked
        self._screen.show()
        if checked.problems:
            self._screen.go_to(next(iter(checked.wrong)))
            words = f"{checked.problems} to mend first"
            self._screen.notify(words, title="Not saved", severity="warning")
        elif draft.used or await self._written(draft.path, checked.text):
            name = await self._screen.apart(lambda: self._making.store(draft.path))
            if name is not None:
                self._making.done()
                self._screen.app.switch_screen(go.run_screen(self._screen.sitting, Pairing(name)))

    async def _written(self, path: Path, text: str) -> bool:
        """Write the spec; False where somebody rather keeps what is there, or it cannot be."""
        if await asyncio.to_thread(stands_in_the_way, path, text):
            sure = Confirm(f"Write over {path.name}?", f"{path}\nis there and says something else.")
            if not await self._screen.app.push_screen_wait(sure):
                return False
        return await self._screen.apart(lambda: write_spec(path, text)) is not None
