"""What a file of pairs brought in, counted while its rows go by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bothways.engine.ledger import ImportedRow

__all__ = ["Tally"]


class Tally:
    """Counts rows, passes by judge, labels, reviews, and the notes on answers by variant."""

    def __init__(self) -> None:
        self.rows = 0
        self.passes: Counter[str] = Counter()
        self.labels = 0
        self.reviews = 0
        self.notes: Counter[tuple[str, str]] = Counter()

    def watch(self, rows: Iterable[ImportedRow]) -> Iterator[ImportedRow]:
        """Hand the rows on, one by one, and count them."""
        for row in rows:
            self.rows += 1
            self.passes.update(one.judge for one in row.passes)
            self.labels += len(row.labels)
            self.reviews += len(row.reviews)
            self.notes.update((one.variant, note) for one in row.answers for note in one.answer.notes)
            yield row
