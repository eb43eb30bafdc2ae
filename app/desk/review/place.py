"""What is remembered of one review between sittings: the row, the filter, the order, and what was begun."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from bothways.app.desk.review.conduct import Words
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.order import order_named
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.state import Memory

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = ["Place"]

_KINDS: tuple[Words, ...] = get_args(Words)


class Place:
    """The place of one reviewer in one pairing of one file, with their drafts."""

    def __init__(
        self, memory: Memory, db: Path, experiment: str, candidate: str, judge: str, reviewer: str
    ) -> None:
        names = (str(db.resolve()), experiment, candidate, judge, reviewer)
        self._memory = memory
        self._known = memory.place(*names)
        self._drafts = memory.named(*names, "drafts")

    @property
    def case_id(self) -> str:
        """The case at which the reader was; "" where they have not been here."""
        return self._known.get("case", "")

    def lay(self, session: ReviewSession, store: Store) -> None:
        """Lay the rows out as they were, filter and order; some chosen rows are shown as they were chosen.

        A text of the filter is looked for in the store: with many rows this belongs into a thread.
        """
        work = session.work
        if not work.whole:  # a filter would tell of all rows what holds of a few
            return
        wanted = Filter() if work.only else Filter.of(self._known.get("filter", ""))
        found = wanted.searched(partial(store.rows_asking, session.evidence.spec_id))
        work.lay(work.laid_out(found, order_named(self._known.get("order", ""))))

    def resume(self, session: ReviewSession) -> None:
        """Go to the very row; where it is not shown, to the first that waits."""
        if not session.work.walk.seek(self.case_id) and session.work.whole:
            session.work.walk.to_first()

    def keep(self, session: ReviewSession) -> None:
        """Remember where the reader is."""
        work = session.work
        if work.item is not None and not work.whole:
            self._known.update(case=work.item.case_id)
        elif work.item is not None:
            filter_ = "" if work.only else work.filter.text
            self._known.update(case=work.item.case_id, filter=filter_, order=work.order)

    def draft(self, kind: Words, case_id: str, of: str = "") -> str:
        """Return what was begun and not saved; "" where nothing was. A reason is `of` one verdict."""
        return self._memory.places.get(self._drafts, {}).get(_name(kind, case_id, of), "")

    def begun(self, kind: Words, case_id: str, text: str, of: str = "") -> None:
        """Keep what was begun; "" forgets it."""
        drafts = self._memory.places.pop(self._drafts, {})
        drafts.pop(_name(kind, case_id, of), None)
        drafts |= {_name(kind, case_id, of): text} if text else {}
        if drafts:
            self._memory.places[self._drafts] = drafts

    def drafted(self, case_id: str) -> str:
        """Return what kinds of drafts a case has, in words."""
        names = [name.partition(" · ") for name in self._memory.places.get(self._drafts, {})]
        kinds = {what.split(" ")[0] for what, _, case in names if case == case_id}
        return ", ".join(kind for kind in _KINDS if kind in kinds)


def _name(kind: Words, case_id: str, of: str) -> str:
    return f"{kind} {of} · {case_id}" if of else f"{kind} · {case_id}"
