"""What keeping the books costs: CPU of this process for each call claimed and settled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure, median

from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import Answer, Case, Message, Reply, Usage
from bothways.engine.ledger import AnswerUnit, Claim
from bothways.store import open_store

NOW = "2026-01-05T09:00:00Z"
CALLS, AT_ONCE = 2000, 20
REPLY = Reply("Your kettle left on Tuesday. " * 20, usage=Usage(800, 120, 0), cost_usd=0.0002, model="m")


async def keep_books(folder: Path) -> float:
    """Return the CPU milliseconds of one call: asked for, claimed, settled, finished."""
    experiment = Experiment(name="books", baseline=Variant(name="v4"), candidates=())
    cases = [Case(f"c{n}", (Message("user", f"{n}?"),)) for n in range(CALLS)]
    with open_store(folder / "books.db") as store:
        spec_id = store.add(experiment, cases, NOW)
        units = [AnswerUnit(f"key {row}", row, "v4", 0) for row in store.row_ids(spec_id)]
        room = asyncio.Semaphore(AT_ONCE)
        async with store.run(spec_id, {}, NOW) as journal:

            async def one(unit: AnswerUnit) -> None:
                async with room:
                    await journal.ask([unit])
                    claim = await journal.begin(unit, 1, 0, "request")
                    assert isinstance(claim, Claim)
                    await journal.settle(claim, REPLY)
                    await journal.finish_answer(unit, Answer(REPLY.content or "", usage=REPLY.usage))

            before = time.process_time()
            await asyncio.gather(*(one(unit) for unit in units))
            spent = time.process_time() - before
            await journal.end("complete")
    return spent / CALLS * 1000


def figures(folder: Path) -> Iterator[Figure]:
    """Return the cost of one call."""
    costs = []
    for attempt in range(3):
        (place := folder / f"books-{attempt}").mkdir()
        costs.append(asyncio.run(keep_books(place)))
    yield Figure("journal and store: CPU a call, all four writes", median(costs), "ms", 1.0)
