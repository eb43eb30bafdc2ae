"""The review: the queue, two answers side by side, the judge's passes, and one key for each verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult

from bothways.app.desk.copies import Copy, copies_of_row
from bothways.app.desk.keys import Place as At
from bothways.app.desk.keys import press
from bothways.app.desk.review.look import glance, load
from bothways.app.desk.review.place import Place
from bothways.app.desk.review.queue import COLUMNS, QueueRows
from bothways.app.desk.review.rowline import foot, foot_keys, headline, row_line
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.review.views import row_view
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens.acts import Acts, Saying, Turn
from bothways.app.screens.asks import Asks, Question
from bothways.app.screens.base import DeskScreen
from bothways.app.screens.bindings import bindings, hints
from bothways.app.screens.latest import Latest
from bothways.widgets.keybar import KeyBar
from bothways.widgets.lines import Brief, OneLine
from bothways.widgets.listing import Listing
from bothways.widgets.plain import line
from bothways.widgets.rowpanes import RowPanes, View

__all__ = ["ReviewScreen"]

_UNREAD = line(
    f" Not all rows could be read: {press('desk.back')} leads out, opening it again reads them again.", "bad"
)


class ReviewScreen(DeskScreen):
    """Shows one row of a `ReviewSession` and the queue around it; `Acts` saves what people say."""

    PLACE: ClassVar[At] = "review"
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
        self.acts = Acts(self)
        self.asks = Asks(self)
        self._look = Latest(lambda job: self.later("look", job), self.read, pause_s=0.5)
        self._judge = Latest(lambda job: self.later("judge", job), self._judge_again)
        self._seen = (-1, 0)
        self._begun_at = ""
        self._failed = False
        self._rows: QueueRows | None = None

    @property
    def about(self) -> tuple[object, ...]:
        """Which rows of which pairing."""
        return (self.pairing, self.only)

    def body(self) -> ComposeResult:
        """Lay out the panes."""
        yield Brief(id="where")
        yield RowPanes(COLUMNS)
        yield OneLine(id="gate")

    def on_mount(self) -> None:
        """Paint first, read then, and look ten times a second whether somebody else has written."""
        self.headline(self.pairing.experiment)
        self.query_one("#where", Brief).show(line(" reading …", "muted"))
        self.watch(self.query_one("#queue", Listing), "cursor", self._row_moved, init=False)
        self.call_after_refresh(self._look.ask)
        self.set_interval(0.1, self._watch)

    def _watch(self) -> None:
        if self.session is not None and self.is_current and self.sitting.change() != self._seen:
            self._look.ask()

    async def read(self) -> None:
        """Read what is there by now, with the eyes of whoever reviews by now: at first a few of many rows."""
        self._seen = self.sitting.change()
        if self.session is None and not await self._begin():
            return
        before = self.session
        stood = None if before is None else before.stood
        session = await self.apart(lambda: self._load(before))
        self._failed = session is None
        if session is None:
            if before is not None:
                self._show_standing(before)
            return
        if before is None or not before.serves(session.reader.name):
            self.place(session).resume(session)
        elif self._still(before, stood) and session.reader.name == self.sitting.reviewer:
            session.follow(before)
        else:  # somebody acted here, or laid the rows out anew, while it was read: that is newer
            self._look.ask()
            return
        self.session = session
        self.show()
        self._judge.ask()

    def _still(self, before: ReviewSession, stood: object) -> bool:
        return self.session is before and before.stood == stood

    async def _begin(self) -> bool:
        """Show a few rows where there are very many; False where nothing can be read."""
        begun = await self.apart(lambda: [*self._glance()])
        for session in begun or ():
            self.place(session).resume(session)
            self.session = session
            self._begun_at = session.row.case_id if session.row is not None else ""
            self.show()
        return begun is not None

    def _glance(self) -> Iterator[ReviewSession]:
        """Yield a session with a few rows where there are very many, unless certain ones are asked for."""
        from bothways.engine.analysis.choose import choose  # here: the first paint does not wait for it

        experiment, candidate, judge = self.pairing.experiment, self.pairing.candidate, self.pairing.judge
        with self.sitting.open() as store:
            choice = choose(store, experiment, candidate=candidate, judge=judge)
            place = self._place(experiment, choice.candidate, choice.judge)
            blind, reviewer = self.sitting.reads_blind(experiment), self.sitting.reviewer
            look = None if self.only else glance(store, choice, reviewer, place.case_id, blind=blind)
            if look is not None:
                yield ReviewSession(look, unveiled=self.sitting.unveiled)

    def _load(self, before: ReviewSession | None) -> ReviewSession:
        """Read what there is, apart; a session that is there already is left as it is."""
        names = (self.pairing.experiment, self.pairing.candidate, self.pairing.judge)
        blind = self.sitting.reads_blind(self.pairing.experiment)
        with self.sitting.open() as store:
            look = load(store, *names, self.sitting.reviewer, blind=blind)
            if before is None or not before.serves(look.reader.name):
                session = ReviewSession(look, only=self.only, unveiled=self.sitting.unveiled)
                self.place(session).lay(session, store)
            else:
                session = before.refreshed(look)
                if look.evidence.spec_id != before.evidence.spec_id and session.work.filter.texts:
                    session.work.search(store)
        return session

    def place(self, session: ReviewSession) -> Place:
        """Return what is remembered of this review."""
        evidence = session.evidence
        return self._place(evidence.experiment.name, evidence.candidate, evidence.judge)

    def _place(self, experiment: str, candidate: str, judge: str) -> Place:
        sitting = self.sitting
        return Place(sitting.memory, sitting.db, experiment, candidate, judge, sitting.reviewer)

    async def _judge_again(self) -> None:
        if (session := self.session) is not None:
            answer = await asyncio.to_thread(session.work.question().answer)
            if self.session is session and session.work.settle(answer):
                self._show_standing(session)
                self.query_one("#queue", Listing).repaint()
            else:
                self._judge.ask()

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
        row, known = session.row, session.known
        if row is None or known is None:
            panes.show_row(None)
        else:
            session.shown = self.sitting.store.row(row.row_id)
            panes.show_row(row_view(session, known, session.shown))
            # Where nobody went anywhere yet, all rows decide which one is the first to be read.
            if session.work.whole or row.case_id != self._begun_at:
                self.place(session).keep(session)
        self._show_standing(session)

    def _show_standing(self, session: ReviewSession) -> None:
        self.headline(session.evidence.experiment.name, self.sitting.reviewer, *headline(session))
        panes = self.query_one(RowPanes)
        if self._rows is None or self._rows.items is not session.work.items:
            self._rows = QueueRows(session.work.items, session.work.knows)
        panes.show_queue(self._rows, session.work.walk.at)
        passes = panes.view.passes if panes.view is not None else ()
        item = session.work.item
        draft = self.place(session).drafted(item.case_id) if item is not None else ""
        self.query_one("#where", Brief).show(row_line(session, passes, draft=draft))
        unread = self._failed and not session.work.whole
        self.query_one("#gate", OneLine).show(*((_UNREAD,) if unread else foot(session)))
        self.query_one(KeyBar).set_hints(hints(self.PLACE, self.foot_keys()))

    def foot_keys(self) -> frozenset[str]:
        """Return the ids of the keys that the footer names first: they follow the row."""
        return foot_keys(self.session)

    def _row_moved(self, row: int) -> None:
        if self.session is not None and self.session.work.walk.at != row:
            self.session.work.walk.at = row
            self.show()

    @on(Listing.Chosen, "#queue")
    def _row_chosen(self) -> None:
        panes = self.query_one(RowPanes)
        panes.show_tab("answers")
        panes.query_one("#pair").focus()

    def opened(self) -> ReviewSession | None:
        """Return the session; while the rows are still being read, say that a key was not taken."""
        session = self.session
        if session is not None and session.work.whole:
            return session
        why = "Not all rows could be read" if self._failed else "Still reading"
        self.notify(f"{why}: this key was not taken.")
        return None

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

    async def action_say(self, what: Saying) -> None:
        """Say which answer is better, confirm, undo, redo."""
        self.acts.say(what)
        await self.window()

    async def action_ask(self, what: Question) -> None:
        """Do what needs some words first."""
        self.asks.ask(what)
        await self.window()

    def action_panes(self, view: View) -> None:
        """Change how the row is looked at."""
        self.query_one(RowPanes).look(view)

    def action_step(self, by: Literal[1, -1], undecided: bool) -> None:
        """Go to another row."""
        if (session := self.session) is None:
            self.opened()
        elif undecided and by > 0 and session.told:
            self.acts.onwards()
        elif session.work.walk.step(by, undecided=undecided):
            self.show()
        else:
            what = "row that waits" if undecided else "row"
            self.notify(f"There is no {what} {'below' if by > 0 else 'above'}.")

    def action_turn(self, what: Turn) -> None:
        """Go on after a reveal, hide names and judge, swap the sides."""
        self.acts.turn(what)

    def action_back(self) -> None:
        """Step outwards: out of the filter first, then out of the review."""
        if self.session is not None and self.session.work.filter.words:
            self.asks.show_all()
        else:
            super().action_back()
