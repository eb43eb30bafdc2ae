"""What a failed attempt means: the one place where errors of providers and agents are classed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from bothways.engine.errors import Action, CallFailed
from bothways.engine.facts import Failure, FailureKind, JsonValue
from bothways.engine.models.scrub import scrub
from bothways.engine.text import excerpt

__all__ = [
    "from_silence",
    "from_status",
    "from_transport",
    "no_answer",
    "retry_after",
]

_LONGEST_RETRY_AFTER_S = 300.0
"""A server may ask for a day; a run that waits so long says so every five minutes instead."""
_EXCERPT = 400

_TOO_LONG = re.compile(
    r"context[_ ]?(?:length|window|size|limit)|contextwindowexceeded|longer than the model"
    r"|(?:prompt|input|request)[^.]{0,40} too (?:long|large)|too many (?:input )?tokens"
    r"|exceeds? the (?:maximum|model'?s)[^.]{0,40}tokens|maximum[^.]{0,30}tokens? allowed",
    re.IGNORECASE,
)
_NEVER_FITS = re.compile(r"request too large", re.IGNORECASE)
_FILTERED = re.compile(
    r"content[_ ]?filter|content management policy|content_?policy|safety system|flagged",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|model\b[^.]{0,80}(?:not found|does not exist|not exist)"
    r"|(?:no such|unknown|invalid) model|provider not provided",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"missing credentials|missing[^.]{0,30}api[_ ]key|no api key"
    r"|(?:didn't|did not) provide an api key|api[_ ]key[^.]{0,40} (?:is not set|must be set|is required)",
    re.IGNORECASE,
)
_WRONG_KEY = re.compile(
    r"(?:invalid|incorrect)[^.]{0,30}api[_ ]key|api[_ ]key[^.]{0,20} not valid", re.IGNORECASE
)
_NO_MONEY = re.compile(
    r"insufficient_quota|exceeded your current quota|insufficient (?:balance|credit)", re.IGNORECASE
)

_BY_STATUS: Mapping[int, tuple[FailureKind, Action]] = {
    401: (FailureKind.AUTH, "stop"),
    402: (FailureKind.RATE_LIMIT, "stop"),
    403: (FailureKind.AUTH, "stop"),
    404: (FailureKind.NOT_FOUND, "stop"),
    408: (FailureKind.TIMEOUT, "retry"),
    409: (FailureKind.SERVER, "retry"),
    413: (FailureKind.TOO_LONG, "give_up"),
    425: (FailureKind.SERVER, "retry"),
    429: (FailureKind.RATE_LIMIT, "retry"),
}
_NEXT_STEP: Mapping[FailureKind, str] = {
    FailureKind.NO_KEY: "put the key into the environment (bothways doctor names it) and run again",
    FailureKind.AUTH: "put the right key into the environment and run again",
    FailureKind.NOT_FOUND: "correct the model's name or the address, then run again",
    FailureKind.TOO_LONG: "shorten the case or the prompt, or take a model with a larger context",
    FailureKind.CUT_OFF: "raise max_tokens",
}


def from_status(
    status: int,
    headers: Mapping[str, str],
    text: str,
    *,
    secrets: Iterable[str] = (),
    now: datetime | None = None,
) -> CallFailed:
    """Class a reply whose status is not a success; `headers` are looked up in lower case."""
    message = _message(text)
    kind, action = _class(status, message)
    said = (
        f"{status}: {excerpt(scrub(message, secrets), _EXCERPT)}" if message else f"{status}, without a word"
    )
    wait = retry_after(headers, now or datetime.now(UTC)) if action == "retry" else None
    return CallFailed(Failure(kind, said), action, retry_after=wait, next_step=_NEXT_STEP.get(kind, ""))


def from_transport(error: Exception, secrets: Iterable[str] = ()) -> CallFailed:
    """Class a connection that could not be made, or broke: always worth another try."""
    words = scrub(str(error), secrets) or "the connection failed"
    return CallFailed(
        Failure(FailureKind.CONNECTION, f"{type(error).__name__}: {excerpt(words, _EXCERPT)}"), "retry"
    )


def from_silence(seconds: float) -> CallFailed:
    """Class a call that was not over at its deadline."""
    return CallFailed(Failure(FailureKind.TIMEOUT, f"no complete reply within {seconds:g} s"), "retry")


def no_answer(why: str, text: str, action: Action = "retry", secrets: Iterable[str] = ()) -> CallFailed:
    """Class a successful reply that holds no answer: a page, broken JSON, nothing at the path."""
    quoted = excerpt(scrub(text, secrets), 160)
    return CallFailed(Failure(FailureKind.EXTRACTION, f"{why}: {quoted}" if quoted else why), action)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that the server asks to wait: a number or an HTTP date, None for anything else."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER_S) if math.isfinite(seconds) else None


def _class(status: int, message: str) -> tuple[FailureKind, Action]:
    if status in (400, 403, 422, 500) and _FILTERED.search(message):
        return FailureKind.CONTENT_FILTER, "give_up"
    if (status in (400, 422, 500) and _TOO_LONG.search(message)) or (
        status == 429 and _NEVER_FITS.search(message)
    ):
        return FailureKind.TOO_LONG, "give_up"
    if status in (400, 422) and _NO_MODEL.search(message):
        return FailureKind.NOT_FOUND, "stop"
    if status in (400, 401, 403, 500) and _NO_KEY.search(message):
        return FailureKind.NO_KEY, "stop"
    if status in (400, 500) and _WRONG_KEY.search(message):
        return FailureKind.AUTH, "stop"
    if status == 429 and _NO_MONEY.search(message):
        return FailureKind.RATE_LIMIT, "stop"
    if status >= 500:
        return FailureKind.SERVER, "retry"
    return _BY_STATUS.get(status, (FailureKind.BAD_REQUEST, "give_up"))


def _message(text: str) -> str:
    """Return what an error body says in words: the usual shapes of JSON, else the text itself."""
    try:
        body: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return error if isinstance(error, str) else text.strip()
    said = next(
        (v for k in ("message", "detail", "error") if isinstance(v := error.get(k), str)), text.strip()
    )
    named = [f"{k}: {v}" for k in ("code", "param") if isinstance(v := error.get(k), str) and v not in said]
    return f"{said} ({', '.join(named)})" if named else said
