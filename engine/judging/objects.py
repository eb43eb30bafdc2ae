"""Verdict objects in a judge's reply: strict JSON wherever it stands, else what `json-repair` makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import json_repair

from bothways.engine.facts import JsonValue
from bothways.engine.judging.labels import fold

__all__ = ["Found", "Stated", "parse", "repaired", "scan", "statements"]

_WRAPPERS = frozenset(
    {
        "response", "result", "output", "answer", "final_answer", "verdict", "judgement", "judgment",
        "evaluation", "json", "data", "arguments", "parameters",
    }
)  # fmt: skip
_REPAIRABLE = 50_000
"""Characters of a broken object: a repair takes quadratic time, and no verdict is that long."""


class Stated(NamedTuple):
    """One object's `winner` and `rationale`, as they were written."""

    winner: JsonValue
    rationale: JsonValue


class Found(NamedTuple):
    """What a text holds: objects as (value, does it stand as a verdict?), the prose, the broken rest."""

    objects: tuple[tuple[JsonValue, bool], ...]
    prose: str
    broken: str


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _pairs(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Keep every value of a doubled key, as a list, so that a second `winner` is seen."""
    found: dict[str, JsonValue] = {}
    for key, value in pairs:
        found[key] = [found[key], value] if key in found and found[key] != value else value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def parse(text: str) -> JsonValue:
    """Read a text that is one JSON value and nothing else; ValueError where it is not."""
    try:
        value: JsonValue = _DECODER.decode(text.strip().removeprefix("\ufeff"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def statements(value: JsonValue) -> Iterator[Stated]:
    """Yield what a value says about a winner: itself, one level of wrapper, a list, JSON in a string."""
    if isinstance(value, str):
        try:
            value = parse(value)
        except ValueError:
            return
    yield from _own(value)
    match value:
        case list():
            inner = value
        case dict():
            inner = [part for key, part in value.items() if fold(key).strip().casefold() in _WRAPPERS]
        case _:
            inner = []
    for part in inner:
        if isinstance(part, str) and part.lstrip().startswith("{"):
            try:
                part = parse(part)
            except ValueError:
                continue
        yield from _own(part)


def _own(value: JsonValue) -> Iterator[Stated]:
    if isinstance(value, dict):
        names = {key: fold(key).strip().casefold() for key in value}
        rationale = next((value[key] for key, name in names.items() if name == "rationale"), "")
        for key, name in names.items():
            if name == "winner":
                yield Stated(value[key], rationale)


# Most braces of a text begin no object, and a failed parse costs as much as what stands before it.
_BEGINS = re.compile(r"""\{(?=\s*(?:["'“”‘’＂}]|winner|rationale))""", re.IGNORECASE)
# An object that was meant as one: what follows its brace is a key. A brace in prose is left alone.
_MEANT = re.compile(
    r"""\{\s*(?:["'“”‘’＂][^{}\n]{0,80}?["'“”‘’＂]\s*[:：]|(?:winner|rationale)\s*[:：=])""", re.IGNORECASE
)
# Where an object counts as the reply's own word: at the start of a line or sentence, in a fence, after a cue.
_CUES = "final|verdict|final answer|judge?ment|evaluation|decision|result|conclusion|comparison|json"
_STANDS = re.compile(rf"(?:^|[.!?]|(?:```|~~~)[ \t]*\w*|\b(?:{_CUES})\b(?:\s+is)?\W*?)\s*$", re.IGNORECASE)
_BEFORE = 300
"""Characters of its own line that are looked at before an object."""


def scan(text: str) -> Found:
    """Find the JSON objects of a text, from left to right.

    Where one was begun and is broken, everything from there on is `broken`: an object inside it may be a
    quotation, and is never read as a verdict of its own.
    """
    objects: list[tuple[JsonValue, bool]] = []
    prose: list[str] = []
    at = 0
    for brace in _BEGINS.finditer(text):
        start = brace.start()
        if start < at:
            continue
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            if _MEANT.match(text, start):
                return Found(tuple(objects), "".join([*prose, text[at:start]]), text[start:])
            continue
        line = text[max(start - _BEFORE, text.rfind("\n", 0, start) + 1) : start]
        objects.append((value, bool(_STANDS.search(line))))
        prose.append(text[at:start])
        at = end
    return Found(tuple(objects), "".join([*prose, text[at:]]), "")


_ILLEGAL_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
_LITERAL = re.compile(r'\\(?!["\\])')
_WINNER = r"""["']?winner["']?\s*[:=]\s*"""
_VALUE = r"""("[^"]*"|'[^']*'|[^\s,}\]"'][^,}\]"'\n]*)"""
_MENTIONED = re.compile(rf"""{_WINNER}("[^"]*"?|'[^']*'?|[^\s,}}\]"']*)""", re.IGNORECASE)
_PLACED = re.compile(rf"\{{\s*{_WINNER}{_VALUE}\s*[,}}]|,\s*{_WINNER}{_VALUE}\s*\}}", re.IGNORECASE)


def repaired(broken: str) -> list[Stated]:
    """Return what a broken object says, and every other winner that its text mentions.

    A repair guesses where a string ends, so it is believed only for a `winner` that opens the object or
    closes it; a mention elsewhere can only contradict. An empty list means that no winner can be told.
    """
    if _ILLEGAL_ESCAPE.search(broken):  # whoever wrote `\$5` did not mean `C:\new` as a line break either
        broken = _LITERAL.sub(r"\\\\", broken)
    folded = fold(broken)
    if len(broken) > _REPAIRABLE or not _PLACED.search(folded):
        return []
    try:
        value = _plain(json_repair.loads(broken, skip_json_loads=True))
    except (ValueError, RecursionError):
        return []
    found = list(statements(value))
    if not found:
        return []
    placed = [
        Stated((one or other).strip("\"'"), found[0].rationale) for one, other in _PLACED.findall(folded)
    ]
    mentioned = [Stated(written.strip("\"'"), "") for written in _MENTIONED.findall(folded)]
    return [*found, *placed, *mentioned]


def _plain(value: object) -> JsonValue:
    """Take json-repair's answer as plain data; its types promise less than it does."""
    plain: JsonValue = json.loads(json.dumps(value))
    return plain
