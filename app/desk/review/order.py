"""In which order the queue stands."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from bothways.app.desk.review.known import Known
from bothways.engine.analysis.rows import Rows

__all__ = ["ORDERS", "Order", "kept", "order_named", "ordered"]

Order: TypeAlias = Literal["worst first", "deciding first", "file order", "by name", "by tag"]
ORDERS: tuple[Order, ...] = get_args(Order)


def order_named(text: str) -> Order:
    """Return the order of that name; what is no order is the first, which is the usual one."""
    return next((order for order in ORDERS if order == text), ORDERS[0])


def kept(order: array[int], before: Rows, now: Rows, new: Sequence[int]) -> array[int]:
    """Return the order in which rows stood, and behind them the `new` ones: nothing jumps away."""
    if before.ids() == now.ids():
        return order
    found = (now.place(before.ids()[place]) for place in order)
    still = dict.fromkeys(place for place in found if place is not None)
    return array("I", [*still, *(place for place in new if place not in still)])


def ordered(
    places: Sequence[int], order: Order, knows: Callable[[int], Known], *, blind: bool, due: Sequence[int]
) -> Sequence[int]:
    """Return rows in an order, by their places; they come the worst first, as the gate sees it.

    Where the judge is hidden, the worst first would tell what it said: rows to read come first there, high
    stakes before others, then the order of the file; rows for a second look, which are `due`, come last.
    """
    if order == "worst first" and not blind:
        if not due:
            return places
        again = frozenset(due)
        return [*(place for place in places if place not in again), *sorted(again.intersection(places))]
    keys: Mapping[Order, Callable[[Known], Any]] = {
        "worst first": lambda row: (row.second or not row.open, not row.high_stakes, row.position),
        "deciding first": lambda row: (not (row.decides and row.open), not row.open),
        "file order": lambda row: row.position,
        "by name": lambda row: row.case_id,
        "by tag": lambda row: (not row.tags, sorted(row.tags.items())),
    }
    return sorted(places, key=lambda place: keys[order](knows(place)))
