"""One row's work: its answers, and its passes as soon as the two answers they compare are there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import Experiment
from bothways.engine.facts import Answer, Case, Failure, FailureKind, PassResult, answered
from bothways.engine.judging.base import JudgeAsk, Judging
from bothways.engine.keys import digest
from bothways.engine.ledger import AnswerRef, AnswerUnit, Facts, PassUnit
from bothways.engine.methods.base import Comparison, Row
from bothways.engine.methods.open import open_method
from bothways.engine.run.calls import Outside, TakenElsewhere, UnitCalls
from bothways.engine.run.lane import RunStopped
from bothways.engine.run.options import EventKind, RunEvent
from bothways.engine.run.plan import RowPlan
from bothways.engine.targets.base import Ask, Target

__all__ = ["Counts", "RowWorker"]


@dataclass(slots=True)
class Counts:
    """What one run did so far; of the `failed`, `unrecorded` are those that a recording lacks."""

    answered: int = 0
    judged: int = 0
    failed: int = 0
    unrecorded: int = 0
    left: int = 0


class RowWorker:
    """Works on rows, many at a time; knows the targets, the judge and the way out."""

    def __init__(
        self,
        facts: Facts,
        outside: Outside,
        experiment: Experiment,
        take: int,
        targets: Mapping[str, Target],
        judging: Judging | None,
    ) -> None:
        self._facts = facts
        self._outside = outside
        self._experiment = experiment
        self._take = take
        self._targets = targets
        self._judging = judging
        self._method = open_method(experiment)
        self.counts = Counts()
        self._underway: dict[str, asyncio.Future[AnswerRef | None]] = {}
        self._judged: set[str] = set()

    async def work(self, row: RowPlan) -> None:
        """Do everything that one row lacks. A failure of a unit is recorded, and ends only that unit."""
        known = self._facts.answers_by_key([unit.key for unit in row.answers])
        tries = self._facts.tries([unit.key for unit in row.answers if unit.key not in known])
        await self._outside.journal.ask(row.answers)
        async with asyncio.TaskGroup() as group:
            answers = {
                (unit.variant, unit.night): group.create_task(
                    self._shared(unit, known.get(unit.key), row.case, tries.get(unit.key, 0))
                )
                for unit in row.answers
            }
            for comparison in row.comparisons:
                nights = [self._night(variant, comparison) for variant in comparison.variants]
                shown = [answers[place] for place in zip(comparison.variants, nights, strict=True)]
                group.create_task(self._compare(row, comparison, shown))

    def _night(self, variant: str, comparison: Comparison) -> int:
        """The baseline is frozen on its first night."""
        return 1 if variant == self._experiment.baseline.name else comparison.night

    async def _shared(
        self, unit: AnswerUnit, known: AnswerRef | None, case: Case, tries: int
    ) -> AnswerRef | None:
        """Return the answer that is there, or wait for it; rows that ask the same share one answer."""
        if known is not None:
            return known
        if unit.key in self._underway:
            return await asyncio.shield(self._underway[unit.key])
        underway = self._underway[unit.key] = asyncio.get_running_loop().create_future()
        try:
            ref = await self._answer(case, unit, tries)
        except BaseException:
            underway.cancel()
            raise
        underway.set_result(ref)
        return ref

    async def _answer(self, case: Case, unit: AnswerUnit, tries: int) -> AnswerRef | None:
        ask = Ask(case, self._experiment.variant(unit.variant), digest("session", unit.key, tries)[:32])
        calls = UnitCalls(self._outside, unit, case.id)
        try:
            self._outside.may_begin()
            answer = answered(await self._targets[unit.variant].answer(ask, calls))
        except (RunStopped, TakenElsewhere) as none:
            self._unfinished(none)
            return None
        except CallFailed as failed:
            answer = Answer(usage=failed.usage, cost_usd=failed.cost_usd, failure=failed.failure)
        ref = await self._outside.journal.finish_answer(unit, calls.used.charged(answer))
        if answer.failure is not None:
            self._failed(case, unit.variant, answer.failure)
            return None
        self.counts.answered += 1
        self._tell("answered", case, unit.variant)
        return ref

    async def _compare(
        self, row: RowPlan, comparison: Comparison, answers: Sequence[asyncio.Task[AnswerRef | None]]
    ) -> None:
        """Have one comparison judged, as soon as its answers are there; without one of them it waits."""
        refs = tuple([ref for answer in answers if (ref := await answer) is not None])
        if self._judging is None or len(refs) < len(answers):
            return
        units = self._method.passes(Row(row.row_id, row.case, comparison, refs, self._take))
        await self._outside.journal.ask(units)
        done = self._facts.passes_done([unit.key for unit in units])
        done |= self._judged  # rows that show the judge the same share one pass
        wanted = [unit for unit in units if unit.key not in done]
        self._judged.update(unit.key for unit in wanted)
        if not wanted:
            return
        shown = {
            variant: self._facts.answer(ref.id)
            for variant, ref in zip(comparison.variants, refs, strict=True)
        }
        async with asyncio.TaskGroup() as group:
            for unit in wanted:
                group.create_task(self._pass(row.case, unit, shown))

    async def _pass(self, case: Case, unit: PassUnit, answers: Mapping[str, Answer]) -> None:
        assert self._judging is not None
        marker = digest("marker", unit.key)[:12]
        ask = JudgeAsk(
            case, tuple(answers[name] for name in unit.shown), unit.shown, unit.order, marker
        )  # fmt: skip
        calls = UnitCalls(self._outside, unit, case.id)
        try:
            self._outside.may_begin()
            result = await self._judging.judge(ask, calls)
        except (RunStopped, TakenElsewhere) as none:
            self._unfinished(none)
            return
        except CallFailed as failed:
            result = PassResult(failure=failed.failure)
        await self._outside.journal.finish_pass(unit, calls.used.charged(result))
        if result.choice is not None:
            self.counts.judged += 1
            self._tell("judged", case, unit.judge)
        else:
            self._failed(case, unit.judge, result.failure)

    def _unfinished(self, why: RunStopped | TakenElsewhere) -> None:
        self.counts.left += isinstance(why, TakenElsewhere)

    def _failed(self, case: Case, variant: str, failure: Failure | None) -> None:
        self.counts.failed += 1
        self.counts.unrecorded += failure is not None and failure.kind is FailureKind.MISSING
        spent = self._outside.budget.spent_usd
        self._outside.watch(RunEvent("failed", case.id, variant, failure, cost_usd=spent))

    def _tell(self, kind: EventKind, case: Case, variant: str) -> None:
        self._outside.watch(RunEvent(kind, case.id, variant, cost_usd=self._outside.budget.spent_usd))
