"""What needs more than a key: words, a choice, or a yes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from textual.app import SuspendNotSupported

from bothways.app.desk.keys import press
from bothways.app.desk.review.book import Book, Bulk
from bothways.app.desk.review.conduct import Words
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.order import ORDERS, Order
from bothways.app.screens import go
from bothways.engine.errors import BothwaysError, UsageError
from bothways.engine.names import person
from bothways.engine.review import Act
from bothways.engine.text import agreeing, counted
from bothways.widgets.dialogs import Ask, Choose, Confirm, Field, Filled, Find

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.app.screens.review import ReviewScreen
    from bothways.engine.ledger import Record

__all__ = ["Asks", "Question"]

Question: TypeAlias = Literal[
    "skip", "note", "note in editor", "tools", "confirm all", "filter", "order", "find", "gate",
]  # fmt: skip
_OF_A_ROW: tuple[Question, ...] = ("skip", "note", "note in editor", "tools")
_LABELS: dict[Words, str] = {"note": "note", "reason": "reason", "skip": "why"}
_FILTER = (
    "Words that a row must all have: is:flip is:open is:decides is:disputed is:mine is:skipped judge:tie "
    'final:candidate by:kim note:"wrong date" tag:refund, or any text of its name or of what was asked. '
    "A - in front turns a word around: -is:done. Empty shows all."
)


class Asks:
    """Opens the windows of the review, and does what they are answered with."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def ask(self, what: Question) -> None:
        """Do what a question is about."""
        session = self._screen.opened()
        if session is None:
            return
        jobs: dict[Question, Callable[[ReviewSession], Awaitable[None]]] = {
            "filter": self._filter, "order": self._order, "find": self._find, "gate": self._gate,
            "confirm all": self._confirm_all, "skip": self._skip, "note": self._note,
            "note in editor": self._note_in_editor, "tools": self._tools,
        }  # fmt: skip
        if session.row is not None or what not in _OF_A_ROW:
            self._screen.later("ask", jobs[what](session))

    def reason(self, what: Act) -> None:
        """Ask why the judge is wrong."""
        session = self._screen.opened()
        if session is not None:
            self._screen.later("ask", self._override(session, what))

    def show_all(self) -> None:
        """Drop the filter."""
        session = self._screen.opened()
        if session is not None:
            self._screen.later("ask", self._lay(Filter(), session.work.order))

    def name(self, then: Callable[[], None]) -> None:
        """Ask who reviews."""
        self._screen.later("name", self._name(then))

    async def _words(
        self,
        session: ReviewSession,
        kind: Words,
        title: str,
        required: str,
        explain: str = "",
        *,
        known: str = "",
        of: str = "",
    ) -> str:
        """Ask for the words of an act on the current row; "" where the window was left.

        What was begun is a draft: it comes back with the row, also after a restart, and a reason with the
        verdict that it is `of`. `known` stands on record.
        """
        place, case_id = self._screen.place(session), session.work.current.case_id
        draft = place.draft(kind, case_id, of)
        label = f"{_LABELS[kind]}: your draft of before, not saved yet" if draft else _LABELS[kind]

        def drafted(text: str) -> None:
            place.begun(kind, case_id, "" if text == known else text, of)

        def edited(text: str) -> str | None:
            return self._edited(text, f"{kind} on {case_id}")

        window = Ask(title, [Field(label, draft or known, required)], explain, edit=edited, drafted=drafted)
        filled: Filled = await self._screen.app.push_screen_wait(window)
        text = filled.values[0]
        drafted("" if filled.saved else text)
        if not filled.saved:
            self._screen.sitting.memory.write()
            self._screen.show()
            return ""
        now = self._screen.session
        if now is not None:  # somebody may have written meanwhile: the words are about this row
            now.work.reach(case_id)
        return text

    def _edited(self, text: str, about: str) -> str | None:
        """Let a person write in their own editor; None, and a word about it, where that cannot be."""
        try:
            with self._screen.app.suspend():
                return self._screen.sitting.editor(text, about)
        except SuspendNotSupported:
            self._screen.notify(
                "This terminal cannot be given to an editor: write it here.", severity="warning"
            )
        except BothwaysError as error:
            self._screen.complain(error)
        return None

    async def _override(self, session: ReviewSession, what: Act) -> None:
        judged = session.work.current.judged
        judge = session.evidence.said(judged) if judged is not None else "nothing"
        title = "Why is the judge wrong here?"
        said = (
            f"Both passes said: {judge}. Who knows that and differs says why; a blind vote needs no reason."
        )
        required = "Say why: the judge's verdict is overridden."
        if reason := await self._words(session, "reason", title, required, said, of=what.value):
            self._screen.acts.named(lambda: self._screen.acts.save(what, reason))

    async def _skip(self, session: ReviewSession) -> None:
        required = "Say why: whoever comes next wants to know."
        if reason := await self._words(session, "skip", "Skip this row", required, "It stays undecided."):
            self._screen.acts.named(lambda: self._screen.acts.save(Act.SKIP, reason))

    async def _note(self, session: ReviewSession) -> None:
        case_id = session.work.current.case_id
        known, required = session.reader.own(case_id).note, "Write something, or leave."
        if note := await self._words(session, "note", f"Note on {case_id}", required, known=known):
            self._screen.acts.named(lambda: self._screen.acts.save(Act.NOTE, note))

    async def _note_in_editor(self, session: ReviewSession) -> None:
        place, case_id = self._screen.place(session), session.work.current.case_id
        known = session.reader.own(case_id).note
        note = self._edited(place.draft("note", case_id) or known, f"note on {case_id}")
        if note and note != known:
            place.begun("note", case_id, "")
            self._screen.acts.named(lambda: self._screen.acts.save(Act.NOTE, note))
        elif note is not None:
            self._screen.notify("Nothing was changed: no note is saved.")

    async def _tools(self, session: ReviewSession) -> None:
        case_id = session.work.current.case_id
        choices = ("ok: other calls, and they are right", "bad: this difference must not ship")
        title = "What do you say to the other tool calls?"
        chosen = await self._screen.app.push_screen_wait(Choose(title, choices))
        if chosen is not None and (now := self._screen.session) is not None and now.work.reach(case_id):
            what = (Act.TOOLS_OK, Act.TOOLS_BAD)[chosen]
            self._screen.acts.named(lambda: self._screen.acts.save(what))

    async def _confirm_all(self, session: ReviewSession) -> None:
        if session.reader.blind:
            self._screen.notify("Blind: what the judge said is hidden, so nothing can be confirmed.")
            return
        bulk = self._book(session).bulk()
        rest = f"Left out: {bulk.rest}." if bulk.rest else ""
        if not bulk.rows:
            self._screen.notify(f"None of the rows shown can be confirmed at once. {rest}".strip())
            return
        words = session.work.filter.text
        some = f"of those that {words} shows" if words else "of the whole queue"
        title = f"Confirm the judge on {counted(len(bulk.rows), 'row')}, {some}, unread?"
        explain = f"Agreed and undecided ones. {rest}\nOne {press('review.undo')} takes all of them back."
        if await self._screen.app.push_screen_wait(Confirm(title, explain)):
            self._screen.acts.named(lambda: self._screen.later("bulk", self._confirm(bulk)))

    async def _confirm(self, bulk: Bulk) -> None:
        """Put them on record apart: thousands of them take a while."""
        screen = self._screen
        session = screen.session
        if session is None:
            return

        def save() -> list[Record]:
            with screen.sitting.open() as store:
                return Book(store, session, screen.sitting.now).confirm(bulk)

        records = await screen.apart(save)
        if records is not None:
            screen.acts.took(records)
            said = f"{counted(len(records), 'row')} {agreeing(len(records), 'is', 'are')} confirmed"
            back = f"{press('review.undo')} takes {agreeing(len(records), 'it', 'all of them')} back."
            screen.notify(f"{said}; {back}")

    def _book(self, session: ReviewSession) -> Book:
        return Book(self._screen.sitting.store, session, self._screen.sitting.now)

    async def _filter(self, session: ReviewSession) -> None:
        field = Field("filter", session.work.filter.text)
        filled: Filled = await self._screen.app.push_screen_wait(Ask("Show only some rows", [field], _FILTER))
        if not filled.saved:
            return
        wanted = Filter.of(filled.values[0])
        if doubts := wanted.doubts(blind=session.reader.blind):
            self._screen.notify(doubts, severity="warning")
        spec_id = session.evidence.spec_id

        def search() -> Filter:
            with self._screen.sitting.open() as store:
                return wanted.searched(partial(store.rows_asking, spec_id))

        found = await self._screen.apart(search) if wanted.texts else wanted
        if found is not None:
            await self._lay(found, session.work.order)

    async def _lay(self, wanted: Filter, order: Order) -> None:
        """Lay the queue out apart, over again where somebody acted meanwhile."""
        while (session := self._screen.session) is not None:
            acts = session.acts
            layout = await asyncio.to_thread(session.work.laid_out, wanted, order)
            if (self._screen.session, session.acts) == (session, acts):
                session.work.lay(layout)
                self._screen.show()
                return

    async def _order(self, session: ReviewSession) -> None:
        orders = [order for order in ORDERS if not (session.reader.blind and order == "deciding first")]
        shown = [f"{order} ✓" if order == session.work.order else order for order in orders]
        chosen = await self._screen.app.push_screen_wait(Choose("In which order?", shown))
        if chosen is not None:
            await self._lay(session.work.filter, orders[chosen])

    async def _find(self, session: ReviewSession) -> None:
        names = [row.case_id for row in session.evidence.rows]
        found: str | None = await self._screen.app.push_screen_wait(Find("Go to a row", names))
        if found is not None and (now := self._screen.session) is not None:
            if now.work.filtered and not now.work.walk.seek(found):
                self._screen.notify("The filter is dropped: it hides this row.")
            now.work.reach(found)
            self._screen.show()

    async def _gate(self, _: ReviewSession) -> None:
        screen = self._screen
        go.to(screen.app, go.gate_screen(screen.sitting, screen.pairing))

    async def _name(self, then: Callable[[], None]) -> None:
        field = Field("your name", required="A review needs a name.")
        filled: Filled = await self._screen.app.push_screen_wait(Ask("Who reviews?", [field]))
        before = self._screen.session
        if not filled.saved or before is None:
            return
        try:
            name = person(filled.values[0])
        except UsageError as error:
            self._screen.complain(error)
            return
        was = before.known
        sitting = self._screen.sitting
        sitting.sign_as(name)
        await self._screen.read()
        now = self._screen.session
        if now is None or now.reader.name != name:
            return
        if doubt := now.taken_for(name):
            self._screen.notify(doubt, severity="warning")
        known = now.known
        if known is None or (known.mine is None and known.veiled == (was is not None and was.veiled)):
            then()
        else:  # the key was pressed at something else than what this reader is to see
            why = "reads blind" if known.veiled and not known.second else "has been at this row before"
            self._screen.notify(f"{name} {why}: look again.")
