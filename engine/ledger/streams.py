"""Reading several streams of facts side by side, one row at a time, without holding any of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Generic, Never, TypeVar

__all__ = ["RowStream"]

T = TypeVar("T", bound=tuple[object, ...])
_END: tuple[float, Iterator[Never]] = (inf, iter(()))


class RowStream(Generic[T]):
    """A stream of tuples in row order, each beginning with its row id: hands out a row when it is reached.

    Nothing is read before the first row is asked for.
    """

    def __init__(self, facts: Iterator[T]) -> None:
        self._rows = groupby(facts, key=itemgetter(0))
        self._row_id = -inf
        self._facts: Iterator[T] = iter(())

    def take(self, row_id: int) -> list[T]:
        """Return the facts of a row; rows must be asked for in the stream's order, and may be left out."""
        while self._row_id < row_id:
            self._row_id, self._facts = next(self._rows, _END)
        return list(self._facts) if self._row_id == row_id else []
