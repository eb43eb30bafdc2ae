"""Pairs out: an experiment as JSON lines that read back as the same facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TypeAlias

from bothways.engine.exchange.line import GOLD
from bothways.engine.exchange.parts import failure_line, message_line, money_line
from bothways.engine.exchange.reviews import carried
from bothways.engine.exchange.side import side_of
from bothways.engine.experiment import Experiment
from bothways.engine.facts import TIE, Answer, Case, JsonObject, JsonValue, PassResult
from bothways.engine.keys import canonical
from bothways.engine.ledger import AnswerUnit, Facts, Label, PassUnit, Record, RowDetail

__all__ = ["pair_lines", "write_pairs"]


def write_pairs(facts: Facts, spec_id: int, out: IO[str], *, reviews: bool = True) -> int:
    """Write every pair of answers of an experiment and return how many there were.

    A row whose two answers have not both been tried is no pair yet and is left out. Without `reviews`, what
    people said of the rows here stays here.
    """
    count = 0
    for _, line in pair_lines(facts, spec_id, reviews=reviews):
        out.write(canonical(line) + "\n")
        count += 1
    return count


def pair_lines(facts: Facts, spec_id: int, *, reviews: bool = True) -> Iterator[tuple[RowDetail, JsonObject]]:
    """Stream the lines, each with its row: one for each variant beside the row's first, and night."""
    experiment = facts.spec(spec_id)
    said = _reviews_by_row(facts.records(experiment.name, "review") if reviews else ())
    known = _of_the_experiment(experiment)
    for row_id in facts.row_ids(spec_id):
        row = facts.row(row_id)
        for line in _row_lines(row, experiment, said):
            yield row, line | known


def _of_the_experiment(experiment: Experiment) -> JsonObject:
    """Return what every line says of the whole: which of many is the baseline, and what was attested."""
    known: JsonObject = {}
    if len(experiment.variants) > 2:
        known["baseline"] = experiment.baseline.name
    if experiment.attest.one_change:
        known["attest"] = {"one_change": experiment.attest.one_change}
    return known


_Reviews: TypeAlias = dict[tuple[str, str], list[JsonObject]]


def _reviews_by_row(records: Iterable[Record]) -> _Reviews:
    """Group the reviews by case and candidate."""
    found: _Reviews = defaultdict(list)
    for review in carried(records):
        found[str(review.get("case")), str(review.get("candidate"))].append(review)
    return found


def _row_lines(row: RowDetail, experiment: Experiment, reviews: _Reviews) -> Iterator[JsonObject]:
    """Yield a line for each answer beside those of the variant that stands first in the row.

    Votes and reviews stand on the first line that they are about, and on no other.
    """
    front = min((unit.slot for unit, _, _ in row.answers), default=0)
    tried = [(unit, answer) for unit, answer, _ in row.answers if answer is not None]
    firsts = [(unit, answer) for unit, answer in tried if unit.slot == front]
    votes = list(row.labels)
    for other in [(unit, answer) for unit, answer in tried if unit.slot > front]:
        if first := _beside(other[0], firsts):
            line = _line(row, first, other, experiment)
            names = (first[0].variant, other[0].variant)
            line |= _votes([vote for vote in votes if vote.verdict in (*names, "tie", None)], row.case, names)
            votes = [vote for vote in votes if vote.verdict not in (*names, "tie", None)]
            said = [review for name in names for review in reviews.pop((row.case.id, name), [])]
            yield line | ({"reviews": list[JsonValue](said)} if said else {})


def _beside(
    unit: AnswerUnit, firsts: Sequence[tuple[AnswerUnit, Answer]]
) -> tuple[AnswerUnit, Answer] | None:
    """Return the first variant's answer of the same night and repeat, else the one that is reused."""
    same = [one for one in firsts if (one[0].night, one[0].repeat) == (unit.night, unit.repeat)]
    return next(iter(same or firsts), None)


def _line(
    row: RowDetail, first: tuple[AnswerUnit, Answer], other: tuple[AnswerUnit, Answer], experiment: Experiment
) -> JsonObject:
    names = (first[0].variant, other[0].variant)
    night = other[0].night
    passes = [(u, r) for u, r, _ in row.passes if r and set(u.shown) == set(names) and u.night == night]
    called = {call.name for _, answer in (first, other) for call in answer.tool_calls}
    line: JsonObject = {
        "pair_id": row.case.id,
        **_case_fields(row.case, experiment),
        "a": side_of(names[0], first[1]),
        "b": side_of(names[1], other[1]),
        "judgements": [_judgement(unit, result, names) for unit, result in passes],
    }
    for known, wanted in (("writes", True), ("reads", False)):
        if tools := sorted(name for name in called if experiment.writes(name) is wanted):
            line[known] = list[JsonValue](tools)
    return {**line, "night": night} if night > 1 else line


def _case_fields(case: Case, experiment: Experiment) -> JsonObject:
    fields: JsonObject = {
        "prompt": [message_line(message) for message in case.messages],
        "context": case.context,
        "reference": case.reference,
        "tags": dict(case.tags),
        "tool_rules": list(case.tool_rules),
        "checks": list(case.checks),
    }
    said = {name: value for name, value in fields.items() if value}
    if case.high_stakes is not None:
        said["high_stakes"] = case.high_stakes
    elif any(map(experiment.review.marks, case.tags.items())):
        said["high_stakes"] = True
    return said | {name: value for name, value in case.extra.items() if name != "humans"}


def _judgement(unit: PassUnit, result: PassResult, names: tuple[str, str]) -> JsonObject:
    extra = dict(result.extra)
    more = extra.pop("usage", None)
    line: JsonObject = {
        "judge": unit.judge,
        "shown_first": "A" if unit.shown[0] == names[0] else "B",
        "verdict": _verdict(unit, result, names),
        "rationale": result.rationale,
        "raw": result.raw,
        "reading": result.reading,
        "model": result.model,
        "error": failure_line(result.failure) if result.failure else None,
        "notes": list(result.notes),
    }
    if unit.take > 1:
        line["take"] = unit.take
    always = ("judge", "shown_first", "verdict", "reading")
    said = {name: value for name, value in line.items() if value or name in always}
    return said | money_line(result.usage, result.cost_usd, result.duration_s, more) | extra


def _verdict(unit: PassUnit, result: PassResult, names: tuple[str, str]) -> str | None:
    if result.choice is None:
        return None
    return "tie" if result.choice == TIE else "AB"[names.index(unit.shown[result.choice])]


def _votes(labels: Sequence[Label], case: Case, names: tuple[str, str]) -> JsonObject:
    letters = {names[0]: "A", names[1]: "B", "tie": "tie", None: None}
    more = case.extra.get("humans")
    people: list[JsonValue] = []
    votes: JsonObject = {}
    for label in labels:
        if label.annotator == GOLD and "gold" not in votes:
            votes["gold"] = letters[label.verdict]
            continue
        human: JsonObject = {"annotator": label.annotator, "verdict": letters[label.verdict]}
        unknown = more.get(label.annotator) if isinstance(more, dict) else None
        people.append(
            human
            | ({"note": label.note} if label.note else {})
            | (unknown if isinstance(unknown, dict) else {})
        )
    return votes | ({"humans": people} if people else {})
