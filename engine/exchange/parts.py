"""What answers, judgements and prompts of a file of pairs have in common, read and written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

from bothways.engine.errors import DataError
from bothways.engine.facts import (
    Failure,
    FailureKind,
    JsonObject,
    JsonValue,
    Message,
    Role,
    ToolCall,
    Usage,
)
from bothways.engine.files.fields import Fields
from bothways.engine.files.json import parse_json
from bothways.engine.keys import canonical

__all__ = [
    "NOT_FREE", "Money", "Turn", "call_line", "failure_line", "message_line", "money_line", "read_calls",
    "read_failure", "read_money", "read_objects", "read_tags", "read_turns", "read_usage",
]  # fmt: skip

NOT_FREE = "its cost is recorded as 0 although it used tokens: taken as unknown"
"""The note on an answer or a pass whose price was evidently never looked up."""

_ROLES: tuple[Role, ...] = get_args(Role)
_KINDS = {kind.value: kind for kind in FailureKind}
_TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens")
_SPOKEN = ("role", "content", "tool_calls", "tool_call_id")
_MONEY = ("usage", "cost_usd", "duration_s", "notes")
_UNKNOWN = Usage()


@dataclass(frozen=True, slots=True)
class Money:
    """What an answer or a pass used; `extra` is what else stood in `usage`."""

    usage: Usage
    cost_usd: float | None
    notes: tuple[str, ...]
    duration_s: float | None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message with what was noted beside it; `extra` holds all of that as it was written."""

    message: Message
    usage: Usage | None
    cost: float | None
    extra: JsonObject


def read_money(
    fields: Fields, usage: Usage = _UNKNOWN, cost: float | None = None, duration: float | None = None
) -> Money:
    """Read usage, cost, duration and notes; what is not there is as given.

    A cost of 0 beside used tokens is unknown, which a note says.
    """
    if fields.lacks(_MONEY):
        return Money(usage, *_known(cost, usage, ()), duration)
    counted = fields.child("usage")
    if counted is not None:
        usage = read_usage(counted)
    own_cost, own_duration = _amount(fields, "cost_usd"), _amount(fields, "duration_s")
    known, notes = _known(cost if own_cost is None else own_cost, usage, fields.texts("notes"))
    lasted = duration if own_duration is None else own_duration
    return Money(usage, known, notes, lasted, counted.unasked() if counted else {})


def _known(cost: float | None, usage: Usage, notes: tuple[str, ...]) -> tuple[float | None, tuple[str, ...]]:
    if cost == 0 and (usage.prompt_tokens or usage.completion_tokens):
        return None, notes if NOT_FREE in notes else (*notes, NOT_FREE)
    return cost, notes


def read_usage(fields: Fields) -> Usage:
    """Read the tokens that were counted."""
    return Usage(*map(fields.count, _TOKENS))


def read_failure(fields: Fields) -> Failure | None:
    """Read why there is nothing: `kind: message` or an object of both.

    An unknown kind means that the recording has none.
    """
    node = fields.node("error")
    if node is None:
        return None
    if isinstance(node.value, dict):
        error = Fields(node, fields.at("error"), fields.problems)
        kind, message = error.text("kind"), error.text("message")
    else:
        text = fields.text("error")
        kind, _, message = text.partition(": ")
        if kind not in _KINDS:
            kind, message = "", text
    if kind in _KINDS:
        return Failure(_KINDS[kind], message)
    said = ": ".join(filter(None, (kind, message)))
    return Failure(FailureKind.MISSING, said) if said else None


def read_turns(fields: Fields, name: str) -> tuple[Turn, ...]:
    """Read a conversation; a text is what the user said."""
    node = fields.node(name)
    if node is None:
        return ()
    if isinstance(node.value, str):
        return (Turn(Message("user", node.value), None, None, {}),)
    return tuple(map(_turn, fields.children(name)))


def _turn(fields: Fields) -> Turn:
    if "role" not in fields:
        fields.wrong("role", "missing", "one of " + ", ".join(_ROLES))
    usage = fields.child("usage")
    message = Message(
        fields.choice("role", _ROLES, "user"),
        _content(fields),
        read_calls(fields),
        fields.optional("tool_call_id"),
    )
    return Turn(message, read_usage(usage) if usage else None, _amount(fields, "cost"), fields.rest(_SPOKEN))


def _content(fields: Fields) -> str:
    """Content in parts, as OpenAI writes it, is the text of its parts."""
    node = fields.node("content")
    if node is None or not isinstance(node.value, list):
        return fields.text("content")
    return "".join(part.text("text") for part in fields.children("content"))


def read_calls(fields: Fields) -> tuple[ToolCall, ...]:
    """Read tool calls, flat or as OpenAI writes them."""
    return tuple(map(_call, fields.children("tool_calls")))


def _call(fields: Fields) -> ToolCall:
    function = fields.child("function") or fields
    result = fields.node("result")
    return ToolCall(
        name=function.required("name"),
        arguments=_arguments(function),
        id=fields.text("id"),
        result=None if result is None else _as_text(result.plain()),
        turn=fields.whole("turn", 0),
    )


def _as_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else canonical(value)


def _arguments(function: Fields) -> JsonObject:
    """Arguments written as JSON text are read; what a model wrote that is no object is kept under `_raw`."""
    node = function.node("arguments")
    if node is None or not isinstance(node.value, str):
        return function.object("arguments")
    try:
        read = parse_json(node.value, function.place) if node.value.strip() else {}
    except DataError:
        return {"_raw": node.value}
    return read if isinstance(read, dict) else {"_raw": node.value}


def read_objects(fields: Fields, name: str) -> tuple[JsonObject, ...]:
    """Read a list of objects as they are."""
    return tuple(child.rest(()) for child in fields.children(name))


def read_tags(fields: Fields) -> dict[str, str]:
    """Read tags; a list of them is a mapping of each to nothing."""
    node = fields.node("tags")
    if node is None:
        return {}
    if isinstance(node.value, list):
        return dict.fromkeys(fields.texts("tags"), "")
    tags = Fields(node, fields.at("tags"), fields.problems)
    return {name: tags.text(name) for name in tags.names}


def _amount(fields: Fields, name: str) -> float | None:
    return fields.number(name, "a number, 0 or more", 0)


def money_line(
    usage: Usage, cost: float | None, duration: float | None, more: JsonValue = None
) -> JsonObject:
    """Return the fields of usage, cost and duration, leaving out what is unknown."""
    counted = zip(_TOKENS, (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens), strict=True)
    tokens: JsonObject = {name: count for name, count in counted if count is not None}
    tokens |= more if isinstance(more, dict) else {}
    money: JsonObject = {"cost_usd": cost, "duration_s": duration, "usage": tokens or None}
    return {name: value for name, value in money.items() if value is not None}


def failure_line(failure: Failure) -> str:
    """Return a failure as one text that reads back as itself."""
    return f"{failure.kind.value}: {failure.message}"


def message_line(message: Message) -> JsonObject:
    """Return one turn of a conversation as it is written."""
    line: JsonObject = {"role": message.role, "content": message.content}
    if message.tool_calls:
        line["tool_calls"] = [call_line(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        line["tool_call_id"] = message.tool_call_id
    return line


def call_line(call: ToolCall) -> JsonObject:
    """Return one tool call as it is written."""
    line: JsonObject = {"name": call.name, "arguments": call.arguments}
    if call.id:
        line["id"] = call.id
    if call.result is not None:
        line["result"] = call.result
    if call.turn:
        line["turn"] = call.turn
    return line
