"""Reading several streams of facts side by side, one row at a time, without holding any of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Generic, TypeVar

__all__ = ["RowStream"]

T = TypeVar("T", bound=tuple[object, ...])


class RowStream(Generic[T]):
    """A stream of tuples in row order, each beginning with its row id: hands out a row when it is reached."""

    def __init__(self, facts: Iterator[T]) -> None:
        self._rows = groupby(facts, key=itemgetter(0))
        self._row_id: object = None
        self._facts: Iterator[T] = iter(())
        self._advance()

    def take(self, row_id: int) -> list[T]:
        """Return the facts of a row; rows must be asked for in the stream's order."""
        if self._row_id != row_id:
            return []
        found = list(self._facts)
        self._advance()
        return found

    def _advance(self) -> None:
        self._row_id, self._facts = next(self._rows, (None, iter(())))
