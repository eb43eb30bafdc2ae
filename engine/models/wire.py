"""OpenAI's JSON, which every server and litellm speak, to and from the engine's own words."""

from __future__ import annotations

import json
from dataclasses import replace

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import Tool
from bothways.engine.facts import Failure, FailureKind, JsonObject, JsonValue, Message, Reply, ToolCall, Usage
from bothways.engine.models.base import ModelRequest
from bothways.engine.models.faults import from_status, no_answer
from bothways.engine.models.prices import price
from bothways.engine.text import clean, cleaned

__all__ = [
    "MOST",
    "UNREAD_ARGUMENTS",
    "read_reply",
    "read_tool_calls",
    "read_usage",
    "write_request",
]

MOST = 2**53
"""The largest count that every JSON reader reads exactly; a server that says more is mistaken."""
UNREAD_ARGUMENTS = "unread_arguments"
"""Stands as the only argument of a tool call whose arguments were no JSON object, with their text."""
SURROGATE_NOTE = "lone surrogates in the reply were replaced by \ufffd"


# Asking.


def write_request(model: str, request: ModelRequest, params: JsonObject) -> JsonObject:
    """Return the body of a chat completion request; `params` stand in for those of the request."""
    body: JsonObject = {"model": model, "messages": [_write_message(m) for m in request.messages], **params}
    if request.tools:
        body["tools"] = [_write_tool(tool) for tool in request.tools]
    if request.shape == "schema":
        schema: JsonObject = {"name": "reply", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.shape == "json":
        body["response_format"] = {"type": "json_object"}
    return body


def _write_message(message: Message) -> JsonObject:
    wire: JsonObject = {"role": message.role, "content": clean(message.content)}
    if message.tool_calls:
        wire["content"] = clean(message.content) or None
        wire["tool_calls"] = [_write_call(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _write_call(call: ToolCall) -> JsonObject:
    arguments = json.dumps(cleaned(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _write_tool(tool: Tool) -> JsonObject:
    parameters: JsonObject = tool.parameters or {"type": "object", "properties": {}}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }


# Reading.


def read_reply(body: JsonValue, *, model: str, duration_s: float, notes: tuple[str, ...] = ()) -> Reply:
    """Read a chat completion; `model` is the name that prices are looked up by.

    Raises CallFailed where it holds no answer: an error in place of choices, a provider's content filter,
    a limit of tokens reached before the first word, nothing but reasoning. A refusal is an answer, and so is
    an empty text where nothing stands behind it: the customer would have got it.
    """
    found = _object(body)
    if found.get("error"):
        raise _error_inside(found)
    choices = found.get("choices")
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    if not isinstance(choice.get("message"), dict):
        raise no_answer("no message in the reply", json.dumps(body, ensure_ascii=False))
    reply = _read_message(_object(choice["message"]), found, choice)
    usage_notes = _usage_notes(reply.usage)
    reply = replace(
        reply, cost_usd=price(model, reply.usage), duration_s=duration_s, notes=(*notes, *usage_notes)
    )
    _refuse_unanswered(reply, choice, _reasoning_tokens(found))
    return reply


def _read_message(message: JsonObject, body: JsonObject, choice: JsonObject) -> Reply:
    text, refused = _content(message.get("content"))
    return Reply(
        content=text,
        tool_calls=read_tool_calls(message.get("tool_calls")),
        finish_reason=_text(choice.get("finish_reason")),
        refusal=_text(message.get("refusal")) or refused,
        usage=read_usage(body.get("usage")),
        model=_text(body.get("model")),
    )


def _content(content: JsonValue) -> tuple[str | None, str | None]:
    """Return text and refusal of a content that is text, nothing, or a list of parts."""
    if not isinstance(content, list):
        return _text(content), None
    parts = [_object(part) for part in content]
    texts = [t for p in parts if (t := _text(p.get("text"))) is not None]
    refusals = [r for p in parts if (r := _text(p.get("refusal")))]
    return ("".join(texts) if texts else None), ("".join(refusals) or None)


def _refuse_unanswered(reply: Reply, choice: JsonObject, reasoning: int | None) -> None:
    """Raise CallFailed where the reply was withheld or cut off before it began."""
    kind, message, next_step = FailureKind.CONTENT_FILTER, "", ""
    if reply.finish_reason == "content_filter":
        details = choice.get("content_filter_results") or reply.refusal or reply.content
        said = details if isinstance(details, str) else json.dumps(details)
        message = "withheld by the provider's content filter" + (f": {said[:300]}" if details else "")
    elif not (reply.content or reply.tool_calls or reply.refusal):
        kind, next_step = FailureKind.CUT_OFF, "raise max_tokens"
        # Also where the server calls it a stop: what was only thought is no answer.
        if reasoning:
            message = f"cut off while thinking ({reasoning}/{reply.usage.completion_tokens})"
        elif _has_reasoning(choice):
            message = "cut off while thinking"
        elif reply.finish_reason == "length":
            message = "cut off before the first word"
    if message:
        raise CallFailed(
            Failure(kind, message), "give_up", usage=reply.usage, cost_usd=reply.cost_usd, next_step=next_step
        )


def _has_reasoning(choice: JsonObject) -> bool:
    message = _object(choice.get("message"))
    return any(_text(message.get(name)) for name in ("reasoning_content", "reasoning"))


def _error_inside(body: JsonObject) -> CallFailed:
    """Class an error that came with a status of success, as some gateways send it."""
    code = _object(body.get("error")).get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return from_status(status, {}, json.dumps(body, ensure_ascii=False))


def read_tool_calls(value: JsonValue, turn: int = 0) -> tuple[ToolCall, ...]:
    """Read a list of tool calls, in OpenAI's shape or flat; what is no tool call is passed over."""
    calls = [_read_call(_object(item), turn, place) for place, item in enumerate(_list(value))]
    return tuple(call for call in calls if call.name)


def _read_call(item: JsonObject, turn: int, place: int) -> ToolCall:
    function = _object(item.get("function")) or item
    given = _count(item.get("turn"))
    return ToolCall(
        name=_text(function.get("name")) or "",
        arguments=_arguments(function.get("arguments")),
        id=_text(item.get("id")) or f"call_{turn}_{place}",
        result=_text(item.get("result")),
        turn=turn if given is None else given,
    )


def _arguments(value: JsonValue) -> JsonObject:
    if isinstance(value, str):
        try:
            value = cleaned(json.loads(value)) if value.strip() else {}
        except (ValueError, RecursionError):
            return {UNREAD_ARGUMENTS: value}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {UNREAD_ARGUMENTS: json.dumps(value)}


def read_usage(value: JsonValue) -> Usage:
    """Read token counts under OpenAI's or Anthropic's names; what is not there is unknown."""
    usage = _object(value)
    details = _object(usage.get("prompt_tokens_details")) or _object(usage.get("input_tokens_details"))
    cached = details.get("cached_tokens", usage.get("prompt_cache_hit_tokens", usage.get("cached_tokens")))
    return Usage(
        _count(usage.get("prompt_tokens", usage.get("input_tokens"))),
        _count(usage.get("completion_tokens", usage.get("output_tokens"))),
        _count(cached),
    )


def _usage_notes(usage: Usage) -> tuple[str, ...]:
    cached, prompt = usage.cached_tokens, usage.prompt_tokens
    if cached is None or prompt is None or cached <= prompt:
        return ()
    return (f"the server counts {cached} cached of {prompt} prompt tokens: priced as all cached",)


def _reasoning_tokens(body: JsonObject) -> int | None:
    details = _object(_object(body.get("usage")).get("completion_tokens_details"))
    return _count(details.get("reasoning_tokens"))


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: JsonValue) -> int | None:
    """Read a count; one that cannot be meant is unknown."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST else None
