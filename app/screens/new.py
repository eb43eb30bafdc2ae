"""A new experiment: the form, and beside it what was found out about it. Nothing is spent here."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal

from bothways.app.desk.keys import Place, press
from bothways.app.desk.new.fields import Field
from bothways.app.desk.new.making import Making
from bothways.app.desk.new.pages import COLUMNS, FormLine, explain, form_cells, form_lines, page, summary
from bothways.app.desk.new.precheck import Checked
from bothways.app.desk.sitting import Sitting
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings
from bothways.app.screens.latest import Latest
from bothways.app.screens.picking import Picking, Question
from bothways.engine.text import visible_line
from bothways.widgets.form import Form
from bothways.widgets.lines import OneLine
from bothways.widgets.page import Page
from bothways.widgets.plain import line
from bothways.widgets.tabs import TabBar

__all__ = ["NewScreen"]

_PAGES = ("form", "check", "changes", "cases", "file")
_WIDE = 110
"""Columns from which the form and a page stand side by side, as `HORIZONTAL_BREAKPOINTS` has it."""


class NewScreen(DeskScreen):
    """Makes an experiment, or takes a spec that is there; `Picking` asks, and saves it."""

    PLACE: ClassVar[Place] = "new"
    BINDINGS = bindings("new")
    AUTO_FOCUS = "#fields"
    DEFAULT_CSS = """
    NewScreen {
        & #summary, & #pages { background: $panel; }
        & Form { width: 1fr; }
        & Page { display: none; width: 1fr; padding: 0 1; }
        &.-wide Page { display: block; border-left: vkey $panel; }
        &.paged Page { display: block; }
        &.paged Form { display: none; }
    }
    """

    def __init__(self, sitting: Sitting, follows: str | None = None) -> None:
        super().__init__(sitting)
        self.making = Making(sitting, Path.cwd())
        self._picking = Picking(self)
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
        self.go_to("name")
        self.later("around", self._around())
        if self._follows is not None:
            self.later("ask", self._picking.follow(self._follows))
        self.set_interval(1.0, self._watch)

    def on_screen_resume(self) -> None:
        """Look again: files may have changed, and answers may have come."""
        self._look.ask()

    def _watch(self) -> None:
        """Check again what somebody edits elsewhere."""
        if self.is_current and (stamp := self.making.stamp()) != self._stamp:
            self._stamp = stamp
            self._look.ask()

    async def _around(self) -> None:
        found = await self.apart(self.making.look_around)
        self.making.found = found or self.making.found
        self.changed()

    def changed(self) -> None:
        """Show the draft as it is now; check and remember it as soon as there is time."""
        self._show()
        self._look.ask()

    async def _check(self) -> None:
        draft, whole = self.making.draft.copy(), self._whole
        checked = await self.apart(lambda: self.making.check(draft, all_of_it=whole))
        self.making.remember()
        if checked is not None:
            self.take(checked)

    def take(self, checked: Checked) -> None:
        """Show what was found out."""
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
        if not narrow and self._page == "form":
            self._page = "check"
        self.set_class(narrow and self._page != "form", "paged")
        self.query_one(TabBar).set_tabs(_PAGES if narrow else _PAGES[1:], self._page)
        if self._page != "form":
            lines = page(self._page, self.making.draft, self.making.checked)
            self.query_one("#page", Page).show(lines, keep_place=True)

    def on_resize(self) -> None:
        """A narrow screen shows the form or a page, a wide one both."""
        if self.is_mounted:
            if self.app.size.width < _WIDE and not self.query_one("#page").has_focus:
                self._page = "form"
            self._show_page()

    @property
    def field(self) -> Field | None:
        """The field under the cursor; None on the name of a part."""
        at = self.query_one(Form).cursor
        return self._lines[at].field if at < len(self._lines) else None

    @on(Form.Moved)
    def _explain(self) -> None:
        form, field = self.query_one(Form), self.field
        offered = len(self.making.choices(field)) if field and field.offer != "models" else 0
        form.explain(explain(field, self.making.checked, offered, form.editing))

    def go_to(self, path: str) -> None:
        """Put the cursor on a field."""
        at = [number for number, one in enumerate(self._lines) if one.field and one.field.path == path]
        if at:
            self.query_one(Form).go(at[0])
            self._explain()

    # What is typed and chosen.

    @on(Form.Typed)
    def _typed(self, event: Form.Typed) -> None:
        if (field := self._lines[event.row].field) is not None:
            self.making.draft.put(field.path, event.text)
            self.changed()

    @on(Form.Opened)
    def action_edit(self) -> None:
        """Fill in the line under the cursor, by typing or by choosing."""
        field, form = self.field, self.query_one(Form)
        if self.only_the_form():
            return
        if field is None:
            form.action_close(1)
        elif field.choices:
            self.action_ask("choose")
        elif visible_line(value := self.making.draft.value(field)) != value:
            self.notify("It has lines or characters that cannot be typed: choose a file, or empty it.")
        else:
            form.edit(value, self.making.choices(field))
            self._explain()

    def only_the_form(self) -> bool:
        """Say so where a spec is used as it is, and nothing can be filled in."""
        if used := self.making.draft.used:
            self.notify(f"{press('new.use')} goes back to the form.", title=f"{used} is used as it is")
        return bool(used)

    def action_ask(self, what: Question) -> None:
        """Ask what is meant, and do it."""
        self._picking.ask(what)

    def action_empty(self) -> None:
        """Empty the line under the cursor."""
        if not self.only_the_form() and self.field is not None:
            self.making.draft.put(self.field.path, "")
            self.changed()

    def action_add(self) -> None:
        """Make room for one more candidate, and go there."""
        if not self.only_the_form():
            number = self.making.draft.add_candidate()
            self.changed()
            self.go_to(f"candidates[{number}].name")

    def action_remove(self) -> None:
        """Take away the candidate under the cursor."""
        number = self.field.candidate if self.field else None
        if self.only_the_form():
            return
        if number is None:
            self.notify("The cursor stands on no candidate.")
            return
        if not self.making.draft.remove_candidate(number):
            self.notify("There is one candidate at least: this one is empty now.")
        self.changed()

    def action_again(self) -> None:
        """Look at all files again, and read large ones too."""
        self._whole = True
        self.notify("Everything is read again, large files too.")
        self.later("around", self._around())

    # Pages.

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

    def action_back(self) -> None:
        """From a page back to the form, from the form out; the draft stays."""
        if self.has_class("paged"):
            self._turn("form")
        else:
            super().action_back()
