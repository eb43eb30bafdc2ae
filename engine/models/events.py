"""A reply that comes as a stream of events, read to its end."""

from __future__ import annotations

import json
import re

from bothways.engine.errors import CallFailed
from bothways.engine.facts import JsonValue
from bothways.engine.models.faults import from_status, no_answer

__all__ = ["read_events"]

_DONE = "[DONE]"
_LINE_END = re.compile(r"\r\n|\n|\r")


def read_events(text: str, *, whole: bool) -> list[JsonValue]:
    """Return the JSON data of the events in their order; what is no JSON stays text.

    `whole` says that the connection itself vouches for the end; otherwise the stream's own end marker must
    be there. Raises CallFailed for an error inside the stream, and for a stream that breaks off.
    """
    events: list[JsonValue] = []
    for block in re.split(r"\n\n+", _LINE_END.sub("\n", text)):
        name, data = _fields(block)
        if data == _DONE:
            return events
        if not data:
            continue
        value = _value(data)
        if name == "error" or (isinstance(value, dict) and value.get("error")):
            raise from_status(500, {}, data)
        events.append(value)
    if not whole or not events:
        raise _broken_off(text)
    return events


def _fields(block: str) -> tuple[str, str]:
    """Return the event's name and its data."""
    pairs = [line.partition(":") for line in block.split("\n")]
    name = next((value.strip() for key, _, value in pairs if key == "event"), "")
    return name, "\n".join(value.removeprefix(" ") for key, _, value in pairs if key == "data")


def _value(data: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(data)
    except (ValueError, RecursionError):
        return data
    return value


def _broken_off(text: str) -> CallFailed:
    return no_answer("the stream of events broke off before its end", text[-300:])
