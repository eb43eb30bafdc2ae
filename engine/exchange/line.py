"""One line of pairs as the facts it states, mapped from a and b to the variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import get_args

from bothways.engine.exchange.parts import (
    read_failure,
    read_money,
    read_objects,
    read_tags,
    read_turns,
)
from bothways.engine.exchange.reviews import read_reviews
from bothways.engine.exchange.side import answer_of
from bothways.engine.facts import TIE, Answer, Case, JsonObject, JsonValue, Message, PassResult, Reading
from bothways.engine.files.fields import Fields
from bothways.engine.files.node import Node
from bothways.engine.ledger import ImportedPass
from bothways.engine.names import LONGEST_CASE, check_name, check_person
from bothways.engine.pairs import seen
from bothways.engine.text import excerpt

__all__ = ["GOLD", "Line", "Seating", "line_of", "night_of", "pair_id_of", "sides_of"]

GOLD = "gold"
"""The annotator whose label a line's `gold` is."""

_LETTERS = ("A", "B")
_VOTES = ("A", "B", "tie")
_READINGS: tuple[Reading, ...] = get_args(Reading)
_MOST = 1000
"""Nights, or takes, that a file may hold: more is a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What a line needs to know of its file.

    `moved` is the variant that is put first wherever it stands (None: each line's `a` comes first).
    """

    experiment: str
    baseline: str
    moved: str | None
    as_reviews: bool


@dataclass(frozen=True, slots=True)
class Line:
    """What one line says of one pair on one night; `voted` is whether people's votes are in it."""

    case: Case
    night: int
    front: tuple[str, Answer]
    other: tuple[str, Answer]
    passes: tuple[ImportedPass, ...]
    labels: tuple[tuple[str, str | None, str], ...]
    reviews: tuple[JsonObject, ...]
    voted: bool


def sides_of(fields: Fields) -> dict[str, Fields]:
    """Return both sides by the names of their variants: A and B where the file gives none."""
    named: dict[str, Fields] = {}
    for letter in _LETTERS:
        side = fields.child(letter.lower())
        if side is None:
            fields.wrong(letter.lower(), "missing", "an object with one variant's answer")
            side = Fields(Node({}, fields.place.line), fields.at(letter.lower()), fields.problems)
        name = side.required("model") if "model" in side else letter
        check_name(name, side.at("model"), fields.problems)
        if name in named:
            side.wrong("model", f"{name!r} on both sides", "two different variants")
        named[name] = side
    return named


def pair_id_of(fields: Fields) -> str:
    """Return the id of the case that a line is about."""
    name = fields.required("pair_id")
    check_name(name, fields.at("pair_id"), fields.problems, LONGEST_CASE)
    return name


def night_of(fields: Fields) -> int:
    """Return the night that a line is of."""
    return fields.whole("night", 1, 1, _MOST)


def line_of(fields: Fields, seating: Seating) -> Line:
    """Return the facts of one line; what is wrong with it is noted in its problems."""
    night = night_of(fields)
    answers = {name: answer_of(side) for name, side in sides_of(fields).items()}
    names = tuple(answers)
    passes = _passes(fields, names, night)
    people, beside = _people(fields, names, signed=seating.as_reviews)
    gold = _vote(fields, "gold", names)
    reviews = read_reviews(fields, fields.text("pair_id"), names)
    case = _case(fields, beside, answers)
    labels = people
    votes: tuple[JsonObject, ...] = ()
    if seating.as_reviews and seating.baseline in answers:
        labels, votes = (), _as_reviews(people, case.id, answers, seating)
    front = seating.moved if seating.moved in answers else names[0]
    other = next(name for name in reversed(names) if name != front) if len(names) > 1 else front
    given = ({**one, "experiment": seating.experiment} for one in reviews)
    return Line(
        case=case,
        night=night,
        front=(front, answers[front]),
        other=(other, answers[other]),
        passes=passes,
        labels=(*labels, (GOLD, gold, "")) if gold else labels,
        reviews=(*given, *votes),
        voted=bool(people or gold),
    )


def _case(fields: Fields, people: JsonObject, answers: Mapping[str, Answer]) -> Case:
    prompt = tuple(turn.message for turn in read_turns(fields, "prompt"))
    case = Case(
        id=pair_id_of(fields),
        messages=prompt,
        context=fields.text("context"),
        reference=fields.text("reference"),
        tags=read_tags(fields),
        high_stakes=fields.flag("high_stakes", False) if "high_stakes" in fields else None,
        tool_rules=read_objects(fields, "tool_rules"),
        checks=read_objects(fields, "checks"),
    )
    for known_to_the_file in ("baseline", "attest", "writes", "reads"):
        fields.node(known_to_the_file)
    extra: JsonObject = fields.unasked()
    asked = prompt or _asked(extra.get("task"), answers)
    return replace(case, messages=asked, extra=extra | {"humans": people} if people else extra)


def _asked(task: JsonValue, answers: Mapping[str, Answer]) -> tuple[Message, ...]:
    """Return what both sides were asked first, or the task both had."""
    firsts = [
        next((m.content for m in answer.messages if m.role == "user"), "") for answer in answers.values()
    ]
    if task and firsts[0] != firsts[-1]:
        return (Message("user", _task_text(task)),)
    asked = firsts[0] or (_task_text(task) if task else "")
    return (Message("user", asked),) if asked else ()


def _task_text(task: JsonValue) -> str:
    if isinstance(task, dict):
        said = [(name.replace("_", " "), value) for name, value in task.items() if isinstance(value, str)]
        return "\n".join(f"{name}: {value}" for name, value in said)
    return task if isinstance(task, str) else ""


def _passes(fields: Fields, names: tuple[str, ...], night: int) -> tuple[ImportedPass, ...]:
    """Read the judgements; of two by one judge in one order and take nobody knows which counts."""
    passes: dict[tuple[str, tuple[str, ...], int], ImportedPass] = {}
    for judgement in fields.children("judgements"):
        read = _pass(judgement, names, night)
        if (said := (read.judge, read.shown, read.take)) in passes:
            found = f"a second judgement of {excerpt(read.judge, 40)} in this order"
            judgement.wrong(
                "shown_first",
                found,
                "each judge once in each order",
                "Give the later one its own take: 2, 3 …",
            )
        passes[said] = read
    return tuple(passes.values())


def _pass(judgement: Fields, names: tuple[str, ...], night: int) -> ImportedPass:
    if "shown_first" not in judgement:
        judgement.wrong("shown_first", "missing", "A or B")
    first = judgement.choice("shown_first", _LETTERS, "A")
    shown = names if first == "A" else names[::-1]
    _must_say(judgement)
    said = judgement.choice("verdict", _VOTES, None)
    money = read_money(judgement)
    judge, take = judgement.required("judge"), judgement.whole("take", 1, 1, _MOST)
    result = PassResult(
        choice=_choice(said, first),
        rationale=judgement.text("rationale"),
        raw=judgement.text("raw"),
        reading=judgement.choice("reading", _READINGS, "recorded"),
        usage=money.usage,
        cost_usd=money.cost_usd,
        duration_s=money.duration_s,
        model=judgement.optional("model"),
        failure=read_failure(judgement),
        notes=money.notes,
        extra=judgement.unasked() | ({"usage": money.extra} if money.extra else {}),
    )
    return ImportedPass(judge, shown, result, night, take)


def _choice(said: str | None, first: str) -> int | None:
    """Return the place that was named: verdicts are of a and b, choices of the order shown."""
    if said is None:
        return None
    return TIE if said == "tie" else int(said != first)


def _must_say(fields: Fields) -> None:
    if not fields.has("verdict"):
        fields.wrong("verdict", "missing", "A, B, tie or null")


def _vote(fields: Fields, name: str, names: tuple[str, ...]) -> str | None:
    vote = fields.choice(name, _VOTES, None)
    return vote if vote is None or vote == "tie" else names[_LETTERS.index(vote) % len(names)]


def _people(
    fields: Fields, names: tuple[str, ...], *, signed: bool
) -> tuple[tuple[tuple[str, str | None, str], ...], JsonObject]:
    """Return people's votes, and by annotator what else stood beside; `signed` where they become reviews."""
    votes: list[tuple[str, str | None, str]] = []
    beside: JsonObject = {}
    for human in fields.children("humans"):
        _must_say(human)
        annotator = human.required("annotator")
        if signed:
            check_person(annotator, human.at("annotator"), human.problems)
        votes.append((annotator, _vote(human, "verdict", names), human.text("note")))
        if more := human.unasked():
            beside[annotator] = more
    return tuple(votes), beside


def _as_reviews(
    people: tuple[tuple[str, str | None, str], ...],
    case: str,
    answers: Mapping[str, Answer],
    seating: Seating,
) -> tuple[JsonObject, ...]:
    """Return the bodies of review records, standing on the answers that the file holds."""
    candidate = next(name for name in answers if name != seating.baseline)
    stood_on = seen(answers[seating.baseline], answers[candidate])
    assert stood_on is not None
    roles = {seating.baseline: "baseline", candidate: "candidate"}
    stands_on: JsonObject = {
        "experiment": seating.experiment,
        "candidate": candidate,
        "case": case,
        "pair": stood_on.pair,
        "tools": stood_on.tools,
    }
    return tuple(
        {
            **stands_on,
            "act": "verdict",
            "verdict": roles.get(verdict, verdict),
            "both_bad": False,
            "reviewer": annotator,
            "note": note,
            "reason": "came in with the file",
        }
        for annotator, verdict, note in people
        if verdict
    )
