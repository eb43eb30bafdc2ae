"""JSON and JSON lines, with the line on which each record begins; NaN and doubled keys are errors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator

from bothways.engine.errors import DataError, Place
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.files.node import Node
from bothways.engine.text import cleaned

__all__ = ["DEEPEST", "parse_json", "read_json", "read_json_lines"]


class _NotJson(ValueError):
    """What the standard forbids and Python's reader lets through."""


def _constant(name: str) -> float:
    raise _NotJson(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NotJson("a number out of range")
    return number


def _once(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _NotJson("a key stands twice in one object")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_constant, parse_float=_finite)
DEEPEST = 100
"""Levels that a value may have."""
_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str, place: Place) -> JsonValue:
    """Read the one JSON value that begins at `place`; the message never repeats the content."""
    value, end = _decode(text, _skip(text, 0), place)
    if end < len(text):
        raise DataError(_at(place, text, end), "more text after the JSON value", "one JSON value")
    return value


def read_json(text: str, file: str) -> Node:
    """Read a document; the elements of an array know the lines on which they begin."""
    start = _skip(text, 0)
    first = Place(file, 1)
    at = _at(first, text, start)
    if not text.startswith("[", start):
        return Node.of(parse_json(text, first), at.line)
    return Node(list(_elements(text, start + 1, first)), at.line)


def read_json_lines(lines: Iterable[str], file: str) -> Iterator[Node]:
    """Read one object a line; blank lines are nothing, anything else is an error with its line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = Place(file, number)
        if number == 1 and line.lstrip().startswith("["):
            raise DataError(
                place, "a JSON array", "one JSON object a line", "Call the file .json to read it so."
            )
        value = parse_json(line, place)
        if not isinstance(value, dict):
            raise DataError(place, "JSON, but no object", "one JSON object a line")
        yield Node.of(value, number)


def _elements(text: str, position: int, first: Place) -> Iterator[Node]:
    place, counted = first, 0
    position = _skip(text, position)
    if not text.startswith("]", position):
        while True:
            place, counted = Place(place.file, place.line + text.count("\n", counted, position)), position
            value, end = _decode(text, position, first)
            yield Node.of(value, place.line)
            if not text.startswith(",", end):
                break
            position = _skip(text, end + 1)
        position = end
    if not text.startswith("]", position):
        raise DataError(_at(first, text, position), "a list that goes on without a comma", "“,” or “]”")
    if _skip(text, position + 1) < len(text):
        raise DataError(_at(first, text, position), "more text after the list", "one JSON value")


def _decode(text: str, position: int, first: Place) -> tuple[JsonValue, int]:
    """Read the value at `position` of a text that begins at `first`; return it and what follows it."""
    place = _at(first, text, position)
    try:
        value, end = _DECODER.raw_decode(text, position)
        _refuse_depth(value, text, position, end)
        if _SURROGATE.search(text, position, end):
            value = cleaned(value)
    except json.JSONDecodeError as error:
        place = _at(first, text, error.pos)
        raise DataError(place, f"broken JSON at column {error.colno} ({error.msg})", "JSON") from error
    except _NotJson as error:
        raise DataError(place, str(error), "JSON") from error
    except RecursionError as error:
        raise DataError(place, "JSON nested too deeply", "JSON") from error
    except ValueError as error:  # an integer of thousands of digits
        raise DataError(place, "a number out of range", "JSON") from error
    return value, _skip(text, end)


def _refuse_depth(value: JsonValue, text: str, position: int, end: int) -> None:
    """Raise where a value is nested deeper than what stores and shows it can follow."""
    if text.count("[", position, end) + text.count("{", position, end) <= DEEPEST:
        return
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST + 1):
        inside = [
            one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)
        ]
        level = [item for items in inside for item in items]
        if not level:
            return
    raise _NotJson(f"nested deeper than {DEEPEST} levels")


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _at(first: Place, text: str, position: int) -> Place:
    """Return the place of `position` in a text that begins at `first`."""
    return Place(first.file, first.line + text.count("\n", 0, position), first.field)
