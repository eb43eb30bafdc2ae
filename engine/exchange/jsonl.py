"""JSON lines, read one by one so that a file may be larger than the memory; each error has its line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from bothways.engine.errors import DataError, Place
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.files.json import parse_json
from bothways.engine.files.node import Node, kind
from bothways.engine.text import clean, excerpt

__all__ = ["field_error", "read_lines"]

_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_LINE = "one JSON object a line"


def read_lines(path: Path) -> Iterator[tuple[int, JsonObject]]:
    """Stream the objects of a file of JSON lines with their line numbers; blank lines are skipped.

    UTF-8, or what a byte order mark declares. NaN and infinities are refused, lone surrogates become
    U+FFFD. Raises DataError for the first line that is not an object.
    """
    for number, text in _texts(path):
        if text.strip():
            yield number, _object(text.rstrip("\r\n"), Place(str(path), number))


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    file = str(path)
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
        raise DataError(Place(file), f"cannot be read ({reason})", "a readable file") from error


def _decoded(raw: bytes, encoding: str, place: Place) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        found = f"byte {raw[error.start]:#04x} at {error.start} is not UTF-8"
        raise DataError(place, found, "UTF-8 text", "Save the file as UTF-8 and try again.") from error


def _object(text: str, place: Place) -> JsonObject:
    value = parse_json(text, place)
    if isinstance(value, list):
        hint = "A file that is one JSON array is not JSON lines: write each element on a line of its own."
        raise DataError(place, "an array", _LINE, hint)
    if not isinstance(value, dict):
        raise DataError(place, _kind(value), _LINE)
    return cast("JsonObject", _cleaned(value)) if "\\ud" in text.lower() else value


def _cleaned(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(one) for key, one in value.items()}
    return value


_EXPECTED = {
    "string_type": "text",
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
    match first["type"]:
        case "missing":
            return DataError(place, "missing", "a value")
        case "value_error":
            return DataError(place, _found(first["input"]), str(context["error"]))
        case "literal_error":
            return DataError(place, _found(first["input"]), str(context["expected"]))
        case other:
            message = first["msg"].removeprefix("Input should be ")
            return DataError(place, _found(first["input"]), _EXPECTED.get(other, message))


def _found(value: JsonValue) -> str:
    return repr(excerpt(value, 40)) if isinstance(value, str) else _kind(value)


def _kind(value: JsonValue) -> str:
    """Name what a value is without repeating what is in it."""
    return kind(Node.of(value, 0))


def _dotted(location: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")
