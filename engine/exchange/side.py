"""One side of a pair: from its line to an answer, and back without loss."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from bothways.engine.exchange.parts import (
    Turn,
    call_line,
    failure_line,
    message_line,
    money_line,
    read_calls,
    read_failure,
    read_money,
    read_turns,
)
from bothways.engine.facts import Answer, JsonObject, JsonValue, Message, ToolCall, Usage
from bothways.engine.files.fields import Fields

__all__ = ["answer_of", "side_of"]


_MORE_THAN_TEXT = (
    "messages", "tool_calls", "usage", "cost_usd", "duration_s", "error", "returned_model", "notes", "eval",
)  # fmt: skip


def answer_of(side: Fields) -> Answer:
    """Return the answer that a side stands for; what it leaves out is taken from its messages and `eval`.

    Unknown fields are kept, also those inside `usage` and `messages`.
    """
    text = side.optional("text")
    if text is not None and side.lacks(_MORE_THAN_TEXT):  # most sides of a large file
        return Answer(text, extra=side.unasked())
    turns = read_turns(side, "messages")
    messages = tuple(turn.message for turn in turns)
    failure = read_failure(side)
    if text is None and not messages and failure is None:
        side.problems.add(side.place, "no answer", "text, messages, or the error that stands in their place")
    cost, duration = _evaluated(side.child("eval"))
    money = read_money(side, _summed_usage(turns), _summed_cost(turns) if cost is None else cost, duration)
    calls = read_calls(side) or (_joined_calls(messages) if messages else ())
    model = side.optional("returned_model")
    return Answer(
        text=_final_text(messages) if text is None else text,
        messages=messages,
        tool_calls=calls,
        usage=money.usage,
        cost_usd=money.cost_usd,
        duration_s=money.duration_s,
        model=model,
        failure=failure,
        notes=money.notes,
        extra=_extra(side, turns, money.extra),
    )


def side_of(variant: str, answer: Answer) -> JsonObject:
    """Return the side that reads back as this answer."""
    extra = dict(answer.extra)
    usage_more, message_more = extra.pop("usage", None), extra.pop("messages", None)
    side: JsonObject = {"model": variant, "text": answer.text}
    if answer.messages:
        side["messages"] = [message_line(m) | _at(message_more, n) for n, m in enumerate(answer.messages)]
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


def _evaluated(noted: Fields | None) -> tuple[float | None, float | None]:
    """Return cost and duration as a benchmark noted them."""
    if noted is None:
        return None, None
    cost, duration = (
        noted.number(name, "a number, 0 or more", 0) for name in ("agent_cost_usd", "duration_s")
    )
    return cost, duration


def _summed_cost(turns: Sequence[Turn]) -> float | None:
    known = [turn.cost for turn in turns if turn.cost is not None]
    return sum(known) if known else None


def _summed_usage(turns: Sequence[Turn]) -> Usage:
    known = [turn.usage for turn in turns if turn.usage]
    return reduce(add, known) if known else Usage()


def _final_text(messages: Sequence[Message]) -> str:
    return next((m.content for m in reversed(messages) if m.role == "assistant" and m.content), "")


def _joined_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return all tool calls with the results that tool messages brought and their assistant turns."""
    results = {m.tool_call_id: m.content for m in messages if m.role == "tool" and m.tool_call_id}
    spoken = [m for m in messages if m.role == "assistant"]
    return tuple(
        ToolCall(call.name, call.arguments, call.id, results.get(call.id, call.result), turn)
        for turn, message in enumerate(spoken)
        for call in message.tool_calls
    )


def _extra(side: Fields, turns: Sequence[Turn], usage: JsonObject) -> JsonObject:
    extra: JsonObject = side.unasked()
    noted = side.node("eval")
    if noted is not None:
        extra["eval"] = noted.plain()
    if usage:
        extra["usage"] = usage
    more: JsonObject = {str(n): turn.extra for n, turn in enumerate(turns) if turn.extra}
    return extra | {"messages": more} if more else extra


def _at(more: JsonValue, place: int) -> JsonObject:
    fields = more.get(str(place)) if isinstance(more, dict) else None
    return fields if isinstance(fields, dict) else {}
