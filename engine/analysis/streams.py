"""Reading several streams of facts side by side, one row at a time, without holding any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

__all__ = ["RowStream"]

T = TypeVar("T")


class RowStream(Generic[T]):
    """A stream in row order that hands out one row's facts when that row is reached."""

    def __init__(self, facts: Iterator[T], row_of: Callable[[T], int]) -> None:
        self._facts = facts
        self._row_of = row_of
        self._head = next(facts, None)

    def take(self, row_id: int) -> list[T]:
        """Return the facts of a row; rows must be asked for in the stream's order."""
        found: list[T] = []
        head, row_of = self._head, self._row_of
        while head is not None and row_of(head) == row_id:
            found.append(head)
            head = next(self._facts, None)
        self._head = head
        return found
