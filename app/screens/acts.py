"""What people say about rows with one key: saved at once, then on to the next row that waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from bothways.app.desk.keys import press
from bothways.app.desk.review import blindness
from bothways.app.desk.review.book import Book
from bothways.app.desk.review.conduct import Conduct
from bothways.app.desk.review.repeat import Repeats
from bothways.app.desk.review.session import SIDES, Key
from bothways.app.desk.review.told import told_at_end, told_of_retrace
from bothways.engine.errors import BothwaysError
from bothways.engine.review import Act

if TYPE_CHECKING:
    from bothways.app.desk.review.session import ReviewSession
    from bothways.app.screens.review import ReviewScreen
    from bothways.engine.ledger import Record

__all__ = ["Acts", "Saying", "Turn"]

Saying: TypeAlias = Key | Literal["confirm", "undo", "redo"]
Turn: TypeAlias = Literal["onwards", "swap", "blind"]


class Acts:
    """Turns what a reviewer wants into records of the store, and says what it did where that is not seen."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._repeats = Repeats(screen.sitting.clock)

    def say(self, said: Saying) -> None:
        """Act on the current row; an override asks for its reason first."""
        session = self._screen.opened()
        if session is None:
            return
        what = session.meant(said) if said in SIDES else Act(said)
        if what is Act.UNDO or what is Act.REDO:
            self.named(lambda: self._retrace("undo" if what is Act.UNDO else "redo"))
        elif self._screen.sitting.settings.repeat_guard and self._repeats.repeats(said):
            self._screen.notify("This key is held down, or was pasted: it counted once.")
        elif session.repeats(what):
            self._screen.notify(
                f"Your vote is in: {press('review.next_open')} goes on, another verdict is a change of mind."
            )
        elif session.overrides(what):
            self._screen.asks.reason(what)
        else:
            self.named(lambda: self.save(what))

    def turn(self, what: Turn) -> None:
        """Go on after a reveal, hide names and judge, swap the sides."""
        session = self._screen.opened()
        if session is None:
            return
        match what:
            case "onwards":
                if session.told:
                    self.onwards()
            case "swap":
                session.swap()
                self._screen.show()
            case "blind":
                told = blindness.turn(session, self._screen.sitting)
                self._screen.show()
                self._screen.notify(told)

    def named(self, save: Callable[[], None]) -> None:
        """Save under the reviewer's name; ask for it where there is none."""
        if self._screen.sitting.reviewer:
            save()
        else:
            self._screen.asks.name(save)

    def save(self, what: Act, words: str = "") -> None:
        """Put an act on record; after a vote that was blind stay, for what it reveals is to be seen."""
        session = self._screen.opened()
        if session is None:
            return
        try:
            done = Conduct(session, self._book(session)).say(what, words)
        except BothwaysError as error:
            self._screen.complain(error)
            self._screen.show()
            return
        self._screen.sitting.said += 1
        if done.then == "onwards":
            self.onwards()
        else:
            self._screen.acted()
        if done.told:
            self._screen.notify(done.told)

    def onwards(self) -> None:
        """Go to the next row that waits; where none does, say so, and where others are."""
        session = self._screen.opened()
        if session is None:
            return
        session.work.advance()
        self._arrived(session)

    def _arrived(self, session: ReviewSession) -> None:
        self._screen.acted()
        if told := told_at_end(session.work):
            self._screen.notify(told)

    def took(self, records: list[Record]) -> None:
        """Show what many acts at once have changed, at the first row that they leave to be read."""
        session = self._screen.opened()
        if session is not None:
            for record in records:
                session.took(record)
            self._screen.sitting.said += len(records)
            session.work.walk.to_first()
            self._arrived(session)

    def _retrace(self, what: Literal["undo", "redo"]) -> None:
        """Go to where the last act was, or the last undo, and take that back."""
        session = self._screen.opened()
        if session is None:
            return
        try:
            records = self._book(session).retrace(what)
        except BothwaysError as error:
            self._screen.complain(error)
            return
        self._screen.sitting.said += len(records)
        self._screen.acted()
        self._screen.notify(told_of_retrace(session, what, records))

    def _book(self, session: ReviewSession) -> Book:
        return Book(self._screen.sitting.store, session, self._screen.sitting.now)
