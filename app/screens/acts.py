"""What people say about rows: asked for where words are needed, saved at once, then on to the next row."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bothways.app.desk.filter import STATES, unknown
from bothways.app.desk.keys import press
from bothways.engine.errors import BothwaysError, RefusedError
from bothways.engine.review import Act
from bothways.widgets.dialogs import Ask, Choose, Field, Filled

if TYPE_CHECKING:
    from bothways.app.desk.session import ReviewSession
    from bothways.app.screens.review import ReviewScreen

__all__ = ["Acts", "Question"]

Question: TypeAlias = Literal["skip", "note", "tools", "filter"]
_ONWARDS = {Act.BASELINE, Act.CANDIDATE, Act.TIE, Act.BOTH_BAD, Act.CONFIRM, Act.SKIP}
"""Acts after which the next undecided row is wanted."""
_FILTER = (
    "Words that a row must have: is:flip is:open is:done is:stakes is:error judge:tie judge:cand "
    "final:baseline tag:refund, or any part of a row's name. Empty shows all."
)


class Acts:
    """Turns what a reviewer wants into records of the store."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def say(self, what: Act) -> None:
        """Act on the current row; an override asks for its reason first."""
        session = self._screen.opened()
        if session is None:
            return
        if what is Act.UNDO or what is Act.REDO:
            self._named(lambda: self._retrace(session, what))
        elif session.overrides(what):
            self._asking(self._override(session, what))
        else:
            self._named(lambda: self._save(session, what))

    def ask(self, what: Question) -> None:
        """Ask for the words that an act needs."""
        session = self._screen.opened()
        if session is None:
            return
        if what == "filter":
            self._asking(self._filter(session))
        elif session.row is not None:
            asking = {"skip": self._skip, "note": self._note, "tools": self._tools}[what]
            self._asking(asking(session))

    def _asking(self, job: Coroutine[Any, Any, None]) -> None:
        self._screen.later("ask", job)

    async def _fill(self, title: str, field: Field, explain: str = "") -> Filled:
        return await self._screen.app.push_screen_wait(Ask(title, [field], explain))

    def _retrace(self, session: ReviewSession, what: Literal[Act.UNDO, Act.REDO]) -> None:
        """Go to where the last act was, or the last undo, and take that back."""
        try:
            session.retrace(self._screen.sitting.store, what, self._screen.sitting.reviewer)
        except RefusedError as error:
            self._screen.complain(error)
        else:
            self._save(session, what)

    async def _override(self, session: ReviewSession, what: Act) -> None:
        row = session.row
        if row is None or row.judged is None:
            return
        judge = "equal" if row.judged == "tie" else session.variant(row.judged)
        field = Field("reason", required="Say why: the judge's verdict is overridden.")
        filled = await self._fill("Why is the judge wrong here?", field, f"Both passes said: {judge}.")
        if filled.saved:
            self._named(lambda: self._save(session, what, reason=filled.values[0]))

    async def _skip(self, session: ReviewSession) -> None:
        filled = await self._fill("Skip this row", Field("why (may be empty)"), "It stays undecided.")
        if filled.saved:
            self._named(lambda: self._save(session, Act.SKIP, reason=filled.values[0]))

    async def _note(self, session: ReviewSession) -> None:
        row = session.row
        if row is None:
            return
        known = row.standing.note if row.standing is not None else ""
        field = Field("note", session.drafts.get(row.case_id, known), required="Write something, or leave.")
        filled = await self._fill(f"Note on {row.case_id}", field)
        if not filled.saved:
            session.drafts[row.case_id] = filled.values[0]
            return
        session.drafts.pop(row.case_id, None)
        self._named(lambda: self._save(session, Act.NOTE, note=filled.values[0]))

    async def _tools(self, session: ReviewSession) -> None:
        choices = ("ok: other calls, and they are right", "bad: this difference must not ship")
        title = "What do you say to the other tool calls?"
        chosen = await self._screen.app.push_screen_wait(Choose(title, choices))
        if chosen is not None:
            self._named(lambda: self._save(session, (Act.TOOLS_OK, Act.TOOLS_BAD)[chosen]))

    async def _filter(self, session: ReviewSession) -> None:
        filled = await self._fill("Show only some rows", Field("filter", session.filter), _FILTER)
        if filled.saved:
            session.set_filter(filled.values[0])
            if words := unknown(session.filter.split()):
                known = ", ".join(STATES)
                self._screen.notify(
                    f"{words[0]} names no state; after is: stands {known}", severity="warning"
                )
            self._screen.show()

    def _named(self, save: Callable[[], None]) -> None:
        """Save under the reviewer's name; ask for it where there is none."""
        if self._screen.sitting.reviewer:
            save()
        else:
            self._screen.later("name", self._name(save))

    async def _name(self, save: Callable[[], None]) -> None:
        filled = await self._fill("Who reviews?", Field("your name", required="A review needs a name."))
        if filled.saved:
            self._screen.sitting.reviewer = self._screen.sitting.memory.reviewer = filled.values[0]
            save()

    def _save(self, session: ReviewSession, what: Act, *, note: str = "", reason: str = "") -> None:
        sitting = self._screen.sitting
        store, reviewer = sitting.store, sitting.reviewer
        try:
            with store.writing():
                now = sitting.now()
                body = session.body(store, what, reviewer=reviewer, note=note, reason=reason, at=now)
                record = store.append("review", body, now)
        except BothwaysError as error:
            self._screen.complain(error)
            self._screen.show()
            return
        sitting.said += 1
        session.took(record, store.row(session.current.row_id))
        all_done = what in _ONWARDS and not session.advance()
        self._screen.acted()
        if all_done:
            self._screen.notify(
                f"Every row of this queue is decided: {press('review.gate')} looks at the gate."
            )
