"""What people write: append-only records in a hash chain, some of them copied from another file's chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bothways.engine.clock import sortable
from bothways.engine.facts import JsonObject

__all__ = ["Origin", "Record", "by_case", "origins"]


@dataclass(frozen=True, slots=True)
class Record:
    """One append-only record. `hash` covers `seq`, `at`, `kind`, `body` and `prev`."""

    seq: int
    at: str
    kind: Literal["review", "decision"]
    body: JsonObject
    prev: str
    hash: str


class Origin(NamedTuple):
    """When a record counts as made, its number and hash in the chain that it was first written to, and when.

    Origins sort alike in every file that holds the records, whichever way they came: by time, and by the
    number in one moment. A record counts as made after all that its file held then, whatever the clocks said:
    where its own was behind, it says so itself, in `counts_at`.
    """

    counts_at: str
    seq: int
    hash: str
    at: str


def origins(records: Iterable[Record]) -> Iterator[tuple[Record, Origin]]:
    """Yield each record with its origin: its own place, or the `home` that its body cites."""
    for record in records:
        home = record.body.get("home")
        at, seq, own = record.at, record.seq, record.hash
        if isinstance(home, dict):
            at, own = str(home.get("at", at)), str(home.get("hash", own))
            seq = number if isinstance(number := home.get("seq"), int) else seq
        stamp = record.body.get("counts_at")
        counts_at = max(sortable(at), sortable(stamp)) if isinstance(stamp, str) else sortable(at)
        yield record, Origin(counts_at, seq, own, at)


def by_case(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records by the case that they are about, each case's in their order."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(str(record.body.get("case")), []).append(record)
    return found
