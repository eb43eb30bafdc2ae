"""One side of a pair: from its line to an answer, and back without loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from bothways.engine.exchange.line import FailureLine, MessageLine, SideLine, ToolCallLine, UsageLine
from bothways.engine.facts import (
    Answer,
    Failure,
    FailureKind,
    JsonObject,
    JsonValue,
    Message,
    ToolCall,
    Usage,
)
from bothways.engine.keys import canonical

__all__ = [
    "NOT_FREE", "answer_of", "call_line", "failure_line", "failure_of", "known_cost", "message_line",
    "messages_of", "money_line", "side_of", "usage_of",
]  # fmt: skip

NOT_FREE = "its cost is recorded as 0 although it used tokens: taken as unknown"
"""The note on an answer or a pass whose price was evidently never looked up."""


def answer_of(side: SideLine) -> Answer:
    """Return the answer that a side stands for; what it leaves out is taken from its messages and `eval`."""
    messages = messages_of(side.messages)
    usage = usage_of(side.usage) if side.usage else _summed_usage(side.messages)
    cost, notes = known_cost(
        _first(side.cost_usd, _eval_cost(side), _summed_cost(side.messages)), usage, side.notes
    )
    return Answer(
        text=side.text if side.text is not None else _final_text(messages),
        messages=messages,
        tool_calls=tuple(map(_call, side.tool_calls)) or _joined_calls(messages),
        usage=usage,
        cost_usd=cost,
        duration_s=_first(side.duration_s, side.eval.duration_s if side.eval else None),
        model=side.returned_model,
        failure=failure_of(side.error),
        notes=notes,
        extra=_extra(side),
    )


def messages_of(lines: Iterable[MessageLine]) -> tuple[Message, ...]:
    """Return the conversation that the lines stand for."""
    return tuple(Message(m.role, m.content, tuple(map(_call, m.tool_calls)), m.tool_call_id) for m in lines)


def usage_of(line: UsageLine | None) -> Usage:
    """Return the tokens counted, unknown where nobody did."""
    if line is None:
        return Usage()
    return Usage(line.prompt_tokens, line.completion_tokens, line.cached_tokens)


def known_cost(
    cost: float | None, usage: Usage, notes: tuple[str, ...]
) -> tuple[float | None, tuple[str, ...]]:
    """Return the cost and the notes: a cost of 0 beside used tokens is unknown, which a note says."""
    if cost == 0 and (usage.prompt_tokens or usage.completion_tokens):
        return None, notes if NOT_FREE in notes else (*notes, NOT_FREE)
    return cost, notes


def failure_of(line: FailureLine | None) -> Failure | None:
    """Return why there is no answer; an unknown kind means that the recording has none."""
    if line is None or not (line.kind or line.message):
        return None
    try:
        return Failure(FailureKind(line.kind), line.message)
    except ValueError:
        return Failure(FailureKind.MISSING, ": ".join(filter(None, (line.kind, line.message))))


def side_of(variant: str, answer: Answer) -> JsonObject:
    """Return the side that reads back as this answer."""
    extra = dict(answer.extra)
    usage_more, message_more = extra.pop("usage", None), extra.pop("messages", None)
    side: JsonObject = {"model": variant, "text": answer.text}
    if answer.messages:
        side["messages"] = [_message_line(m, _at(message_more, n)) for n, m in enumerate(answer.messages)]
    if answer.tool_calls:
        side["tool_calls"] = [call_line(call) for call in answer.tool_calls]
    side |= money_line(answer.usage, answer.cost_usd, answer.duration_s, usage_more)
    if answer.failure:
        side["error"] = failure_line(answer.failure)
    if answer.model is not None:
        side["returned_model"] = answer.model
    if answer.notes:
        side["notes"] = list(answer.notes)
    return side | extra


def money_line(
    usage: Usage, cost: float | None, duration: float | None, more: JsonValue = None
) -> JsonObject:
    """Return the fields of usage, cost and duration, leaving out what is unknown."""
    counted = {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
    }
    tokens: JsonObject = {name: count for name, count in counted.items() if count is not None}
    tokens |= more if isinstance(more, dict) else {}
    money: JsonObject = {"cost_usd": cost, "duration_s": duration, "usage": tokens or None}
    return {name: value for name, value in money.items() if value is not None}


def failure_line(failure: Failure) -> str:
    """Return a failure as one text that reads back as itself."""
    return f"{failure.kind.value}: {failure.message}"


def _first(*amounts: float | None) -> float | None:
    return next((amount for amount in amounts if amount is not None), None)


def _eval_cost(side: SideLine) -> float | None:
    return side.eval.agent_cost_usd if side.eval else None


def _summed_cost(messages: Iterable[MessageLine]) -> float | None:
    known = [m.cost for m in messages if m.cost is not None]
    return sum(known) if known else None


def _summed_usage(messages: Iterable[MessageLine]) -> Usage:
    known = [usage_of(m.usage) for m in messages if m.usage]
    return reduce(add, known) if known else Usage()


def _final_text(messages: Sequence[Message]) -> str:
    return next((m.content for m in reversed(messages) if m.role == "assistant" and m.content), "")


def _call(line: ToolCallLine) -> ToolCall:
    result = line.result
    text = result if isinstance(result, str) or result is None else canonical(result)
    return ToolCall(line.name, line.arguments, line.id, text, line.turn)


def _joined_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return all tool calls with the results that tool messages brought and their assistant turns."""
    results = {m.tool_call_id: m.content for m in messages if m.role == "tool" and m.tool_call_id}
    spoken = [m for m in messages if m.role == "assistant"]
    return tuple(
        ToolCall(call.name, call.arguments, call.id, results.get(call.id, call.result), turn)
        for turn, message in enumerate(spoken)
        for call in message.tool_calls
    )


def _extra(side: SideLine) -> JsonObject:
    """Keep what has no place in an answer: unknown fields, also those inside `usage` and `messages`."""
    extra = side.unknown
    if side.eval:
        extra["eval"] = side.eval.model_dump(mode="json", exclude_unset=True)
    if side.usage and side.usage.unknown:
        extra["usage"] = side.usage.unknown
    more: JsonObject = {str(n): fields for n, m in enumerate(side.messages) if (fields := _message_extra(m))}
    return extra | {"messages": more} if more else extra


def _message_extra(message: MessageLine) -> JsonObject:
    known = message.model_dump(mode="json", include={"usage", "cost"}, exclude_none=True)
    return message.unknown | known


def _at(more: JsonValue, place: int) -> JsonObject:
    fields = more.get(str(place)) if isinstance(more, dict) else None
    return fields if isinstance(fields, dict) else {}


def _message_line(message: Message, more: JsonObject) -> JsonObject:
    return message_line(message) | more


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
