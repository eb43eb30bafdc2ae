"""Conversations as people store them: plain, or in the form of OpenAI's chat messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from bothways.engine.errors import DataError
from bothways.engine.facts import JsonObject, Message, Role, ToolCall
from bothways.engine.files.fields import Fields
from bothways.engine.files.json import parse_json

__all__ = ["read_messages"]

_ROLES: tuple[Role, ...] = get_args(Role)


def read_messages(turns: Iterable[Fields]) -> tuple[Message, ...]:
    """Read a list of messages; fields nobody needs (tokens, costs) are passed over."""
    messages: list[Message] = []
    for turn in turns:
        answered = sum(message.role == "assistant" for message in messages)
        messages.append(_message(turn, answered))
    return tuple(messages)


def _message(turn: Fields, answered: int) -> Message:
    if "role" not in turn:
        turn.wrong("role", "missing", "one of " + ", ".join(_ROLES))
    return Message(
        role=turn.choice("role", _ROLES, "user"),
        content=_content(turn),
        tool_calls=tuple(_tool_call(call, answered) for call in turn.children("tool_calls")),
        tool_call_id=turn.optional("tool_call_id"),
    )


def _content(turn: Fields) -> str:
    """Read the text, or the texts of a list of parts; other parts (images) cannot be shown to a judge."""
    node = turn.node("content")
    if node is None or not isinstance(node.value, list):
        return turn.text("content")
    parts = []
    for part in turn.children("content"):
        if "text" not in part:
            part.wrong("text", "a part that is no text", "parts of type text")
        parts.append(part.text("text"))
    return "\n".join(parts)


def _tool_call(call: Fields, turn: int) -> ToolCall:
    function = call.child("function") or call
    return ToolCall(
        name=function.required("name"),
        arguments=_arguments(function),
        id=call.text("id"),
        result=call.optional("result"),
        turn=turn,
    )


def _arguments(function: Fields) -> JsonObject:
    """Read the arguments, which providers send as JSON in a string."""
    node = function.node("arguments")
    if node is None or not isinstance(node.value, str):
        return function.object("arguments")
    try:
        arguments = parse_json(node.value or "{}", function.at("arguments"))
    except DataError as error:
        function.problems.note(error)
        return {}
    if not isinstance(arguments, dict):
        function.wrong("arguments", "JSON, but no object", "a mapping")
        return {}
    return arguments
