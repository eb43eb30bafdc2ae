"""What a reviewer has said so far, and which act of theirs an undo, a redo or a clear is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from bothways.engine.errors import RefusedError
from bothways.engine.ledger import Record
from bothways.engine.standing import GIVES, Kind, Review, in_force, reviews
from bothways.engine.verdicts import Verdict

__all__ = ["Past", "about"]


class Past:
    """What a reviewer has said so far, everywhere and, in first looks, of one pair of answers."""

    def __init__(self, acts: Sequence[Review], case: str, pair: str) -> None:
        self._acts = acts
        self._case = case
        self._pair = pair

    @classmethod
    def of(cls, records: Iterable[Record], candidate: str, reviewer: str, case: str, pair: str) -> Past:
        """Read from the records what one reviewer did to the rows of one candidate."""
        return cls(_history(records, candidate, reviewer), case, pair)

    @property
    def own(self) -> Review | None:
        """The reviewer's verdict in force; None where there is none, or it was cleared."""
        given = [one for one in self._here(in_force(self._acts)) if one.act in (*GIVES, "clear")]
        return given[-1] if given and given[-1].act != "clear" else None

    @property
    def voted(self) -> bool:
        """Whether the reviewer ever gave a verdict, be it taken back by now: it showed names and judge."""
        return any(one.act in GIVES for one in self._here(self._acts))

    def differs(self, verdict: Verdict | None, *, both_bad: bool) -> bool:
        """Whether a verdict says otherwise than before: than the one in force, or what was revealed to."""
        before = self.own or self._revealed
        if before is None or verdict is None:
            return False
        return (before.verdict, before.both_bad) != (verdict, both_bad)

    def undoes(self, what: Kind) -> int | None:
        """Find what an undo, a redo or a clear of this row is about; raise where there is nothing."""
        if what == "clear" and self.own is None:
            raise RefusedError("There is no verdict of yours to clear")
        if what == "undo":
            return _about([one for one in self._acts if one.case == self._case], what).seq
        if what != "redo":
            return None
        found = _about(self._acts, what)
        if found.case != self._case:
            title, why = "There is nothing to redo here", f"what you took back last was on {found.case}"
            raise RefusedError(title, why)
        return found.seq

    @property
    def _revealed(self) -> Review | None:
        """The last verdict that was given blind: whatever became of it, it showed names and judge."""
        given = [one for one in self._here(self._acts) if one.blind and one.act in GIVES]
        return given[-1] if given else None

    def _here(self, acts: Iterable[Review]) -> list[Review]:
        return [one for one in acts if (one.case, one.pair, one.look) == (self._case, self._pair, 1)]


def about(
    records: Iterable[Record], what: Literal["undo", "redo"], *, candidate: str, reviewer: str
) -> Review:
    """Return the act that this reviewer's undo or redo is about, on whichever row it was.

    An undo is about the last act in force, a redo about the undo that took back the last one; a new act
    anywhere ends what could be redone. Raises RefusedError where there is none.
    """
    return _about(_history(records, candidate, reviewer), what)


def _history(records: Iterable[Record], candidate: str, reviewer: str) -> list[Review]:
    return [r for r in reviews(records) if (r.candidate, r.reviewer) == (candidate, reviewer)]


def _about(history: Sequence[Review], what: Literal["undo", "redo"]) -> Review:
    live = in_force(history)
    if what == "undo":
        done = [review for review in live if review.act not in ("undo", "redo")]
        if not done:
            raise RefusedError("There is nothing of yours to undo")
        return done[-1]
    tail = [review for review in live if review.act != "redo"]
    if not tail or tail[-1].act != "undo":
        raise RefusedError("There is nothing to redo", "your last act was no undo")
    return tail[-1]
