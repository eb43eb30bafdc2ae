"""One line of pairs as the facts it states, mapped from a and b to the variants."""

from __future__ import annotations

from dataclasses import dataclass

from bothways.engine.exchange.line import HumanLine, JudgementLine, PairLine
from bothways.engine.exchange.side import answer_of, failure_of, known_cost, messages_of, usage_of
from bothways.engine.facts import TIE, Answer, Case, JsonObject, JsonValue, Message, PassResult
from bothways.engine.ledger import ImportedRow
from bothways.engine.pairs import seen

__all__ = ["GOLD", "Seating", "row_of"]

GOLD = "gold"
"""The annotator whose label a line's `gold` is."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What a row needs to know of its file.

    `moved` is the variant that is put first wherever it stands (None: each line's `a` comes first).
    """

    experiment: str
    baseline: str
    moved: str | None
    as_reviews: bool


def row_of(pair: PairLine, seating: Seating) -> ImportedRow:
    """Return the facts of one line, the baseline's answer first."""
    name_a, name_b = pair.variants
    answers = {name_a: answer_of(pair.a), name_b: answer_of(pair.b)}
    order = (name_b, name_a) if seating.moved == name_b else (name_a, name_b)
    labels, reviews = _votes(pair, seating, answers)
    return ImportedRow(
        case=_case(pair),
        answers=tuple((name, answers[name]) for name in order),
        passes=tuple(_pass(judgement, pair) for judgement in pair.judgements),
        labels=labels,
        reviews=(*({**review, "experiment": seating.experiment} for review in pair.reviews), *reviews),
    )


def _case(pair: PairLine) -> Case:
    extra = pair.unknown
    if more := _people_extra(pair.humans):
        extra["humans"] = more
    return Case(
        id=pair.pair_id,
        messages=_asked(pair),
        context=pair.context,
        reference=pair.reference,
        tags=pair.tags,
        high_stakes=pair.high_stakes,
        tool_rules=pair.tool_rules,
        checks=pair.checks,
        extra=extra,
    )


def _asked(pair: PairLine) -> tuple[Message, ...]:
    """Return the prompt; where there is none, what both sides were asked first, or the task both had."""
    if pair.prompt:
        return messages_of(pair.prompt)
    firsts = [next((m.content for m in side.messages if m.role == "user"), "") for side in (pair.a, pair.b)]
    task = pair.unknown.get("task")
    if task and firsts[0] != firsts[1]:
        return (Message("user", _task_text(task)),)
    asked = firsts[0] or firsts[1] or (_task_text(task) if task else "")
    return (Message("user", asked),) if asked else ()


def _task_text(task: JsonValue) -> str:
    if isinstance(task, dict):
        said = [(name.replace("_", " "), value) for name, value in task.items() if isinstance(value, str)]
        return "\n".join(f"{name}: {value}" for name, value in said)
    return task if isinstance(task, str) else ""


def _people_extra(humans: tuple[HumanLine, ...]) -> JsonObject:
    return {human.annotator: human.unknown for human in humans if human.unknown}


def _pass(line: JudgementLine, pair: PairLine) -> tuple[str, tuple[str, ...], PassResult]:
    name_a, name_b = pair.variants
    shown = (name_a, name_b) if line.shown_first == "A" else (name_b, name_a)
    usage = usage_of(line.usage)
    cost, notes = known_cost(line.cost_usd, usage, line.notes)
    extra = line.unknown
    if line.usage and line.usage.unknown:
        extra["usage"] = line.usage.unknown
    result = PassResult(
        choice=_choice(line),
        rationale=line.rationale,
        raw=line.raw,
        reading=line.reading,
        usage=usage,
        cost_usd=cost,
        duration_s=line.duration_s,
        model=line.model,
        failure=failure_of(line.error),
        notes=notes,
        extra=extra,
    )
    return line.judge, shown, result


def _choice(line: JudgementLine) -> int | None:
    """Return the place that was named: verdicts are of a and b, choices of the order shown."""
    if line.verdict is None:
        return None
    if line.verdict == "tie":
        return TIE
    return 0 if line.verdict == line.shown_first else 1


def _named(verdict: str | None, pair: PairLine) -> str | None:
    return dict(zip("AB", pair.variants, strict=True)).get(verdict, verdict) if verdict else None


def _votes(
    pair: PairLine, seating: Seating, answers: dict[str, Answer]
) -> tuple[tuple[tuple[str, str | None, str], ...], tuple[JsonObject, ...]]:
    """Return the labels and the reviews that people's votes are; gold is a label always."""
    gold = ((GOLD, _named(pair.gold, pair), ""),) if pair.gold else ()
    people = tuple((human.annotator, _named(human.verdict, pair), human.note) for human in pair.humans)
    if not seating.as_reviews or seating.baseline not in answers:
        return (*people, *gold), ()
    reviews = tuple(
        _review(annotator, verdict, note, pair, seating, answers)
        for annotator, verdict, note in people
        if verdict
    )
    return gold, reviews


def _review(
    annotator: str, verdict: str, note: str, pair: PairLine, seating: Seating, answers: dict[str, Answer]
) -> JsonObject:
    """Return the body of a review record, standing on the answers that the file holds."""
    candidate = next(name for name in pair.variants if name != seating.baseline)
    stands_on = seen(answers[seating.baseline], answers[candidate])
    assert stands_on is not None
    sides = {seating.baseline: "baseline", candidate: "candidate"}
    return {
        "experiment": seating.experiment,
        "candidate": candidate,
        "case": pair.pair_id,
        **stands_on._asdict(),
        "act": "verdict",
        "verdict": sides.get(verdict, verdict),
        "both_bad": False,
        "reviewer": annotator,
        "note": note,
        "reason": "came in with the file",
    }
