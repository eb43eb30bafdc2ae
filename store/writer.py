"""One thread that writes: whatever is waiting goes into one transaction (group commit)."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from sqlite_utils import Database

from bothways.engine.errors import StoreError
from bothways.store.connection import BUSY_TIMEOUT_S, reported, writing

__all__ = ["Writer"]

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_LARGEST_BATCH = 500
_TRIES_WHEN_CLOSING = 4


@dataclass(slots=True)
class _Job(Generic[T]):
    act: Callable[[], T]
    done: asyncio.Future[T]


class Writer:
    """Runs acts on one connection, in the order they were put, and answers after the commit.

    One fsync serves all that came while the one before it was under way, so that many calls in flight cost
    little more than one. The thread outlives a cancelled task: what was put is written.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._closing = False
        self._thread = Thread(target=self._work, name="bothways-writer")
        self._thread.start()

    def put(self, act: Callable[[], T]) -> asyncio.Future[T]:
        """Queue an act at once; the future is done when its transaction is committed."""
        if self._closing:
            raise StoreError("the journal is closed")
        job = _Job(act, self._loop.create_future())
        self._queue.put(job)
        return job.done

    async def close(self) -> None:
        """Write everything that is queued, then end the thread."""
        if not self._closing:
            self._closing = True
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        try:
            while (job := self._queue.get()) is not None:
                batch = [job, *self._waiting()]
                results = self._commit(batch)
                # The loop is closed only where it was torn down under us: nobody is left to tell.
                with suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(_tell, batch, results)
        finally:
            self._db.close()

    def _waiting(self) -> list[_Job[Any]]:
        """Take what else is queued; an end that is met is put back, behind everything."""
        jobs: list[_Job[Any]] = []
        with suppress(Empty):
            while len(jobs) < _LARGEST_BATCH:
                job = self._queue.get_nowait()
                if job is None:
                    self._queue.put(None)
                    break
                jobs.append(job)
        return jobs

    def _commit(self, batch: list[_Job[Any]]) -> list[Any]:
        """Return each act's result, or the exception that is its own."""
        try:
            return self._transaction(batch)
        except Exception as error:  # noqa: BLE001 - it is raised where the act is awaited
            if len(batch) == 1:
                return [error]
        # One act spoilt the batch, and only that one shall fail.
        return [self._commit([job])[0] for job in batch]

    def _transaction(self, batch: list[_Job[Any]]) -> list[Any]:
        with reported("writing the journal"):
            self._claim()
            with writing(self._db, begun=True):
                return [job.act() for job in batch]

    def _claim(self) -> None:
        """Begin; while another process writes, keep what is queued and wait for it."""
        tries = 0
        while True:
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                tries += 1
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                if self._closing and tries >= _TRIES_WHEN_CLOSING:
                    raise
                _LOG.warning(
                    "the database has been locked by another process for %d s", tries * BUSY_TIMEOUT_S
                )
            else:
                return


def _tell(batch: list[_Job[Any]], results: list[Any]) -> None:
    for job, result in zip(batch, results, strict=True):
        if job.done.done():
            continue
        if isinstance(result, Exception):
            job.done.set_exception(result)
        else:
            job.done.set_result(result)
