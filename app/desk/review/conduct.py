"""What an act of the reader asks for first, and what it leads to: the same on a screen and line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from bothways.app.desk.review.told import told_after
from bothways.engine.review import Act

if TYPE_CHECKING:
    from bothways.app.desk.review.book import Book
    from bothways.app.desk.review.session import ReviewSession
    from bothways.engine.ledger import Record

__all__ = ["Conduct", "Done", "Words"]

Words: TypeAlias = Literal["note", "reason", "skip"]
"""What the words of an act are: a note, why the judge is wrong, why the row is left to others."""
_STAYS = (Act.NOTE, Act.TOOLS_OK, Act.TOOLS_BAD)
"""Acts that leave the reader on the row: its verdict is still to be given."""


class Done(NamedTuple):
    """What an act has led to.

    `then` is what comes next: the reader stays at the row, sees first what their vote has revealed, or goes
    on to the next one that waits. `told` is what the row itself does not show.
    """

    record: Record
    then: Literal["stay", "reveal", "onwards"]
    told: str


class Conduct:
    """Leads one reader from act to act. Whoever shows it asks for the words and says what was done."""

    def __init__(self, session: ReviewSession, book: Book) -> None:
        self._session = session
        self._book = book

    def wants(self, what: Act) -> Words | None:
        """Return which words an act on the current row cannot do without; None where it needs none."""
        if what is Act.SKIP:
            return "skip"
        if what is Act.NOTE:
            return "note"
        return "reason" if self._session.overrides(what) else None

    def say(self, what: Act, words: str = "") -> Done:
        """Put an act on the current row on record, and reveal what was hidden before a vote.

        Words are the reason where the act wants one, else a note. Raises ReasonWanted where they are
        missing, RefusedError where the act cannot be.
        """
        session = self._session
        row, wants = session.work.current, self.wants(what)
        voted_blind = session.reader.veiled(row) and what is not Act.SKIP and what not in _STAYS
        reason = wants in ("reason", "skip")
        (record,) = self._book.say(what, note="" if reason else words, reason=words if reason else "")
        if voted_blind:
            session.reveal(record)
        then: Literal["stay", "reveal", "onwards"] = "stay" if what in _STAYS else "onwards"
        return Done(record, "reveal" if voted_blind else then, told_after(session, row.standing, record))
