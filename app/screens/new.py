"""A new experiment: the form, and beside it what was found out about it. Nothing is spent here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from bothways.app.desk.keys import Place
from bothways.app.desk.new.fields import Field
from bothways.app.desk.new.making import Making
from bothways.app.desk.new.pages import COLUMNS, FormLine, explain, form_cells, form_lines, page, summary
from bothways.app.desk.sitting import Sitting
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings, hints
from bothways.app.screens.checks import Checks
from bothways.app.screens.filling import Change, Filling
from bothways.app.screens.picking import Picking, Question
from bothways.widgets.form import Form
from bothways.widgets.keybar import KeyBar
from bothways.widgets.lines import OneLine
from bothways.widgets.paged import Paged
from bothways.widgets.plain import Line

__all__ = ["NewScreen"]

_PAGES = ("form", "check", "changes", "cases", "file")


class NewScreen(DeskScreen):
    """Makes an experiment, or takes a spec that is there.

    `Filling` changes the draft, `Picking` asks and saves it, `Checks` finds out about it.
    """

    PLACE: ClassVar[Place] = "new"
    BINDINGS = bindings("new")
    AUTO_FOCUS = "#fields"
    DEFAULT_CSS = """
    NewScreen {
        & #summary { background: $panel; }
        & Form { width: 1fr; }
    }
    """

    def __init__(self, sitting: Sitting, follows: str | None = None) -> None:
        super().__init__(sitting)
        self.making = Making(sitting, Path.cwd())
        self.form = Form(COLUMNS, id="form")
        self._filling = Filling(self)
        self._picking = Picking(self)
        self._checks = Checks(self)
        self._follows = follows
        self._lines: list[FormLine] = []

    def body(self) -> ComposeResult:
        """Lay out how it stands, and the form with its pages."""
        yield OneLine(id="summary")
        yield Paged(self.form, _PAGES, self._page)

    def on_mount(self) -> None:
        """Show the draft as it was left, then look around."""
        self.show()
        self.go_to("name")
        self._checks.look_around()
        if self._follows is not None:
            self.later("ask", self._picking.follow(self._follows))
        self.set_interval(1.0, self._checks.watch)

    def on_screen_resume(self) -> None:
        """Look again: files may have changed, and answers may have come."""
        self._checks.ask()

    def changed(self) -> None:
        """Show the draft as it is now, and have it checked."""
        self.show()
        self._checks.ask()

    def show(self) -> None:
        """Show the draft, and what is known of it."""
        draft, checked = self.making.draft, self.making.checked
        self.headline("new experiment", draft.used or draft.values.get("name", ""))
        self.query_one("#summary", OneLine).show(summary(checked))
        self._lines = form_lines(draft)
        self.form.show(form_cells(draft, self._lines, checked))
        self._explain()
        self.query_one(Paged).show()

    def _page(self, name: str) -> Sequence[Line]:
        return page(name, self.making.draft, self.making.checked)

    @property
    def field(self) -> Field | None:
        """The field under the cursor; None on the name of a part."""
        at = self.form.cursor
        return self._lines[at].field if at < len(self._lines) else None

    @on(Form.Moved)
    def _explain(self) -> None:
        """Say what the line under the cursor means, and which keys work there."""
        field, editing = self.field, self.form.editing
        offered = len(self.making.choices(field)) if field and field.offer != "models" else 0
        self.form.explain(explain(field, self.making.checked, offered, editing))
        self.query_one(KeyBar).set_hints(self.form.hints if editing else hints(self.PLACE))

    def go_to(self, path: str) -> None:
        """Put the cursor on a field."""
        at = [number for number, one in enumerate(self._lines) if one.field and one.field.path == path]
        if at:
            self.form.go(at[0])
            self._explain()

    @on(Form.Typed)
    def _typed(self, event: Form.Typed) -> None:
        if (field := self._lines[event.row].field) is not None:
            self.making.draft.put(field.path, event.text)
            self.changed()

    @on(Form.Opened)
    def _opened(self, event: Form.Opened) -> None:
        self.action_edit(event.step)

    def action_edit(self, step: int = 1) -> None:
        """Fill in the line under the cursor, by typing or by choosing; `step` leads on from a title."""
        self._to_the_form()
        self._filling.open(step)
        self._explain()

    def action_ask(self, what: Question) -> None:
        """Ask what is meant, and do it."""
        if what in ("use", "save") or not self._filling.only_the_form():
            if what == "choose":
                self._to_the_form()
            self._picking.ask(what)

    def _to_the_form(self) -> bool:
        """Take a page away that stands where the form was; False where none did."""
        covered = self.query_one(Paged).covered
        if covered:
            self.query_one(Paged).uncover()
        return covered

    def action_change(self, what: Change) -> None:
        """Add or take away a candidate, or empty a line."""
        self._filling.do(what)

    def action_again(self) -> None:
        """Look at all files again, and read large ones too."""
        self.notify("Everything is read again, large files too.")
        self._checks.look_around(whole=True)

    def action_page(self, by: int) -> None:
        """Show another page."""
        self.query_one(Paged).turn(by)

    def action_back(self) -> None:
        """From a page back to the form, from the form out; the draft stays."""
        if not self._to_the_form():
            super().action_back()
