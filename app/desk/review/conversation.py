"""An answer that is a conversation, as turns to show: who said what, and the tool calls in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bothways.engine.facts import Answer, Message, ToolCall
from bothways.engine.keys import canonical
from bothways.widgets.rowview import Turn

__all__ = ["conversation"]

_RESULT = 160
"""Characters of a tool's result that stand in the conversation: the tools tab has all of it."""


def conversation(answer: Answer, writes: Callable[[str], bool]) -> tuple[Turn, ...]:
    """Return the turns of an answer; nothing where it is a plain text."""
    if len(answer.messages) < 2:
        return ()
    turns = tuple(_turns(answer.messages, writes))
    told = not answer.text or any(
        answer.text.strip() in one.content for one in answer.messages if one.role == "assistant"
    )
    return turns if told else (*turns, Turn("assistant", answer.text))


def _turns(messages: Sequence[Message], writes: Callable[[str], bool]) -> Iterator[Turn]:
    results = {one.tool_call_id: one.content for one in messages if one.role == "tool" and one.tool_call_id}
    calls = {call.id for message in messages for call in message.tool_calls}
    for message in messages:
        if message.content and not (message.role == "tool" and message.tool_call_id in calls):
            yield Turn(message.role, message.content)
        for call in message.tool_calls:
            mark = " (writes)" if writes(call.name) else ""
            result = call.result if call.result is not None else results.get(call.id)
            yield Turn(f"→ {call.name}{mark}", _called(call, result), call=True)


def _called(call: ToolCall, result: str | None) -> str:
    """Return what a tool was called with, and the beginning of what came back."""
    arguments = ", ".join(f"{name}: {canonical(value)}" for name, value in call.arguments.items())
    if result is None:
        return arguments or "no arguments"
    more = f" … {len(result) - _RESULT:,} more characters" if len(result) > _RESULT else ""
    return f"{arguments or 'no arguments'}\n← {result[:_RESULT]}{more}"
