"""What a target sees of a case, as plain JSON for agents, functions and commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from bothways.engine.facts import JsonObject, Message
from bothways.engine.targets.base import Ask
from bothways.engine.text import cleaned

__all__ = ["as_object", "seen", "sessions"]


def seen(ask: Ask, session: str) -> JsonObject:
    """Return the case and the variant as the target sees them.

    Not the reference, not the rules, not the tags; nor the case's id, since two cases that look the same to
    the target share one answer.
    """
    case, variant = ask.case, ask.variant
    value = cleaned(
        {
            "input": case.input,
            "messages": [as_object(m) for m in case.messages],
            "context": case.context,
            "session": session,
            "prompt": variant.prompt,
            "model": variant.model,
            "params": variant.params,
            "tools": [tool.model_dump(mode="json") for tool in variant.tools],
        }
    )
    assert isinstance(value, dict)
    return value


def sessions(ask: Ask) -> Iterator[str]:
    """Yield a session for each try of one unit: what a failed try left behind is not met again."""
    yield ask.session
    for number in count(2):
        yield f"{ask.session}-{number}"


def as_object(message: Message) -> JsonObject:
    """Return a message as JSON, without the fields that are empty."""
    plain: JsonObject = {"role": message.role, "content": message.content}
    if message.tool_calls:
        plain["tool_calls"] = [
            {"id": c.id, "name": c.name, "arguments": c.arguments} for c in message.tool_calls
        ]
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain
