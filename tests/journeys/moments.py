"""Moments in a run, chosen by the server's count of requests, and what the database holds at them."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing

from tests.journeys.project import Project
from tests.loopback.server import Handled, Handler, LoopbackServer, Request

from bothways.engine.ledger import Request as Asked

__all__ = ["At", "asks", "body", "committed", "drained", "events", "open_calls", "repeated", "until"]


class At:
    """Does something when the request with this number comes in, and then answers it as usual."""

    def __init__(self, number: int, inner: Handler) -> None:
        self.number = number
        self.inner = inner
        self.act: Callable[[], object] = lambda: None

    def __call__(self, request: Request) -> Handled:
        if request.number == self.number:
            self.act()
        return self.inner(request)


def body(request: Request) -> str:
    return json.dumps(request.body, sort_keys=True)


def repeated(requests: list[Request]) -> Iterator[Request]:
    """Yield the first of each two requests that ask the same."""
    times = Counter(map(body, requests))
    seen: set[str] = set()
    for request in requests:
        if times[body(request)] > 1 and body(request) not in seen:
            seen.add(body(request))
            yield request


def committed(project: Project) -> set[int]:
    """Return the numbers of the server's replies that the database holds."""
    with closing(sqlite3.connect(project.db)) as db:
        bodies = db.execute("SELECT body FROM replies WHERE failure_kind IS NULL").fetchall()
    return {int(found) for (text,) in bodies for found in re.findall(r"\(reply (\d+)\)", text)}


def open_calls(project: Project) -> int:
    """Count the calls that were begun and never settled."""
    with closing(sqlite3.connect(project.db)) as db:
        sql = "SELECT count(*) FROM calls WHERE id NOT IN (SELECT call_id FROM replies)"
        return int(db.execute(sql).fetchone()[0])


async def events(process: Process) -> AsyncIterator[str]:
    """Yield the kinds of events as they come."""
    assert process.stdout is not None
    async for line in process.stdout:
        yield json.loads(line)["kind"]


async def until(kind: str, process: Process) -> None:
    """Read a run's events up to the first of a kind."""
    async for found in events(process):
        if found == kind:
            return
    raise AssertionError(f"the run ended without {kind}")


async def drained(server: LoopbackServer) -> int:
    """Wait until nothing is in flight, and return how many requests there have been."""
    async with asyncio.timeout(30):
        while server.in_flight:
            await asyncio.sleep(0.01)
    return server.count


def asks(project: Project, request: Asked) -> None:
    """Ask the newest run for something, as the desk does."""
    with project.store() as store:
        run = store.runs("shop")[0]
        store.request(run.id, request, "2026-01-05T09:00:00Z")
