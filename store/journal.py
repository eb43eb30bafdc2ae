"""The journal of one run: what the engine awaits, what the writer's thread does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from bothways.engine.clock import now
from bothways.engine.errors import StoreError
from bothways.engine.facts import Answer, Failure, JsonObject, PassResult, Reply
from bothways.engine.ledger import (
    AnswerRef,
    AnswerUnit,
    Busy,
    Claim,
    PassUnit,
    Request,
    RunState,
    Spent,
    Unit,
)
from bothways.store.connection import connect, reported
from bothways.store.meter import Meter
from bothways.store.part import Asked
from bothways.store.writer import Writer
from bothways.store.writes import Writes, start

__all__ = ["RunJournal"]


class RunJournal:
    """Implements `engine.ledger.Journal`; use it as `async with store.run(…) as journal`.

    The run is alive (and its units are its own) from entering to leaving. Every method queues its write
    before it first waits, so a cancelled task loses nothing that it had handed over; leaving writes all
    that is queued. A run that is left without `end` counts as failed, or as stopped where it was cancelled.
    """

    run_id: int

    def __init__(
        self, path: Path, spec_id: int, options: JsonObject, at: str, clock: Callable[[], str] = now
    ) -> None:
        self._path = path
        self._spec_id = spec_id
        self._options = options
        self._at = at
        self._clock = clock
        self._over = False

    async def __aenter__(self) -> Self:
        with ExitStack() as opened:
            self._reads = connect(self._path, create=False)
            opened.callback(self._reads.close)
            writes = connect(self._path, create=False, any_thread=True)
            opened.callback(writes.close)
            with reported("starting a run"):
                self.run_id, self._lock = start(writes, self._path, self._spec_id, self._options, self._at)
                opened.callback(self._lock.free)
                self._watch = _Watch(self._reads, self._spec_id, self.run_id)
            opened.pop_all()
        self._writes = Writes(writes, self._path, self._spec_id, self.run_id, self._clock)
        self._writer = Writer(writes)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self._over:
                cancelled = kind is not None and issubclass(kind, asyncio.CancelledError | KeyboardInterrupt)
                # What ended the run says more than that its end could not be written either.
                with suppress(*() if kind is None else (StoreError,)):
                    await self.end("stopped" if cancelled else "failed")
        finally:
            await asyncio.shield(self._close())

    async def _close(self) -> None:
        await self._writer.close()
        self._reads.close()
        self._lock.free()

    async def end(self, state: RunState) -> None:
        """Record how the run ended; nothing is written after this."""
        self._over = True
        await self._writer.put(partial(self._writes.end, state))

    async def ask(self, units: Sequence[Unit]) -> None:
        """Record that rows rely on these units; asking twice changes nothing."""
        await self._writer.put(partial(self._writes.ask, tuple(units)))

    async def extend(self, what: Asked) -> None:
        """Ask for one more night of everything, or one more take of the judging."""
        await self._writer.put(partial(self._writes.extend, what))

    async def begin(
        self, unit: Unit, seq: int, attempt: int, request: str, *, free: bool = False
    ) -> Claim | Reply | Busy:
        """Commit the intent of the `seq`-th call of a unit, or return the reply that is stored already."""
        begun = self._writer.put(partial(self._writes.begin, unit, seq, attempt, request, free))
        try:
            return await asyncio.shield(begun)
        except asyncio.CancelledError:
            begun.add_done_callback(self._give_back)
            raise

    def _give_back(self, begun: asyncio.Future[Claim | Reply | Busy]) -> None:
        """Withdraw a claim whose caller is gone: its call was never sent."""
        if begun.cancelled() or begun.exception() is not None:
            return
        claim = begun.result()
        if isinstance(claim, Claim):
            with suppress(StoreError):  # closed already: then it stays listed as possibly billed
                self._writer.put(partial(self._writes.withdraw, claim))

    async def withdraw(self, claim: Claim) -> None:
        """Take back a claim whose request was never sent: nothing is owed for it."""
        await self._writer.put(partial(self._writes.withdraw, claim))

    async def settle(self, claim: Claim, result: Reply | Failure, *, cost_usd: float | None = None) -> None:
        """Commit what a call brought back; `cost_usd` is what a failed one cost, None where unknown."""
        await self._writer.put(partial(self._writes.settle, claim, result, cost_usd))

    async def finish_answer(self, unit: AnswerUnit, answer: Answer) -> AnswerRef:
        """Commit an answer, or the failure that stands in its place."""
        return await self._writer.put(partial(self._writes.finish_answer, unit, answer))

    async def finish_pass(self, unit: PassUnit, result: PassResult) -> None:
        """Commit what a pass said, or that it could not be read."""
        await self._writer.put(partial(self._writes.finish_pass, unit, result))

    async def spent(self) -> Spent:
        """Return what this experiment has cost so far, over all its runs."""
        return self._watch.spent()

    async def requested(self) -> Request | None:
        """Return the newest request that a person made of this run."""
        return self._watch.requested()


class _Watch:
    """What a run looks up between its calls; reads only where somebody has committed since the last look."""

    def __init__(self, db: Database, spec_id: int, run_id: int) -> None:
        self._db = db
        self._run_id = run_id
        experiment = db.execute("SELECT experiment_id FROM specs WHERE id = ?", (spec_id,)).fetchone()[0]
        self._meter = Meter(db, experiment)
        self._request: Request | None = None
        self._seen = -1

    def spent(self) -> Spent:
        """Return what the experiment has cost by now."""
        self._catch_up()
        return Spent(self._meter.cost_usd, self._meter.unknown, self._meter.dearest_usd)

    def requested(self) -> Request | None:
        """Return the newest request, None where there is none."""
        self._catch_up()
        return self._request

    def _catch_up(self) -> None:
        with reported("looking for requests"):
            version = self._db.execute("PRAGMA data_version").fetchone()[0]
            if version == self._seen:
                return
            self._seen = version
            self._meter.read()
            found = self._db.execute(
                "SELECT request FROM requests WHERE run_id = ? ORDER BY id DESC LIMIT 1", (self._run_id,)
            ).fetchone()
            self._request = found[0] if found else None
