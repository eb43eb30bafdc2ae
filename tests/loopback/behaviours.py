"""What a provider can do, good and bad: each function returns a handler for one kind of behaviour."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Mapping
from email.utils import formatdate
from itertools import count
from typing import TypeAlias

from tests.loopback.server import Handler, JsonObject, JsonValue, Request, Response, as_json

__all__ = [
    "Say",
    "asked",
    "calls_tools",
    "cuts",
    "drips",
    "drops_after_reply",
    "every",
    "fails",
    "hangs",
    "html",
    "later",
    "rate_limits",
    "refuses",
    "refuses_param",
    "replies",
    "says",
    "sequence",
    "thinks_only",
    "truncates",
    "wants_shape",
    "when",
    "withholds",
]

Say: TypeAlias = str | Callable[[JsonObject], str]
"""A text, or what makes one of a request's body: a verdict script for a judge is such a function."""

USAGE: JsonObject = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def asked(body: JsonObject) -> str:
    """Return the last user message of a request."""
    messages = body.get("messages")
    texts = [m.get("content") for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []
    return next((text for text in reversed(texts) if isinstance(text, str)), "")


def wants_shape(body: JsonObject) -> str:
    """Return the type of the response_format asked for, or ""."""
    shape = body.get("response_format")
    return str(shape.get("type", "")) if isinstance(shape, dict) else ""


def says(
    text: Say = lambda body: f"You asked: {asked(body)}",
    *,
    usage: JsonValue = USAGE,
    model: str | None = None,
    finish: str = "stop",
    delay_s: float = 0.0,
) -> Handler:
    """Answer with a text. `usage` "absent" leaves the field out; `model` is another name than asked for."""

    def handler(request: Request) -> Response:
        content = text(request.body) if callable(text) else text
        message: JsonObject = {"role": "assistant", "content": content}
        return _completion(request, message, usage=usage, model=model, finish=finish, delay_s=delay_s)

    return handler


def replies(message: JsonObject, *, usage: JsonValue = USAGE, finish: str = "stop") -> Handler:
    """Answer with a message as it is given."""
    return lambda request: _completion(request, message, usage=usage, finish=finish)


def calls_tools(*calls: tuple[str, str], text: str | None = None) -> Handler:
    """Ask for tools: pairs of a name and the arguments' JSON text."""
    wire: list[JsonValue] = [
        {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for place, (name, arguments) in enumerate(calls)
    ]
    return replies({"role": "assistant", "content": text, "tool_calls": wire}, finish="tool_calls")


def refuses(reason: str) -> Handler:
    """Refuse in the field made for it."""
    return replies({"role": "assistant", "content": None, "refusal": reason})


def withholds() -> Handler:
    """Let the content filter take the answer."""
    return replies({"role": "assistant", "content": None}, finish="content_filter")


def thinks_only(of: int, reasoning: int) -> Handler:
    """Use up the budget of tokens on thinking."""
    details: JsonObject = {"reasoning_tokens": reasoning}
    usage: JsonObject = {"prompt_tokens": 100, "completion_tokens": of, "completion_tokens_details": details}
    return replies({"role": "assistant", "content": ""}, usage=usage, finish="length")


def fails(
    status: int, message: str = "no", headers: Mapping[str, str] | None = None, **error: JsonValue
) -> Handler:
    """Answer with an error in OpenAI's shape."""
    return lambda _: as_json({"error": {"message": message, **error}}, status, headers)


def rate_limits(retry_after: str | float | None = None, *, as_date: bool = False) -> Handler:
    """Answer 429, with Retry-After as given or as an HTTP date so many seconds ahead."""

    def handler(request: Request) -> Response:
        value = (
            formatdate(time.time() + float(retry_after or 0), usegmt=True) if as_date else str(retry_after)
        )
        headers = {} if retry_after is None else {"retry-after": value}
        answer = fails(429, "slow down", headers)(request)
        assert isinstance(answer, Response)
        return answer

    return handler


def refuses_param(name: str, then: Handler) -> Handler:
    """Answer 400 as long as a parameter is sent, as reasoning models do."""
    error = fails(
        400,
        f"Unsupported parameter: '{name}' is not supported with this model.",
        param=name,
        code="unsupported_parameter",
        type="invalid_request_error",
    )
    return when(lambda request: name in request.body, error, then)


def hangs() -> Handler:
    """Take the request and never answer."""
    return lambda _: Response(delay_s=float("inf"))


def drips(seconds: float, then: Handler | None = None) -> Handler:
    """Send a byte at a time."""
    return _changed(then, lambda r: dataclasses.replace(r, drip_s=seconds))


def cuts(at: int = 20, then: Handler | None = None) -> Handler:
    """Break the connection in the middle of the body."""
    return _changed(then, lambda r: dataclasses.replace(r, cut_at=at))


def drops_after_reply(then: Handler | None = None) -> Handler:
    """Close the connection after each reply without having said so."""
    return _changed(then, lambda r: dataclasses.replace(r, drop=True))


def later(seconds: float, then: Handler | None = None) -> Handler:
    """Answer after a fixed latency."""
    return _changed(then, lambda r: dataclasses.replace(r, delay_s=r.delay_s or seconds))


def truncates(then: Handler | None = None) -> Handler:
    """Send the first half of the JSON as if it were all."""
    return _changed(then, lambda r: dataclasses.replace(r, body=r.body[: len(r.body) // 2]))


def html() -> Handler:
    """Send a log-in page with a status of success."""
    page = b"<!doctype html><title>Log in</title><p>Please log in"
    return lambda _: Response(page, headers={"content-type": "text/html"})


def sequence(*handlers: Handler) -> Handler:
    """Behave differently with each request; the last behaviour stays."""
    asked_before = count()

    return lambda request: handlers[min(next(asked_before), len(handlers) - 1)](request)


def every(nth: int, behaviour: Handler, otherwise: Handler) -> Handler:
    """Behave so with every nth request."""
    return when(lambda request: request.number % nth == nth - 1, behaviour, otherwise)


def when(test: Callable[[Request], bool], behaviour: Handler, otherwise: Handler) -> Handler:
    """Behave so where the test holds."""
    return lambda request: behaviour(request) if test(request) else otherwise(request)


def _completion(
    request: Request,
    message: JsonObject,
    *,
    usage: JsonValue,
    model: str | None = None,
    finish: str = "stop",
    delay_s: float = 0.0,
) -> Response:
    body: JsonObject = {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model or request.body.get("model"),
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
    }
    if usage != "absent":
        body["usage"] = usage
    return Response(json.dumps(body).encode(), headers={"content-type": "application/json"}, delay_s=delay_s)


def _changed(then: Handler | None, change: Callable[[Response], Response]) -> Handler:
    inner = then or says()

    async def handler(request: Request) -> Response:
        answer = inner(request)
        return change(answer if isinstance(answer, Response) else await answer)

    return handler
