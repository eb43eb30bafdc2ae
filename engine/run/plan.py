"""What a run has to do: what the spec asks for, less what is there.

Resuming, retrying, another judge, another candidate, another night, another take: all are this one
subtraction. Rows that lack nothing are passed over without being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from bothways.engine.facts import Case
from bothways.engine.keys import digest
from bothways.engine.ledger import AnswerFact, AnswerUnit, Facts, PassFact, RowFact
from bothways.engine.run.options import RunOptions
from bothways.engine.spec.model import Experiment, Variant
from bothways.engine.targets.seen import as_object

__all__ = ["Pairing", "RowPlan", "Wanted", "answer_key", "plan"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One comparison a row needs: the baseline against one candidate, on one night."""

    candidate: str
    night: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the spec asks of every row."""

    experiment: Experiment
    nights: int
    take: int
    freeze: bool = False

    def answers(self, row_id: int, case: Case) -> tuple[AnswerUnit, ...]:
        """Return the answers one row needs; the baseline is frozen on its first night."""
        return tuple(
            AnswerUnit(answer_key(case, variant, night), row_id, variant.name, slot, night)
            for slot, variant, night in self._asked()
        )

    def pairings(self) -> tuple[Pairing, ...]:
        """Return the comparisons one row needs."""
        if self.experiment.judge is None or self.freeze:
            return ()
        return tuple(
            Pairing(candidate.name, night)
            for candidate in self.experiment.candidates
            for night in range(1, self.nights + 1)
        )

    def lacks_nothing(self, answers: list[AnswerFact], passes: list[PassFact]) -> bool:
        """Tell whether one row has all its answers and passes."""
        have = {(a.variant, a.night) for a in answers if a.answer_id is not None and a.failure is None}
        if not all((variant.name, night) in have for _, variant, night in self._asked()):
            return False
        judge = self.experiment.judge
        if judge is None or self.freeze:
            return True
        done = {
            (name, p.night, p.order)
            for p in passes
            if p.judge == judge.name and p.take == self.take and p.tried and p.choice is not None
            for name in p.shown
        }
        orders = (1, 2) if judge.swap else (1,)
        return all((p.candidate, p.night, order) in done for p in self.pairings() for order in orders)

    def _asked(self) -> Iterator[tuple[int, Variant, int]]:
        for slot, variant in enumerate(self.experiment.variants):
            if slot and self.freeze:
                return
            for night in range(1, self.nights + 1 if slot else 2):
                yield slot, variant, night


@dataclass(frozen=True, slots=True)
class RowPlan:
    """One row that lacks something: its case, its answers and its comparisons."""

    row_id: int
    case: Case
    answers: tuple[AnswerUnit, ...]
    pairings: tuple[Pairing, ...]


def answer_key(case: Case, variant: Variant, night: int = 1, repeat: int = 1) -> str:
    """Return the key of an answer: a hash of what the target sees, of nothing else.

    Tags, stakes, rules and the reference are not in it: editing them buys nothing again.
    """
    spoken = [as_object(message) for message in case.messages]
    return digest("answer", spoken, case.context, variant.digest, night, repeat)


def plan(facts: Facts, spec_id: int, options: RunOptions) -> Iterator[RowPlan]:
    """Stream the rows that lack something, in their order.

    Which rows these are is settled before the first is given out: an open stream would hold the reader to
    the state of its first row, and hide what the run itself writes.
    """
    nights, take = facts.extent(spec_id)
    wanted = Wanted(facts.spec(spec_id), nights, take, options.freeze)
    for row_id in [*_lacking(facts, spec_id, wanted, options)]:
        case = facts.case(row_id)
        yield RowPlan(row_id, case, wanted.answers(row_id, case), wanted.pairings())


def _lacking(facts: Facts, spec_id: int, wanted: Wanted, options: RunOptions) -> Iterator[int]:
    for place, (row, answers, passes) in enumerate(_joined(facts, spec_id), start=1):
        if options.limit is not None and place > options.limit:
            return
        if options.only and row.case_id not in options.only:
            continue
        if options.failed_only and not _failed(answers, passes):
            continue
        if not wanted.lacks_nothing(answers, passes):
            yield row.row_id


def _failed(answers: list[AnswerFact], passes: list[PassFact]) -> bool:
    return any(a.failure for a in answers) or any(p.tried and p.choice is None for p in passes)


def _joined(facts: Facts, spec_id: int) -> Iterator[tuple[RowFact, list[AnswerFact], list[PassFact]]]:
    """Walk the three streams together, a row at a time."""
    answers = groupby(facts.answers(spec_id), key=attrgetter("row_id"))
    passes = groupby(facts.passes(spec_id), key=attrgetter("row_id"))
    next_answers, next_passes = next(answers, None), next(passes, None)
    for row in facts.rows(spec_id):
        its_answers: list[AnswerFact] = []
        its_passes: list[PassFact] = []
        if next_answers is not None and next_answers[0] == row.row_id:
            its_answers = list(next_answers[1])
            next_answers = next(answers, None)
        if next_passes is not None and next_passes[0] == row.row_id:
            its_passes = list(next_passes[1])
            next_passes = next(passes, None)
        yield row, its_answers, its_passes
