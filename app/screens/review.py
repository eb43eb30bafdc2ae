"""The review: the queue, two answers side by side, the judge's passes, and one key for each verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult

from bothways.app.desk.bindings import bindings
from bothways.app.desk.copies import Copy, copies_of_row
from bothways.app.desk.gateview import gate_line
from bothways.app.desk.keys import Place
from bothways.app.desk.latest import Latest
from bothways.app.desk.queue import COLUMNS, QueueRows
from bothways.app.desk.rowline import row_line, to_do
from bothways.app.desk.session import Key, Look, ReviewSession, judge_again, load
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.views import row_view
from bothways.app.screens import go
from bothways.app.screens.acts import Acts, Question
from bothways.app.screens.base import DeskScreen
from bothways.engine.gate.model import GateResult
from bothways.engine.review import Act
from bothways.widgets.lines import Brief, OneLine
from bothways.widgets.listing import Listing
from bothways.widgets.plain import line
from bothways.widgets.rowpanes import RowPanes, View

__all__ = ["ReviewScreen"]


class ReviewScreen(DeskScreen):
    """Shows one row of a `ReviewSession` and the queue around it; `Acts` saves what people say."""

    PLACE: ClassVar[Place] = "review"
    BINDINGS = bindings("review")
    AUTO_FOCUS = "#pair"
    DEFAULT_CSS = """
    ReviewScreen {
        & #where { height: 1; }
        &.-narrow #where { height: 2; }
        & #gate { background: $panel; }
    }
    """

    def __init__(self, sitting: Sitting, pairing: Pairing, only: Sequence[str] = ()) -> None:
        super().__init__(sitting)
        self.pairing = sitting.looked_at = pairing
        self.only = tuple(only)
        self.session: ReviewSession | None = None
        self._acts = Acts(self)
        self._look = Latest(lambda job: self.later("look", job), self._read, pause_s=0.5)
        self._judge = Latest(lambda job: self.later("judge", job), self._judge_again)
        self._seen = (-1, 0)
        self._gate: GateResult | None = None
        self._rows: QueueRows | None = None

    def body(self) -> ComposeResult:
        """Lay out the panes."""
        yield Brief(id="where")
        yield RowPanes(COLUMNS)
        yield OneLine(id="gate")

    def on_mount(self) -> None:
        """Paint first, read then, and look ten times a second whether somebody else has written."""
        self.headline(self.pairing.experiment)
        self.query_one("#where", Brief).show(line(" reading …", "muted"))
        self.call_after_refresh(self._look.ask)
        self.set_interval(0.1, self._watch)

    def _watch(self) -> None:
        if self.session is not None and self.is_current and self.sitting.change() != self._seen:
            self._look.ask()

    async def _read(self) -> None:
        acts = 0 if self.session is None else self.session.acts
        self._seen = self.sitting.change()
        look = await self.apart(self._load)
        if look is None:
            return
        if self.session is None:
            self.session = ReviewSession(look, only=self.only)
            self._resume(self.session)
        elif self.session.acts == acts:
            self.session.refresh(look)
        else:  # somebody acted here while it was read: what was read is older than that
            self._look.ask()
        self.show()
        self._judge.ask()

    def _load(self) -> Look:
        with self.sitting.open() as store:
            return load(store, self.pairing.experiment, self.pairing.candidate, self.pairing.judge)

    def _resume(self, session: ReviewSession) -> None:
        place = self._place(session)
        session.set_filter("" if self.only else place.get("filter", ""))
        if not session.seek(place.get("case", "")):
            session.to_first_undecided()

    def _place(self, session: ReviewSession) -> dict[str, str]:
        names = (str(self.sitting.db.resolve()), self.pairing.experiment)
        return self.sitting.memory.place(*names, session.evidence.candidate, session.evidence.judge)

    async def _judge_again(self) -> None:
        if self.session is not None:
            evidence, known = self.session.snapshot()
            self.session.settle(*await asyncio.to_thread(judge_again, evidence, known))
            self._show_standing(self.session)
            self.query_one("#queue", Listing).refresh()

    def acted(self) -> None:
        """Show what an act changed at once, and let the gate follow."""
        self._seen = (self._seen[0], self.sitting.said)
        self.app.clear_notifications()
        self.show()
        self.sitting.memory.write()
        self._judge.ask()

    def show(self) -> None:
        """Show the current row."""
        session = self.session
        if session is None:
            return
        panes = self.query_one(RowPanes)
        row = session.row
        if row is None:
            panes.show_row(None)
        else:
            detail = session.shown = self.sitting.store.row(row.row_id)
            records = session.records_on(row.case_id)
            in_force = [review.seq for review in session.acts_on(row.case_id)]
            panes.show_row(row_view(detail, row, session.evidence, session.sides, records, in_force))
            self._place(session).update(case=row.case_id, filter=session.filter)
        self._show_standing(session)

    def _show_standing(self, session: ReviewSession) -> None:
        experiment = session.evidence.experiment
        some = (
            f"filter {session.filter}"
            if session.filter and session.items
            else "some rows"
            if self.only
            else ""
        )
        self.headline(
            experiment.name,
            to_do(session),
            some,
            f"{experiment.baseline.name} → {session.evidence.candidate}",
            f"judge {session.evidence.judge}" if session.evidence.judge else "no judge",
            self.sitting.reviewer,
        )
        panes = self.query_one(RowPanes)
        if self._rows is None or self._rows.items is not session.items:
            self._rows = QueueRows(session.items, session.row_of)
        panes.show_queue(self._rows, session.at)
        passes = panes.view.passes if panes.view is not None else ()
        self.query_one("#where", Brief).show(row_line(session, passes))
        if session.result is not self._gate:
            self._gate = session.result
            self.query_one("#gate", OneLine).show(gate_line(session.result))

    @on(Listing.Moved, "#queue")
    def _row_moved(self, event: Listing.Moved) -> None:
        if self.session is not None:
            self.session.at = event.row
            self.show()

    @on(Listing.Chosen, "#queue")
    def _row_chosen(self) -> None:
        panes = self.query_one(RowPanes)
        panes.show_tab("answers")
        panes.query_one("#pair").focus()

    def opened(self) -> ReviewSession | None:
        """Return the session; while the rows are still being read, say that a key was not taken."""
        if self.session is None:
            self.notify("Still opening: this key was not taken.")
        return self.session

    def copies(self) -> Iterator[Copy]:
        """Yield what the row on the screen has to copy, and the record of this reader's last act on it."""
        view = self.query_one(RowPanes).view
        if self.session is None or view is None:
            return
        yield from copies_of_row(view)
        yield Copy("the gate in words", self.query_one("#gate", OneLine).text)
        own = [
            r for r in self.session.records_on(view.case.id) if r.body["reviewer"] == self.sitting.reviewer
        ]
        if own:
            yield Copy(f"the hash of your last record here, {own[-1].seq}", own[-1].hash)

    def action_verdict(self, key: Key) -> None:
        """Say which answer is better."""
        if (session := self.opened()) is not None:
            self._acts.say(session.meant(key))

    def action_act(self, what: str) -> None:
        """Confirm, undo, redo."""
        self._acts.say(Act(what))

    def action_ask(self, what: Question) -> None:
        """Do what needs some words first."""
        self._acts.ask(what)

    def action_panes(self, view: View) -> None:
        """Change how the row is looked at."""
        self.query_one(RowPanes).look(view)

    def action_step(self, by: Literal[1, -1], undecided: bool) -> None:
        """Go to another row."""
        if (session := self.opened()) is None:
            return
        if session.step(by, undecided=undecided):
            self.show()
        else:
            what = "undecided row" if undecided else "row"
            self.notify(f"There is no {what} {'below' if by > 0 else 'above'}.")

    def action_swap(self) -> None:
        """Swap the sides."""
        if (session := self.opened()) is not None:
            session.swapped = not session.swapped
            self.show()

    def action_gate(self) -> None:
        """Look at the gate."""
        self.app.push_screen(go.gate_screen(self.sitting, self.pairing))

    def action_back(self) -> None:
        """Step outwards: out of the filter first, then out of the review."""
        if self.session is not None and self.session.filter:
            self.session.set_filter("")
            self.show()
        else:
            super().action_back()
