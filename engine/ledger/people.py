"""What people write: append-only records in a hash chain, some of them copied from another file's chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bothways.engine.facts import JsonObject

__all__ = ["Origin", "Record", "origins"]


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
    """When a record was made, and its number and hash in the chain that it was first written to.

    Origins sort alike in every file that holds the records: by time, and by the number in one moment.
    """

    at: str
    seq: int
    hash: str


def origins(records: Iterable[Record]) -> Iterator[tuple[Record, Origin]]:
    """Yield each record of one chain with its origin: its own place, or the `home` that its body cites.

    A record of this chain was made no earlier than those before it, whatever a clock that was set back said.
    """
    latest = ""
    for record in records:
        home = record.body.get("home")
        if isinstance(home, dict):
            at, seq, own = home.get("at", record.at), home.get("seq"), home.get("hash", record.hash)
            yield record, Origin(str(at), seq if isinstance(seq, int) else record.seq, str(own))
        else:
            latest = max(latest, record.at)
            yield record, Origin(latest, record.seq, record.hash)
