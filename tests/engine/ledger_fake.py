"""Facts and records in lists: what the store keeps, without a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment
from bothways.engine.facts import Answer, Case, Failure, FailureKind, JsonObject, Message, PassResult
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import (
    AnswerFact,
    AnswerRef,
    AnswerUnit,
    Label,
    PassFact,
    PassUnit,
    Record,
    RowDetail,
    RowFact,
    SpecInfo,
    ToolFact,
)

__all__ = ["FakeLedger", "FakePass", "FakeRow"]

AT = "2026-08-06T10:00:00Z"


@dataclass(frozen=True, slots=True)
class FakePass:
    """One pass: the variants in the order shown, and what was said (None: unreadable)."""

    shown: tuple[str, ...]
    choice: int | None
    night: int = 1
    take: int = 1
    tried: bool = True
    judge: str = "judge"
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class FakeRow:
    """One case with its answers (None: not tried; a variant again: another night), passes and labels."""

    case: Case
    answers: tuple[tuple[str, Answer | None], ...]
    passes: tuple[FakePass, ...] = ()
    labels: tuple[tuple[str, str | None], ...] = ()


@dataclass
class FakeLedger:
    """One experiment. Ids are places in the list, counted from 1."""

    experiment: Experiment
    data: list[FakeRow]
    nights: int = 1
    takes: int = 1
    tried: list[tuple[str, str, str]] = field(default_factory=list)
    log: list[Record] = field(default_factory=list)

    def experiments(self) -> list[str]:
        return [self.experiment.name]

    def specs(self, experiment: str) -> list[SpecInfo]:
        if experiment != self.experiment.name:
            raise UsageError(f"There is no experiment {experiment}")
        judges = tuple(dict.fromkeys(p.judge for row in self.data for p in row.passes))
        names = tuple(variant.name for variant in self.experiment.variants)
        return [SpecInfo(1, experiment, AT, len(self.data), judges, names)]

    def spec(self, spec_id: int) -> Experiment:
        return self.experiment

    def extent(self, spec_id: int) -> tuple[int, int]:
        return self.nights, self.takes

    def rows(self, spec_id: int) -> Iterator[RowFact]:
        for number, row in enumerate(self.data, 1):
            yield RowFact(number, number, row.case.id, row.case.high_stakes, row.case.tags)

    def answers(self, spec_id: int) -> Iterator[AnswerFact]:
        for number, row in enumerate(self.data, 1):
            for unit, answer in _asked(number, row):
                yield _answer_fact(unit, answer)

    def passes(self, spec_id: int, judge: str | None = None) -> Iterator[PassFact]:
        for number, row in enumerate(self.data, 1):
            for p in row.passes:
                if judge in (None, p.judge):
                    order = 1 if p.shown[0] == row.answers[0][0] else 2
                    yield PassFact(
                        number, p.judge, p.shown, order, p.night, 1, p.take, p.tried, p.choice, _unread(p)
                    )

    def tools(self, spec_id: int) -> Iterator[ToolFact]:
        for number, row in enumerate(self.data, 1):
            detail = self.row(number)
            for variant in dict.fromkeys(variant for variant, _ in row.answers):
                answer = detail.newest(variant)
                for call in answer.tool_calls if answer else ():
                    yield ToolFact(number, variant, call.turn, call.name, canonical(call.arguments))

    def labels(self, spec_id: int) -> Iterator[Label]:
        for number, row in enumerate(self.data, 1):
            for annotator, verdict in row.labels:
                yield Label(number, annotator, verdict, "")

    def cases(self, spec_id: int) -> Iterator[tuple[int, Case]]:
        return ((number, row.case) for number, row in enumerate(self.data, 1))

    def case_rules(self, spec_id: int) -> Iterator[tuple[int, tuple[JsonObject, ...]]]:
        return ((number, case.tool_rules) for number, case in self.cases(spec_id) if case.tool_rules)

    def case(self, row_id: int) -> Case:
        return self.data[row_id - 1].case

    def tries(self, keys: Sequence[str]) -> dict[str, int]:
        return {}

    def row(self, row_id: int) -> RowDetail:
        row = self.data[row_id - 1]
        answers = tuple((unit, answer, AT if answer else "") for unit, answer in _asked(row_id, row))
        passes = tuple((_unit(row_id, row, p), _said(p), AT if p.tried else "") for p in row.passes)
        labels = tuple(Label(row_id, annotator, verdict, "") for annotator, verdict in row.labels)
        return RowDetail(row_id, row_id, row.case, answers, passes, labels)

    def row_ids(self, spec_id: int) -> Sequence[int]:
        return range(1, len(self.data) + 1)

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:
        return [record for record in self.log if kind in (None, record.kind)]

    def before(self, record: Record) -> FakeLedger:
        return replace(self, log=[earlier for earlier in self.log if earlier.seq < record.seq])

    def answers_by_key(self, keys: Sequence[str]) -> dict[str, AnswerRef]:
        return {}

    def answer(self, answer_id: int) -> Answer:
        raise KeyError(answer_id)

    def passes_done(self, keys: Sequence[str]) -> set[str]:
        return set()

    def pairings(self, baseline_digests: Sequence[str]) -> list[tuple[str, str, str]]:
        return self.tried

    def append(self, kind: Literal["review", "decision"], body: JsonObject, at: str) -> Record:
        prev = self.log[-1].hash if self.log else ""
        record = Record(len(self.log) + 1, at, kind, body, prev, digest(prev, kind, body, at))
        self.log.append(record)
        return record

    def broken(self) -> tuple[int, str] | None:
        return None


def _asked(row_id: int, row: FakeRow) -> Iterator[tuple[AnswerUnit, Answer | None]]:
    slots: dict[str, int] = {}
    nights: Counter[str] = Counter()
    for variant, answer in row.answers:
        nights[variant] += 1
        slot = slots.setdefault(variant, len(slots))
        night = nights[variant]
        yield AnswerUnit(f"{row_id}-{variant}-{night}", row_id, variant, slot, night), answer


def _answer_fact(unit: AnswerUnit, answer: Answer | None) -> AnswerFact:
    asked = (unit.row_id, unit.variant, unit.slot, unit.night, 1)
    if answer is None:
        return AnswerFact(*asked, None, None, "", "", "")
    there = None if answer.failure else unit.row_id * 100 + unit.slot
    return AnswerFact(
        *asked, there, answer.failure, answer.digest, answer.tools_digest, AT,
        answer.cost_usd, answer.duration_s, answer.model,
        answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.cached_tokens,
    )  # fmt: skip


def _unread(p: FakePass) -> Failure | None:
    unreadable = p.tried and p.choice is None
    return Failure(FailureKind.UNREADABLE, "no verdict in the reply") if unreadable else None


def _said(p: FakePass) -> PassResult | None:
    return PassResult(p.choice, p.rationale, failure=_unread(p)) if p.tried else None


def _unit(row_id: int, row: FakeRow, p: FakePass) -> PassUnit:
    order = 1 if p.shown[0] == row.answers[0][0] else 2
    return PassUnit(f"{row_id}-{order}", row_id, p.judge, p.shown, order, p.night, 1, p.take)


def case(case_id: str, *, high_stakes: bool | None = None, tags: dict[str, str] | None = None) -> Case:
    """A case that asks one thing."""
    return Case(case_id, (Message("user", f"Question {case_id}?"),), high_stakes=high_stakes, tags=tags or {})
