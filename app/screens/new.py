"""A new experiment: the form, and beside it what was found out about it. Nothing is spent here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal

from bothways.app.desk.bindings import bindings
from bothways.app.desk.fields import Field
from bothways.app.desk.keys import Place
from bothways.app.desk.latest import Latest
from bothways.app.desk.making import Making
from bothways.app.desk.newpages import COLUMNS, FormLine, explain, form_cells, form_lines, page, summary
from bothways.app.desk.saving import stands_in_the_way, write_spec
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens import go
from bothways.app.screens.base import DeskScreen
from bothways.engine.text import visible_line
from bothways.widgets.dialogs import Choose, Confirm
from bothways.widgets.form import Form
from bothways.widgets.lines import OneLine
from bothways.widgets.page import Page
from bothways.widgets.plain import line
from bothways.widgets.tabs import TabBar

__all__ = ["NewScreen"]

_WIDE = 110
"""Columns from which the form and a page stand side by side, as `HORIZONTAL_BREAKPOINTS` has it."""
_PAGES = ("form", "check", "changes", "cases", "file")


class NewScreen(DeskScreen):
    """Makes an experiment, or takes a spec that is there; ctrl+s saves it and goes to its run."""

    PLACE: ClassVar[Place] = "new"
    BINDINGS = bindings("new")
    AUTO_FOCUS = "#fields"
    DEFAULT_CSS = """
    NewScreen {
        & #summary, & #pages { background: $panel; }
        & Form { width: 1fr; }
        & Page { width: 1fr; padding: 0 1; }
        &.-wide Page { border-left: vkey $panel; }
        &.-narrow Page { display: none; }
        &.-narrow.paged Page { display: block; }
        &.-narrow.paged Form { display: none; }
    }
    """

    def __init__(self, sitting: Sitting, follows: str | None = None) -> None:
        super().__init__(sitting)
        self.making = Making(sitting, Path.cwd())
        self._follows = follows
        self._page = "form"
        self._lines: list[FormLine] = []
        self._whole = False
        self._stamp: tuple[int, ...] = ()
        self._look = Latest(lambda job: self.later("check", job), self._check, pause_s=0.2)

    def body(self) -> ComposeResult:
        """Lay out how it stands, the names of the pages, the form and one page."""
        yield OneLine(id="summary")
        yield TabBar(id="pages")
        with Horizontal():
            yield Form(COLUMNS, id="form")
            yield Page([line("reading …", "muted")], id="page")

    def on_mount(self) -> None:
        """Show the draft as it was left, then look around."""
        self._show()
        self.query_one(Form).go(1)
        self.later("around", self._start())
        self.set_interval(1.0, self._watch)

    def _watch(self) -> None:
        """Check again what somebody edits elsewhere."""
        if self.is_current and (stamp := self.making.stamp()) != self._stamp:
            self._stamp = stamp
            self._look.ask()

    def on_screen_resume(self) -> None:
        """Look again: files may have changed, and answers may have come."""
        self._look.ask()

    async def _start(self) -> None:
        self.making.found = await self.apart(self.making.look_around) or self.making.found
        if (earlier := self._follows) is not None:
            values = await self.apart(lambda: self.making.following(earlier))
            if values is not None and await self._may_replace(f"Follow {earlier}"):
                self.making.draft.fill(values)
        self._changed()

    async def _may_replace(self, title: str) -> bool:
        """Ask before a draft is lost; an empty one is nothing to lose."""
        if not self.making.draft.values:
            return True
        name = self.making.draft.values.get("name", "without a name")
        sure = Confirm(f"{title}?", f"The draft {name} is thrown away for it.")
        return await self.app.push_screen_wait(sure)

    def _changed(self) -> None:
        """Show what was typed at once, check and remember it as soon as there is time."""
        self._show()
        self._look.ask()

    async def _check(self) -> None:
        subject, whole = self.making.subject(), self._whole
        checked = await self.apart(lambda: self.making.check(subject, all_of_it=whole))
        self.making.remember()
        if checked is not None:
            self.making.checked = checked
            self._show()

    # What is shown.

    def _show(self) -> None:
        draft, checked = self.making.draft, self.making.checked
        self.headline("new experiment", draft.used or draft.values.get("name", ""))
        self.query_one("#summary", OneLine).show(summary(checked))
        self._lines = form_lines(draft)
        self.query_one(Form).show(form_cells(draft, self._lines, checked))
        self._explain()
        self._show_page()

    def _show_page(self) -> None:
        narrow = self.app.size.width < _WIDE
        self.set_class(narrow and self._page != "form", "paged")
        if not narrow and self._page == "form":
            self._page = "check"
        self.query_one(TabBar).set_tabs(_PAGES if narrow else _PAGES[1:], self._page)
        if self._page != "form":
            lines = page(self._page, self.making.draft, self.making.checked)
            self.query_one("#page", Page).show(lines, keep_place=True)

    def on_resize(self) -> None:
        """A narrow screen shows the form or a page, a wide one both."""
        if self.is_mounted:
            self.call_after_refresh(self._show_page)

    @property
    def _field(self) -> Field | None:
        """The field under the cursor; None on the name of a part."""
        at = self.query_one(Form).cursor
        return self._lines[at].field if at < len(self._lines) else None

    @on(Form.Moved)
    def _explain(self) -> None:
        form, field = self.query_one(Form), self._field
        offered = len(self.making.choices(field)) if field and field.offer != "models" else 0
        form.explain(explain(field, self.making.checked, offered, form.editing))

    # What is typed and chosen.

    @on(Form.Typed)
    def _typed(self, event: Form.Typed) -> None:
        if (field := self._lines[event.row].field) is not None:
            self.making.draft.put(field.path, event.text)
            self._changed()

    @on(Form.Opened)
    def action_edit(self) -> None:
        """Fill in the line under the cursor, by typing or by choosing."""
        field, form = self._field, self.query_one(Form)
        if self.making.draft.used:
            self.notify("o goes back to the form.", title="This spec is used as it is")
        elif field is None:
            form.action_close(1)
        elif field.choices:
            self.action_choose()
        elif visible_line(value := self.making.draft.value(field)) != value:
            self.notify("It has lines or characters that cannot be typed: choose a file, or empty it.")
        else:
            form.edit(value, self.making.choices(field))
            self._explain()

    def action_choose(self) -> None:
        """Choose what the line under the cursor says."""
        field = self._field
        choices = self.making.choices(field) if field and not self.making.draft.used else ()
        if field is None or not choices:
            self.notify("There is nothing to choose from here: enter types.")
        else:
            self.later("choose", self._choose(field, choices))

    async def _choose(self, field: Field, choices: Sequence[str]) -> None:
        chosen = await self.app.push_screen_wait(Choose(f"{field.section}: {field.label}", choices))
        if chosen is not None:
            self.making.draft.put(field.path, choices[chosen])
            self._changed()

    def action_empty(self) -> None:
        """Empty the line under the cursor."""
        if (field := self._field) is not None and not self.making.draft.used:
            self.making.draft.put(field.path, "")
            self._changed()

    def action_add(self) -> None:
        """Make room for one more candidate, and go there."""
        number = self.making.draft.add_candidate()
        self._changed()
        self._go(f"candidates[{number}].name")

    def action_remove(self) -> None:
        """Take away the candidate under the cursor."""
        field = self._field
        if field is None or field.candidate is None:
            self.notify("The cursor stands on no candidate.")
            return
        if not self.making.draft.remove_candidate(field.candidate):
            self.notify("An experiment has one candidate at least: this one is empty now.")
        self._changed()

    def _go(self, path: str) -> None:
        at = [number for number, one in enumerate(self._lines) if one.field and one.field.path == path]
        if at:
            self.query_one(Form).go(at[0])
            self._explain()

    def action_use(self) -> None:
        """Use a spec that is there, or go back to the form."""
        self.later("choose", self._use())

    async def _use(self) -> None:
        self.making.found = await self.apart(self.making.look_around) or self.making.found
        specs = self.making.found.specs
        words = [f"{path.relative_to(self.making.draft.folder)}  {name}" for path, name in specs]
        chosen = await self.app.push_screen_wait(Choose("What is run?", ["the form", *words]))
        if chosen is not None:
            path = specs[chosen - 1][0] if chosen else None
            self.making.draft.use(path)
            self._changed()

    def action_stored(self) -> None:
        """Take a variant that has answers in this file as the baseline."""
        self.later("choose", self._choose_stored())

    async def _choose_stored(self) -> None:
        stored = await self.apart(self.making.stored)
        if not stored:
            self.notify("There are no answers in this file that could be used again.")
            return
        words = [f"{one.variant.name}  of {one.experiment}, {one.rows:,} rows" for one in stored]
        chosen = await self.app.push_screen_wait(Choose("Whose answers are the baseline?", words))
        if chosen is not None:
            self.making.use_stored(stored[chosen])
            self._changed()
            self._go("baseline.name")

    def action_fresh(self) -> None:
        """Throw the draft away."""
        self.later("choose", self._fresh())

    async def _fresh(self) -> None:
        if await self._may_replace("Begin again"):
            self.making.draft.fill({})
            self._changed()
            self._go("name")

    def action_again(self) -> None:
        """Look at all files again, and read large ones too."""
        self._whole = True
        self.later("around", self._start())

    # Pages, and the way out.

    def action_page(self, by: int) -> None:
        """Show another page."""
        names = self.query_one(TabBar).names
        self._turn(names[(names.index(self._page) + by) % len(names)])

    @on(TabBar.Clicked)
    def _tab(self, event: TabBar.Clicked) -> None:
        self._turn(event.name)

    def _turn(self, name: str) -> None:
        self._page = name
        self._show_page()
        if self.has_class("paged"):
            self.query_one("#page", Page).focus()
        else:
            self.query_one(Form).focus_list()

    def action_save(self) -> None:
        """Save the experiment, and go to its run."""
        self.later("save", self._save())

    async def _save(self) -> None:
        draft, subject = self.making.draft, self.making.subject()
        checked = await self.apart(lambda: self.making.check(subject, all_of_it=True))
        if checked is None:
            return
        self.making.checked = checked
        self._show()
        if checked.problems:
            self._go(next(iter(checked.wrong)))
            self.notify(f"{checked.problems} to mend first.", title="Not saved", severity="warning")
            return
        if subject.text is not None and not await self._written(subject.path, subject.text):
            return
        name = await self.apart(lambda: self.making.store(subject.path))
        if name is not None:
            draft.fill({})
            self.making.remember()
            self.app.switch_screen(go.run_screen(self.sitting, Pairing(name)))

    async def _written(self, path: Path, text: str) -> bool:
        """Write the spec; False where somebody rather keeps what is there, or it cannot be."""
        if await asyncio.to_thread(stands_in_the_way, path, text):
            sure = Confirm(f"Write over {path.name}?", f"{path}\nis there and says something else.")
            if not await self.app.push_screen_wait(sure):
                return False
        return await self.apart(lambda: write_spec(path, text)) is not None
