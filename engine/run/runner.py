"""The supervisor of one run: plans, works on rows as slots are free, obeys requests, ends cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Literal

from bothways.engine.errors import StoreError
from bothways.engine.experiment import Experiment
from bothways.engine.judging.base import Judging
from bothways.engine.judging.open import open_judge
from bothways.engine.ledger import Facts, Journal, Request, RunState
from bothways.engine.run.budget import Budget
from bothways.engine.run.calls import Outside
from bothways.engine.run.lane import Lanes
from bothways.engine.run.options import RunEvent, RunOptions, RunSummary, Watch
from bothways.engine.run.plan import RowPlan, lacking, plan, was_tried
from bothways.engine.run.row import Counts, RowWorker
from bothways.engine.targets.base import Target
from bothways.engine.targets.open import open_target
from bothways.engine.text import counted

__all__ = ["Stop", "run"]

OBEY_S = 0.1
"""How often a run looks whether a person asked it to pause, resume or stop."""


class Stop:
    """A way for the caller to stop a run from outside, e.g. from a signal handler: `stop("Ctrl-C")`."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._asked = asyncio.Event()

    def __call__(self, reason: str) -> None:
        """Begin nothing new; what is in flight is finished and kept."""
        self.reason = self.reason or reason
        self._asked.set()

    async def asked(self) -> str:
        """Wait until somebody asks."""
        await self._asked.wait()
        return self.reason or ""


async def run(
    facts: Facts, journal: Journal, spec_id: int, options: RunOptions, watch: Watch, stop: Stop | None = None
) -> RunSummary:
    """Do what the spec asks for and the store has not, and say how it went.

    Facts are read on this loop, in small pieces; everything that is written goes through `journal`.
    Cancelling ends at once and loses what is in flight; `stop` ends cleanly.
    """
    experiment = facts.spec(spec_id)
    concurrency = options.concurrency or experiment.run.concurrency
    settings = experiment.run.model_copy(update={"concurrency": concurrency})
    experiment = experiment.model_copy(update={"run": settings})
    budget = experiment.run.budget_usd if options.budget_usd is None else options.budget_usd
    money = Budget(budget, await journal.spent())
    ahead = concurrency + max(2, concurrency // 4)
    patience_s = settings.timeout_s * (settings.retries + 1)
    outside = Outside(journal, Lanes(concurrency), money, settings.retries, watch, ahead, patience_s)
    async with AsyncExitStack() as stack:
        targets, judging = await _open(stack, experiment, options.freeze)
        if options.extend:
            await _extend(facts, journal, spec_id, options.extend, watch)
        _, take = facts.extent(spec_id)
        worker = RowWorker(facts, outside, experiment, take, targets, judging)
        watch(RunEvent("started", detail=experiment.name, cost_usd=money.spent_usd))
        obeying = asyncio.create_task(_obey(journal, outside, watch))
        listening = asyncio.create_task(_listen(stop, outside))
        try:
            await _work(plan(facts, spec_id, options), worker, outside, window=2 * concurrency)
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            obeying.cancel()
            listening.cancel()
            await asyncio.gather(obeying, listening, return_exceptions=True)
    summary = _summary(worker, outside)
    if summary.state == "complete":
        whole = replace(options, limit=None, only=frozenset(), failed_only=False)
        missing = 0 if whole == options else sum(1 for _ in lacking(facts, spec_id, whole))
        summary = replace(summary, missing=missing)
    watch(RunEvent("ended", detail=summary.state, cost_usd=money.spent_usd))
    return summary


async def _open(
    stack: AsyncExitStack, experiment: Experiment, freeze: bool
) -> tuple[Mapping[str, Target], Judging | None]:
    """Open what answers and what judges, each with clients of its own."""
    variants = experiment.variants[:1] if freeze else experiment.variants
    targets: dict[str, Target] = {}
    for variant in variants:
        targets[variant.name] = target = open_target(variant, experiment.run)
        stack.push_async_callback(target.close)
    if experiment.judge is None or freeze:
        return targets, None
    judging = open_judge(experiment.judge, experiment.run)
    stack.push_async_callback(judging.close)
    return targets, judging


async def _extend(
    facts: Facts, journal: Journal, spec_id: int, asked: Sequence[Literal["night", "take"]], watch: Watch
) -> None:
    """Ask for more, unless what was asked for before is unfinished: asking again after a stop goes on.

    Call it when everything could be opened: what a missing key forbids must not be asked for.
    """
    if not was_tried(facts, spec_id):
        nights, takes = facts.extent(spec_id)
        watch(
            RunEvent(
                "unfinished", detail=f"night {nights}, take {takes}: not all was tried yet, it comes first"
            )
        )
        return
    for what in asked:
        await journal.extend(what)


async def _work(rows: Iterator[RowPlan], worker: RowWorker, outside: Outside, window: int) -> None:
    """Keep `window` rows in work: enough that no slot is idle, few enough to fit in memory."""
    room = asyncio.Semaphore(window)
    async with asyncio.TaskGroup() as group:
        for row in rows:
            await room.acquire()
            if outside.stop_reason is not None:
                return
            task = group.create_task(worker.work(row))
            task.add_done_callback(lambda _: room.release())


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what really went wrong: the tasks that were cancelled because of it say nothing."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


async def _obey(journal: Journal, outside: Outside, watch: Watch) -> None:
    """Do what people ask of this run through the store; a run that can no longer be asked stops."""
    last: Request | None = None
    while True:
        try:
            request = await journal.requested()
        except StoreError as error:
            outside.stop(f"nobody can pause or stop this run any more: {error}")
            return
        if request != last:
            last = request
            if request == "pause":
                outside.lanes.hold()
                watch(RunEvent("paused", cost_usd=outside.budget.spent_usd))
            elif request == "resume":
                outside.lanes.resume()
                watch(RunEvent("resumed", cost_usd=outside.budget.spent_usd))
            elif request == "stop":
                outside.stop("stopped on request")
        await asyncio.sleep(OBEY_S)


async def _listen(stop: Stop | None, outside: Outside) -> None:
    if stop is not None:
        outside.stop(await stop.asked())


def _end(worker: RowWorker, outside: Outside) -> tuple[RunState, str]:
    """Say how it ended, and why where not everything was done."""
    if outside.stop_reason is not None:
        return "stopped", outside.stop_reason
    if worker.counts.failed:
        return "failed", _failed(worker.counts)
    if worker.counts.left:
        verb = "is" if worker.counts.left == 1 else "are"
        return "stopped", f"{counted(worker.counts.left, 'unit')} {verb} in the hands of another run"
    return "complete", ""


def _failed(counts: Counts) -> str:
    """Say what failed, and what can be done about it: no second try finds what was never recorded."""
    failed, unrecorded = counts.failed, counts.unrecorded
    lacking = f"{unrecorded} not in the recording, where they have to be put first" if unrecorded else ""
    again = f"run again to try {'it' if failed == 1 else 'them'} again" if failed > unrecorded else ""
    return "; ".join(part for part in (f"{counted(failed, 'unit')} failed", lacking, again) if part)


def _summary(worker: RowWorker, outside: Outside) -> RunSummary:
    counts, money = worker.counts, outside.budget
    state, reason = _end(worker, outside)
    return RunSummary(
        state, reason, counts.answered, counts.judged, counts.failed, outside.made, outside.replayed,
        counts.left, cost_usd=money.spent_usd, unknown_costs=money.unknown,
    )  # fmt: skip
