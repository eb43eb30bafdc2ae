"""From a judge's reply to a verdict, or to the reason why there is none.

The ladder: strict JSON (the whole reply, a tool call's arguments, objects in the text); what `json-repair`
makes of a broken object; a final mark in free text. Whatever disagrees, hedges or is cut off says
nothing: never a default, never the first letter found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.engine.facts import TIE, JsonValue, Reply
from bothways.engine.judging.labels import choice_of
from bothways.engine.judging.markers import marked
from bothways.engine.judging.objects import Stated, parse, repaired, scan, statements
from bothways.engine.text import clean, excerpt

__all__ = ["Reading", "Rung", "holds_verdict", "is_cut_off", "is_filtered", "raw_text", "read_verdict"]

Rung: TypeAlias = Literal["", "json", "repaired", "text"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    `choice` is a place in the list shown, TIE, or None. `reading` is the rung that found it. `problem` says,
    without a choice, why there is none; with one, what is doubtful about it ("" where nothing is).
    """

    choice: int | None = None
    rationale: str = ""
    reading: Rung = ""
    problem: str = ""


def read_verdict(reply: Reply, labels: Sequence[str], allow_tie: bool = True) -> Reading:
    """Read one reply to a question whose answers were called `labels`; pure, and never raises."""
    if is_filtered(reply) and not (reply.content or "").strip():
        return Reading(problem=f"withheld: {excerpt(reply.refusal or reply.finish_reason or '', 120)}")
    reading = _read(reply, labels)
    if reading.choice == TIE and not allow_tie:
        return Reading(problem="a tie, which is not allowed here")
    if reading.choice is None and is_cut_off(reply):
        return Reading(
            problem="cut off before a verdict" if raw_text(reply).strip() else "cut off before a word"
        )
    return reading


def is_cut_off(reply: Reply) -> bool:
    """Whether the reply stopped because of a limit, not because it was finished."""
    return reply.finish_reason in ("length", "max_tokens", "content_filter")


def is_filtered(reply: Reply) -> bool:
    """Whether the provider, or the model, withheld the reply."""
    return reply.finish_reason == "content_filter" or bool(reply.refusal)


def raw_text(reply: Reply) -> str:
    """Return the judge's own words, which may stand in a tool call or be a refusal."""
    if reply.content and reply.content.strip():
        return clean(reply.content)
    if reply.tool_calls:
        return clean("\n".join(_shown(call.arguments) for call in reply.tool_calls))
    return clean(reply.refusal or reply.content or "")


def holds_verdict(text: str, labels: Sequence[str]) -> bool:
    """Whether an answer holds what a judge's verdict looks like: it may be meant to be taken for one."""
    if not _VERDICT_WORD.search(text):
        return False
    objects = scan(text).objects
    return any(True for value, _ in objects for _ in statements(value)) or bool(marked(text, labels))


_VERDICT_WORD = re.compile(r"winner|verdict|\[\[|final (?:answer|decision|judg)", re.IGNORECASE)


def _read(reply: Reply, labels: Sequence[str]) -> Reading:
    content = reply.content or ""
    called = [stated for call in reply.tool_calls for stated in statements(call.arguments)]
    try:
        strict = [*called, *statements(parse(content))]
    except ValueError:
        return _read_text(_without_reasoning(content), called, labels, cut_off=is_cut_off(reply))
    return _agreed(strict, labels, "json") if strict else _unmarked(content, labels)


def _read_text(text: str, called: list[Stated], labels: Sequence[str], *, cut_off: bool) -> Reading:
    found = scan(text)
    strict = [(stated, stands) for value, stands in found.objects for stated in statements(value)]
    mended = repaired(found.broken)
    if found.broken and not mended and re.search("winner", found.broken, re.IGNORECASE):
        return Reading(problem="a broken object whose winner cannot be told")
    marks = set() if cut_off else marked(found.prose, labels)
    stated = [*called, *(one for one, _ in strict), *mended]
    if not stated:
        return _from_marks(marks, text, labels) if not cut_off else Reading(problem="no verdict")
    firm = bool(called or mended or any(stands for _, stands in strict))
    if not firm and not marks:
        return Reading(problem="a verdict in passing only")
    reading = _agreed(stated, labels, "repaired" if mended else "json" if firm else "text")
    if marks - {reading.choice} and reading.choice is not None:
        return Reading(problem="verdicts that disagree")
    return (
        Reading(reading.choice, reading.rationale, reading.reading, "cut off")
        if cut_off and mended
        else reading
    )


def _from_marks(marks: set[int | None], text: str, labels: Sequence[str]) -> Reading:
    if not marks:
        return _unmarked(text, labels)
    if len(marks) > 1:
        return Reading(problem="verdicts that disagree")
    (choice,) = marks
    if choice is None:
        return Reading(problem="a final verdict that names no answer")
    return Reading(choice, clean(text).strip(), "text")


def _unmarked(text: str, labels: Sequence[str]) -> Reading:
    """Read a reply that has no mark: only one that is a label and nothing else says something."""
    if not text.strip():
        return Reading(problem="an empty reply")
    choice = choice_of(text.strip(), labels) if len(text.strip()) <= 40 else None
    return Reading(problem="no verdict") if choice is None else Reading(choice, "", "text")


def _agreed(stated: Sequence[Stated], labels: Sequence[str], rung: Rung) -> Reading:
    choices = {choice_of(s.winner, labels) if isinstance(s.winner, str) else None for s in stated}
    if len(choices) > 1:
        return Reading(problem="verdicts that disagree")
    (choice,) = choices
    if choice is None:
        return Reading(problem=f"the winner {excerpt(_shown(stated[0].winner), 40)!r} names no answer")
    rationale = next((s.rationale for s in reversed(stated) if s.rationale != ""), "")
    return Reading(choice, clean(_shown(rationale)).strip(), rung)


def _shown(value: JsonValue) -> str:
    """Return text as it is and anything else as readable JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_REASONING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def _without_reasoning(text: str) -> str:
    """Drop what the judge thought aloud: whole blocks, one whose opener is missing, one never closed.

    A reply that begins as JSON has none: a tag inside it is quoted by its rationale.
    """
    if text.lstrip().startswith(("{", "[", '"', "```", "~~~")):
        return text
    kept: list[str] = []
    at, inside = 0, False
    for tag in _REASONING.finditer(text):
        closes = bool(tag[1])
        if closes and not inside:
            kept.clear()  # its opener is missing: all before it was thought
        elif not closes and not inside:
            kept.append(text[at : tag.start()])
        at, inside = tag.end(), not closes
    return "".join(kept if inside else [*kept, text[at:]])
