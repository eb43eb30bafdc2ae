"""JSON lines, read one by one, each error with its line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from bothways.engine.errors import DataError, Place
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.text import clean, excerpt

__all__ = ["field_error", "kind_of", "read_json", "read_lines"]

_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


def read_lines(path: Path) -> Iterator[tuple[int, JsonObject]]:
    """Stream the objects of a file of JSON lines with their line numbers; blank lines are skipped.

    UTF-8, or what a byte order mark declares. NaN and infinities are refused, lone surrogates become
    U+FFFD. Raises DataError for the first line that is not an object.
    """
    file = str(path)
    for number, text in _texts(path, file):
        if text.strip():
            yield number, _object(text, Place(file, number))


def _texts(path: Path, file: str) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as source:
            head = source.read(4)
            encoding = next((name for mark, name in _BOMS if head.startswith(mark)), "utf-8")
        if encoding == "utf-16":  # its line feeds are two bytes: cannot be split before decoding
            with path.open(encoding=encoding, newline="\n") as lines:
                yield from enumerate(lines, 1)
            return
        with path.open("rb") as source:
            for number, raw in enumerate(source, 1):
                yield number, _decoded(raw, encoding if number == 1 else "utf-8", Place(file, number))
    except UnicodeDecodeError as error:
        raise DataError(Place(file), f"not {error.encoding}", "a whole file in one encoding") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(Place(file), reason, "a file that can be read") from error


def _decoded(raw: bytes, encoding: str, place: Place) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        found = f"byte {raw[error.start]:#04x} at {error.start} is not UTF-8"
        raise DataError(place, found, "UTF-8 text", "Save the file as UTF-8 and try again.") from error


def read_json(text: str) -> JsonValue:
    """Read one JSON value, without NaN and infinities; ValueError or RecursionError where it is none."""
    return cast("JsonValue", json.loads(text, parse_constant=_refuse, parse_float=_finite))


def _object(text: str, place: Place) -> JsonObject:
    try:
        value = read_json(text)
    except (ValueError, RecursionError) as error:
        raise DataError(place, f"not JSON ({_reason(error)})", "one JSON object a line") from error
    if isinstance(value, list):
        hint = "A file that is one JSON array is not JSON lines: write each element on a line of its own."
        raise DataError(place, "an array", "one JSON object a line", hint)
    if not isinstance(value, dict):
        raise DataError(place, kind_of(value), "one JSON object a line")
    return cast("JsonObject", _cleaned(value)) if "\\ud" in text.lower() else value


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _cleaned(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(one) for key, one in value.items()}
    return value


def kind_of(value: JsonValue) -> str:
    """Say in two words what a JSON value is, without repeating what is in it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


_EXPECTED = {
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
}


def field_error(error: ValidationError, file: str, line: int) -> DataError:
    """Return the first thing that is wrong with a line as a DataError that names its field."""
    first = error.errors(include_url=False)[0]
    place = Place(file, line, _dotted(first["loc"]))
    context = first.get("ctx", {})
    kind = first["type"]
    if kind == "missing":
        return DataError(place, "missing", "a value")
    if kind == "value_error":
        return DataError(place, _found(first["input"]), str(context["error"]))
    if kind == "literal_error":
        return DataError(place, _found(first["input"]), str(context["expected"]))
    message = first["msg"].removeprefix("Input should be ")
    return DataError(place, _found(first["input"]), _EXPECTED.get(kind, message))


def _found(value: JsonValue) -> str:
    return repr(excerpt(value, 40)) if isinstance(value, str) else kind_of(value)


def _dotted(location: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")
