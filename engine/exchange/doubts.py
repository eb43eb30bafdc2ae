"""What people should know of reviews that come in: names that look like another's, and times to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from bothways.engine.clock import later, sortable
from bothways.engine.ledger import ImportedRow
from bothways.engine.names import mistaken_for
from bothways.engine.text import counted, visible_line

__all__ = ["Doubts"]

_CLOCKS_DIFFER = timedelta(minutes=5)
"""Two machines may be so far apart without anything being wrong."""


class Doubts:
    """Watches reviews come in. `known` are the people who have signed here, `at` is now."""

    def __init__(self, at: str, known: Iterable[str] = ()) -> None:
        self._latest = later(at, _CLOCKS_DIFFER)
        self._known = set(known)
        self._alike: list[str] = []
        self._ahead: dict[str, list[tuple[str, str]]] = {}

    def watch(self, rows: Iterable[ImportedRow]) -> Iterator[ImportedRow]:
        """Hand the rows of a file on, one by one, and take in their reviews."""
        for row in rows:
            for review in row.reviews:
                self.add(str(review["reviewer"]), row.case.id, review.get("at"), review.get("counts_at"))
            yield row

    def add(self, reviewer: str, case: str, *times: object) -> None:
        """Take in who reviewed which case, and the times at which that was made or counts as made."""
        if reviewer not in self._known:
            if doubt := mistaken_for(reviewer, self._known):
                self._alike.append(f"{visible_line(case)}: {doubt}")
            self._known.add(reviewer)
        made = max((sortable(at) for at in times if isinstance(at, str)), default="")
        if made > self._latest:
            self._ahead.setdefault(reviewer, []).append((made, case))

    def told(self) -> list[str]:
        """Return what was noticed, a sentence for each name and for each person whose clock ran ahead."""
        return [*self._alike, *(_future(*one) for one in self._ahead.items())]


def _future(reviewer: str, found: list[tuple[str, str]]) -> str:
    newest, case = max(found)
    reviews = counted(len(found), "review")
    latest = visible_line(f"{reviewer}: {reviews} from the future, up to {newest} ({case})")
    counts = "They count after all that was said here before, and before what is said here from now on."
    return f"{latest}: is a clock wrong? {counts}"
