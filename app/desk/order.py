"""In which order the queue stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from bothways.app.desk.known import Known
from bothways.app.desk.reader import Reader
from bothways.engine.gate.queue import QueueItem

__all__ = ["ORDERS", "Order", "order_named", "ordered"]

Order: TypeAlias = Literal["worst first", "deciding first", "file order", "by name", "by tag"]
ORDERS: tuple[Order, ...] = get_args(Order)


def order_named(text: str) -> Order:
    """Return the order of that name; what is no order is the first, which is the usual one."""
    return next((order for order in ORDERS if order == text), ORDERS[0])


def ordered(
    items: Sequence[QueueItem], order: Order, knows: Callable[[QueueItem], Known], reader: Reader
) -> list[QueueItem]:
    """Return the rows in an order; they come the worst first, as the gate sees it.

    Where the judge is hidden, the worst first would tell what it said: rows to read come first there, high
    stakes before others, then the order of the file; rows for a second look come last.
    """
    if order == "worst first" and not reader.blind:
        first = [item for item in items if item.row_id not in reader.due]
        return [*first, *sorted((item for item in items if item.row_id in reader.due), key=_row_id)]
    keys: Mapping[Order, Callable[[Known], Any]] = {
        "worst first": lambda row: (row.second or not row.open, not row.high_stakes, row.position),
        "deciding first": lambda row: (not (row.decides and row.open), not row.open),
        "file order": lambda row: row.position,
        "by name": lambda row: row.case_id,
        "by tag": lambda row: (not row.tags, sorted(row.tags.items())),
    }
    return sorted(items, key=lambda item: keys[order](knows(item)))


def _row_id(item: QueueItem) -> int:
    return item.row_id
