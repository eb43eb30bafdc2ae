from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest

from bothways.engine.errors import StoreError
from bothways.store.connection import connect
from bothways.store.writer import Writer


async def test_what_waits_together_is_committed_together(path: Path) -> None:
    db = connect(path, any_thread=True)
    statements: list[str] = []
    db.conn.set_trace_callback(statements.append)
    writer = Writer(db)
    started, released = Event(), Event()

    def wait() -> bool:
        started.set()
        return released.wait(30)

    first = writer.put(wait)
    await asyncio.to_thread(started.wait, 30)
    others = [writer.put(lambda number=number: number) for number in range(50)]  # type: ignore[misc]
    released.set()
    assert await first
    assert await asyncio.gather(*others) == list(range(50))
    await writer.close()
    assert statements.count("COMMIT") == 2


async def test_closing_writes_what_is_queued_and_takes_no_more(path: Path) -> None:
    writer = Writer(connect(path, any_thread=True))
    done: list[int] = []
    for number in range(10):
        writer.put(lambda number=number: done.append(number))  # type: ignore[misc]
    await writer.close()
    assert done == list(range(10))
    with pytest.raises(StoreError, match="closed"):
        writer.put(lambda: None)


async def test_a_transaction_that_cannot_begin_is_said_in_words(path: Path) -> None:
    db = connect(path, any_thread=True)
    db.execute("BEGIN")  # stands for whatever SQLite may say to BEGIN, e.g. of a disk that is full
    writer = Writer(db)
    with pytest.raises(StoreError, match="writing the journal"):
        await writer.put(lambda: None)
    await writer.close()
