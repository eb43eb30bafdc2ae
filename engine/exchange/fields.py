"""The fields of foreign JSON lines: what is meant by the usual spellings of a name, a text, a tool call."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from bothways.engine.errors import DataError, Place
from bothways.engine.facts import FailureKind, JsonObject
from bothways.engine.files.json import parse_json
from bothways.engine.keys import canonical

__all__ = [
    "Amount", "Arguments", "Content", "Count", "Letter", "MaybeName", "MaybeText", "Name", "Notes", "Objects",
    "Tags", "Text", "Vote", "as_calls", "as_failure", "as_list", "as_messages",
]  # fmt: skip

_KINDS = frozenset(kind.value for kind in FailureKind)

Letter: TypeAlias = Literal["A", "B"]
Vote: TypeAlias = Literal["A", "B", "tie"] | None


def _as_text(value: object) -> object:
    """Scalars that some loader took for more than text become JSON text again; None is an empty one."""
    if isinstance(value, bool | int | float):
        return canonical(value)
    return "" if value is None else value


def _as_name(value: object) -> object:
    """A name may have been read as a whole number."""
    text = str(value) if type(value) is int else value
    if isinstance(text, str) and not text.strip():
        raise ValueError("a name that is not empty")
    return text


def as_tags(value: object) -> object:
    """A list of tags is a mapping of each to nothing."""
    if isinstance(value, list):
        return {tag: "" for tag in value if isinstance(tag, str)} if all(map(_is_text, value)) else value
    if isinstance(value, dict):
        return {key: _as_text(one) for key, one in value.items()}
    return {} if value is None else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def as_list(value: object) -> object:
    """Nothing is an empty list."""
    return [] if value is None else value


def _as_content(value: object) -> object:
    """Content in parts, as OpenAI writes it, is the text of its parts."""
    if isinstance(value, list):
        texts = [part.get("text", "") for part in value if isinstance(part, dict)]
        return "".join(text for text in texts if isinstance(text, str))
    return _as_text(value)


def _as_arguments(value: object) -> object:
    """Arguments written as JSON text are read; what a model wrote that is no object is kept under `_raw`."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        read = parse_json(value, Place("")) if value.strip() else {}
    except DataError:
        return {"_raw": value}
    return read if isinstance(read, dict) else {"_raw": value}


def as_calls(value: object) -> object:
    """Tool calls in either spelling."""
    return [_flat(call) for call in value] if isinstance(value, list) else as_list(value)


def _flat(call: object) -> object:
    """`{"type": "function", "function": {"name": …}}` is `{"name": …}`."""
    if isinstance(call, dict) and isinstance(inner := call.get("function"), dict):
        return {**{key: call[key] for key in call if key not in ("function", "type")}, **inner}
    return call


def as_messages(value: object) -> object:
    """A text is what the user said."""
    return [{"role": "user", "content": value}] if isinstance(value, str) else as_list(value)


def as_failure(value: object) -> object:
    """`kind: message` is both; any other text is a message alone."""
    if not isinstance(value, str):
        return value
    kind, colon, message = value.partition(": ")
    return {"kind": kind, "message": message} if colon and kind in _KINDS else {"message": value}


MaybeText: TypeAlias = Annotated[str | None, BeforeValidator(lambda v: None if v is None else _as_text(v))]
MaybeName: TypeAlias = Annotated[str | None, BeforeValidator(lambda v: None if v is None else _as_name(v))]
Content: TypeAlias = Annotated[str, BeforeValidator(_as_content)]
Arguments: TypeAlias = Annotated[JsonObject, BeforeValidator(_as_arguments)]
Notes: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(as_list)]
Objects: TypeAlias = Annotated[tuple[JsonObject, ...], BeforeValidator(as_list)]
Text: TypeAlias = Annotated[str, BeforeValidator(_as_text)]
Name: TypeAlias = Annotated[str, BeforeValidator(_as_name)]
Tags: TypeAlias = Annotated[dict[str, str], BeforeValidator(as_tags)]
Amount: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
