"""The tags of the rows that stream by: equal ones are mostly the same mapping, and looked at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bothways.engine.experiment import ReviewSettings
from bothways.engine.ledger import RowFact

__all__ = ["Tagged", "Tags"]


class Tagged(NamedTuple):
    """Whether a row has high stakes, and all that it is marked with in words."""

    high_stakes: bool
    words: str


class Tags:
    """Reads what rows are marked with."""

    def __init__(self, review: ReviewSettings) -> None:
        self._patterns = bool(review.high_stakes_tags)
        self._marks = cache(review.marks)
        self._last: Mapping[str, str] = {}
        self._own: dict[bool | None, Tagged] = {}

    def of(self, row: RowFact) -> Tagged:
        """Return what a row's tags and its own mark say: the mark beats the tags."""
        if row.tags is not self._last:
            self._last, self._own = row.tags, {}
        if row.high_stakes not in self._own:
            self._own[row.high_stakes] = self._read(row)
        return self._own[row.high_stakes]

    def _read(self, row: RowFact) -> Tagged:
        high = row.high_stakes
        if high is None:
            high = self._patterns and any(map(self._marks, row.tags.items()))
        return Tagged(high, f"{row.high_stakes}{row.tags}")
