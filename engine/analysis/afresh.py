"""One row derived again from its facts in full: what it adds up to by now, and from which passes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.analysis.outcomes import Asked, Judged, judged, newest_complete
from bothways.engine.analysis.tools import compare
from bothways.engine.facts import PassResult
from bothways.engine.ledger import AnswerFact, PassFact, PassUnit, RowDetail
from bothways.engine.rules import Call

__all__ = ["afresh", "counting", "judged_in_full"]


def afresh(row: RowEvidence, detail: RowDetail, evidence: Evidence) -> RowEvidence:
    """Return the row with what its answers, calls and passes add up to by now; what people said stays."""
    spec = evidence.experiment
    asked = Asked.of(spec, evidence.candidate, evidence.nights, evidence.takes)
    said = judged_in_full(detail, evidence.judge, asked)
    return row._replace(
        outcome=said.outcome,
        winner=said.winner,
        first=said.first,
        second=said.second,
        failed=said.failed,
        tools=_tools(detail, evidence),
    )


def judged_in_full(detail: RowDetail, judge: str, asked: Asked) -> Judged:
    """Return what the passes of one judge on a row add up to: `judged`, from the row in full."""
    answers = list(_answers(detail))
    return judged(
        [fact for fact in answers if fact.variant == asked.baseline],
        [fact for fact in answers if fact.variant == asked.candidate],
        asked.over(_passes(detail, judge)),
        asked,
    )


def counting(detail: RowDetail, evidence: Evidence) -> list[tuple[PassUnit, PassResult | None]]:
    """Return the passes that the row's outcome rests on, night by night, the first pass before the second.

    They are those of the newest take that is complete; where none is, those of the newest (None: not tried).
    """
    asked = Asked.of(evidence.experiment, evidence.candidate, evidence.nights, evidence.takes)
    sides = {asked.baseline, asked.candidate}
    mine = [one for one in detail.passes if one[0].judge == evidence.judge and set(one[0].shown) == sides]
    mine.sort(key=lambda one: (one[0].night, one[0].repeat, one[0].take, one[0].order))
    found: list[tuple[PassUnit, PassResult | None]] = []
    for _, night in groupby(mine, key=lambda one: (one[0].night, one[0].repeat)):
        passes = [(unit, result) for unit, result, _ in night]
        complete = newest_complete([_fact(unit, result) for unit, result in passes], asked)
        take = complete[0].take if complete else passes[-1][0].take
        found += [(unit, result) for unit, result in passes if unit.take == take]
    return found


def _answers(detail: RowDetail) -> Iterator[AnswerFact]:
    for unit, answer, at in detail.answers:
        asked = (unit.row_id, unit.variant, unit.slot, unit.night, unit.repeat)
        if answer is None:
            yield AnswerFact(*asked, None, None, "", "", "")
        else:
            number = 0 if answer.failure is None else None
            yield AnswerFact(*asked, number, answer.failure, answer.digest, answer.tools_digest, at)


def _passes(detail: RowDetail, judge: str) -> Iterator[PassFact]:
    return (_fact(unit, result) for unit, result, _ in detail.passes if unit.judge == judge)


def _fact(unit: PassUnit, result: PassResult | None) -> PassFact:
    asked = (unit.row_id, unit.judge, unit.shown, unit.order, unit.night, unit.repeat, unit.take)
    said = (None, None) if result is None else (result.choice, result.failure)
    return PassFact(*asked, result is not None, *said)


def _tools(detail: RowDetail, evidence: Evidence) -> ToolState:
    spec = evidence.experiment
    old, new = detail.newest(spec.baseline.name), detail.newest(evidence.candidate)
    if old is None or new is None or old.failure is not None or new.failure is not None:
        return ToolState.NONE
    before, after = ([Call.of(call) for call in answer.tool_calls] for answer in (old, new))
    return compare(before, after, detail.case.tool_rules, writes=spec.writes).state
