"""What a run has to do: what the spec asks for, less what is there.

Resuming, retrying, another judge, another candidate, another night, another take: all are this one
subtraction. Rows that lack nothing are passed over without being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import Case
from bothways.engine.keys import digest
from bothways.engine.ledger import AnswerFact, AnswerUnit, Facts, PassFact, RowFact
from bothways.engine.ledger.streams import RowStream
from bothways.engine.methods.base import Comparison
from bothways.engine.methods.open import open_method
from bothways.engine.run.options import RunOptions
from bothways.engine.targets.seen import as_object

__all__ = ["RowPlan", "Wanted", "answer_key", "lacking", "plan", "was_tried"]


class Wanted:
    """What the spec asks of every row; with `freeze` nothing but the baseline's answers."""

    def __init__(self, experiment: Experiment, nights: int, take: int, *, freeze: bool = False) -> None:
        self._answers = tuple(_answers(experiment, nights, freeze=freeze))
        self._judge = experiment.judge.name if experiment.judge else ""
        self._take = take
        method = open_method(experiment)
        self.comparisons = () if freeze else method.comparisons(nights)
        self._shown = {(shown, c.night) for c in self.comparisons for shown in method.orders(c)}

    def answers(self, row_id: int, case: Case) -> tuple[AnswerUnit, ...]:
        """Return the answers one row needs."""
        return tuple(
            AnswerUnit(answer_key(case, variant, night), row_id, variant.name, slot, night)
            for slot, variant, night in self._answers
        )

    def lacks_nothing(self, answers: list[AnswerFact], passes: list[PassFact]) -> bool:
        """Tell whether one row has all its answers and passes."""
        have = {(a.variant, a.night) for a in answers if a.answer_id is not None and a.failure is None}
        if not all((variant.name, night) in have for _, variant, night in self._answers):
            return False
        return self._shown <= {(p.shown, p.night) for p in self._mine(passes) if p.choice is not None}

    def was_tried(self, answers: list[AnswerFact], passes: list[PassFact]) -> bool:
        """Tell whether everything one row needs was tried; what was tried in vain was."""
        tried = {(a.variant, a.night): a.failure for a in answers if a.answer_id is not None or a.failure}
        if not all((variant.name, night) in tried for _, variant, night in self._answers):
            return False
        return any(tried.values()) or self._shown <= {(p.shown, p.night) for p in self._mine(passes)}

    def _mine(self, passes: list[PassFact]) -> Iterator[PassFact]:
        return (p for p in passes if p.tried and p.judge == self._judge and p.take == self._take)


def _answers(experiment: Experiment, nights: int, *, freeze: bool) -> Iterator[tuple[int, Variant, int]]:
    """Yield the slot, variant and night of each answer; the baseline is frozen on its first night."""
    for slot, variant in enumerate(experiment.variants[:1] if freeze else experiment.variants):
        for night in range(1, nights + 1 if slot else 2):
            yield slot, variant, night


@dataclass(frozen=True, slots=True)
class RowPlan:
    """One row that lacks something: its case, its answers and its comparisons."""

    row_id: int
    case: Case
    answers: tuple[AnswerUnit, ...]
    comparisons: tuple[Comparison, ...]


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
    wanted = _wanted(facts, spec_id, options)
    for row_id in [*lacking(facts, spec_id, options)]:
        case = facts.case(row_id)
        yield RowPlan(row_id, case, wanted.answers(row_id, case), wanted.comparisons)


def lacking(facts: Facts, spec_id: int, options: RunOptions) -> Iterator[int]:
    """Stream the ids of the rows that lack something."""
    wanted = _wanted(facts, spec_id, options)
    for place, (row, answers, passes) in enumerate(_walk(facts, spec_id), start=1):
        if options.limit is not None and place > options.limit:
            return
        if options.only and row.case_id not in options.only:
            continue
        if options.failed_only and not _failed(answers, passes):
            continue
        if not wanted.lacks_nothing(answers, passes):
            yield row.row_id


def was_tried(facts: Facts, spec_id: int) -> bool:
    """Tell whether everything was tried: then the newest night and take are finished."""
    wanted = _wanted(facts, spec_id, RunOptions())
    return all(wanted.was_tried(answers, passes) for _, answers, passes in _walk(facts, spec_id))


def _wanted(facts: Facts, spec_id: int, options: RunOptions) -> Wanted:
    nights, take = facts.extent(spec_id)
    return Wanted(facts.spec(spec_id), nights, take, freeze=options.freeze)


def _walk(facts: Facts, spec_id: int) -> Iterator[tuple[RowFact, list[AnswerFact], list[PassFact]]]:
    answers, passes = RowStream(facts.answers(spec_id)), RowStream(facts.passes(spec_id))
    for row in facts.rows(spec_id):
        yield row, answers.take(row.row_id), passes.take(row.row_id)


def _failed(answers: list[AnswerFact], passes: list[PassFact]) -> bool:
    return any(a.failure for a in answers) or any(p.tried and p.choice is None for p in passes)
