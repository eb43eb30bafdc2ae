"""An answer as other people's code writes it: a text, or an object with text, messages, tool calls, cost."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bothways.engine.errors import CallFailed
from bothways.engine.facts import (
    Answer,
    Failure,
    FailureKind,
    JsonObject,
    JsonValue,
    Message,
    Reply,
    Role,
    ToolCall,
)
from bothways.engine.keys import canonical
from bothways.engine.models.faults import no_answer
from bothways.engine.models.wire import read_tool_calls, read_usage
from bothways.engine.text import cleaned

__all__ = ["EXPECTED", "as_text", "from_reply", "to_answer", "to_reply"]

EXPECTED = 'expected a text, or {"text": "…"}'
"""What an answer looks like, to be said where something else came."""


class _Result(BaseModel):
    """The known fields; others are kept."""

    model_config = ConfigDict(extra="allow")

    text: JsonValue = None
    messages: list[_Turn] = Field(default_factory=list)
    tool_calls: list[JsonObject] | None = None
    usage: JsonObject | None = None
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    duration_s: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    model: str | None = None
    error: JsonValue = None


class _Turn(BaseModel):
    role: Role
    content: JsonValue = None
    tool_calls: list[JsonObject] | None = None
    tool_call_id: str | None = None


def to_answer(body: JsonValue, *, blame: FailureKind = FailureKind.CODE) -> Answer:
    """Read an answer; one that holds an error has it as its failure, of kind `blame` unless it names another.

    Raises CallFailed where there is neither a text nor an error, or a field holds the wrong thing.
    """
    result = _validated({"text": body} if not isinstance(body, dict) else body)
    turns = _messages(result.messages)
    given = result.tool_calls
    calls = _calls_within(turns) if given is None else read_tool_calls(list(given))
    failure = _failure(result.error, blame)
    text = as_text(result.text)
    if text is None:
        text = next((m.content for m in reversed(turns) if m.role == "assistant" and m.content), None)
    if text is None and failure is None:
        raise no_answer(
            f"nothing at `text`, and no `messages` that end in an answer; {EXPECTED}; came",
            canonical(body),
            "give_up",
        )
    return Answer(
        text=text or "",
        messages=turns,
        tool_calls=calls,
        usage=read_usage(result.usage),
        cost_usd=result.cost_usd,
        duration_s=result.duration_s,
        model=result.model,
        failure=failure,
        extra=result.model_extra or {},
    )


def to_reply(body: JsonValue, duration_s: float) -> Reply:
    """Return what a piece of code brought back as a call's reply; raise CallFailed where it is an error."""
    body = cleaned(body)
    answer = to_answer(body)
    if answer.failure is not None:
        raise CallFailed(answer.failure, "give_up", usage=answer.usage, cost_usd=answer.cost_usd)
    return Reply(
        usage=answer.usage, cost_usd=answer.cost_usd, duration_s=duration_s, model=answer.model, body=body
    )


def from_reply(reply: Reply) -> Answer:
    """Return the answer in a reply that `to_reply` made."""
    return replace(to_answer(reply.body), duration_s=reply.duration_s, notes=reply.notes)


def as_text(value: JsonValue) -> str | None:
    """Return a value as the text of an answer: `false` and 0 are answers, null is none."""
    if value is None or isinstance(value, str):
        return value
    return canonical(value)


def _validated(body: JsonObject) -> _Result:
    try:
        return _Result.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise no_answer(f"`{place}`: {first['msg']}; came", canonical(body), "give_up") from error


def _messages(turns: list[_Turn]) -> tuple[Message, ...]:
    """Return the turns as messages; `turn` of a tool call counts the assistant's turns."""
    said: list[Message] = []
    assistant = 0
    for turn in turns:
        calls = read_tool_calls(list(turn.tool_calls or ()), assistant)
        assistant += turn.role == "assistant"
        said.append(Message(turn.role, _content(turn.content), calls, turn.tool_call_id))
    return tuple(said)


def _content(content: JsonValue) -> str:
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(text for text in texts if isinstance(text, str))
    return as_text(content) or ""


def _calls_within(turns: tuple[Message, ...]) -> tuple[ToolCall, ...]:
    """Return the tool calls of all turns, each with its result."""
    results = {m.tool_call_id: m.content for m in turns if m.role == "tool"}
    return tuple(
        replace(call, result=results.get(call.id, call.result)) for m in turns for call in m.tool_calls
    )


def _failure(error: JsonValue, blame: FailureKind) -> Failure | None:
    """Read an error, as a text ("timeout: …" names its kind) or as an object of kind and message."""
    if not error:
        return None
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        kind, message = str(error.get("kind", "")), str(error["message"])
    else:
        text = error if isinstance(error, str) else canonical(error)
        kind, _, message = text.partition(": ")
        if kind not in list(FailureKind):
            kind, message = "", text
    return Failure(FailureKind(kind) if kind in list(FailureKind) else blame, message)
