"""Which rows wait for a reader, and how many why."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.app.desk.review.reader import Reader
from bothways.app.desk.review.walk import UNREAD, WAITS, Tally
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.gate.queue import Queue, QueueItem

__all__ = ["counted", "waiting"]


def waiting(reader: Reader, item: QueueItem, row: RowEvidence) -> int:
    """Return whether a row waits for the reader, or is decided by others alone; as in `Walk`."""
    if reader.waits(item, row):
        return WAITS
    return UNREAD if row.spoken and not reader.voted(row) else 0


def counted(reader: Reader, queue: Queue, rows: Rows, places: Sequence[int]) -> tuple[bytearray, Tally]:
    """Return by place which of some rows wait, and how many why; of rows that are alike one is looked at."""
    tally, waits_at = Tally(len(places), len(rows)), bytearray(len(rows))
    apart = reader.apart(rows)
    alike: dict[tuple[int, int], tuple[str, int, bool]] = {}
    for place in places:
        kind = (rows.kinds[place], queue.kinds[place])
        found = None if place in apart else alike.get(kind)
        if found is None:
            item, row = queue.at(place), rows[place]
            found = reader.reason(item, row), waiting(reader, item, row), reader.voted(row)
            if place not in apart:
                alike[kind] = found
        reason, waits, mine = found
        tally.count(place, reason, waits, mine=mine)
        waits_at[place] = waits
    return waits_at, tally
