"""How errors are classed, in the words in which providers send them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from bothways.engine.errors import Action
from bothways.engine.facts import FailureKind as Kind
from bothways.engine.models.faults import from_status, retry_after
from bothways.engine.models.quirks import Quirks
from bothways.engine.models.scrub import scrub

NOON = datetime(2026, 8, 6, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "message", "kind", "action"),
    [
        (400, "This model's maximum context length is 8192 tokens.", Kind.TOO_LONG, "give_up"),
        (400, "prompt is too long: 201000 tokens > 200000 maximum", Kind.TOO_LONG, "give_up"),
        (400, "input length and `max_tokens` exceed context limit: 9 + 9 > 10", Kind.TOO_LONG, "give_up"),
        (400, "Input token count exceeds the maximum number of tokens allowed", Kind.TOO_LONG, "give_up"),
        (413, "", Kind.TOO_LONG, "give_up"),
        (429, "Request too large for gpt-4o: Limit 30000, Requested 40000.", Kind.TOO_LONG, "give_up"),
        (429, "Too many tokens, please wait before trying again.", Kind.RATE_LIMIT, "retry"),
        (429, "You exceeded your current quota, please check your plan.", Kind.RATE_LIMIT, "stop"),
        (402, "Insufficient credits", Kind.RATE_LIMIT, "stop"),
        (400, "filtered by Azure's content management policy", Kind.CONTENT_FILTER, "give_up"),
        (400, "invalid model name", Kind.NOT_FOUND, "stop"),
        (500, "litellm.InternalServerError: OpenAIException - Missing credentials. Please pass an `api_key`.",
         Kind.NO_KEY, "stop"),
        (401, "You didn't provide an API key. You need to provide your API key.", Kind.NO_KEY, "stop"),
        (401, "litellm.AuthenticationError: Missing Anthropic API Key - A call is being made without one",
         Kind.NO_KEY, "stop"),
        (401, "Incorrect API key provided: sk-x.", Kind.AUTH, "stop"),
        (400, "API key not valid. Please pass a valid API key.", Kind.AUTH, "stop"),
        (400, "response_format of type json_schema is not supported", Kind.BAD_REQUEST, "give_up"),
        (422, "messages: field required", Kind.BAD_REQUEST, "give_up"),
        (500, "internal error", Kind.SERVER, "retry"),
        (504, "<html>Gateway Time-out</html>", Kind.SERVER, "retry"),
        (529, "Overloaded", Kind.SERVER, "retry"),
        (301, "", Kind.BAD_REQUEST, "give_up"),
    ],
)  # fmt: skip
def test_errors_are_classed_by_status_and_words(
    status: int, message: str, kind: Kind, action: Action
) -> None:
    for text in (message, json.dumps({"error": {"message": message}}), json.dumps({"detail": message})):
        failed = from_status(status, {}, text)
        assert (failed.failure.kind, failed.action) == (kind, action)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3),
        ("0", 0),
        ("-5", 0),
        ("Thu, 06 Aug 2026 12:00:07 GMT", 7),
        ("Thu, 06 Aug 2026 11:00:00 GMT", 0),
        ("86400", 300),
        ("Fri, 07 Aug 2026 12:00:00 GMT", 300),
        ("abc", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, NOON) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abc123def456.",
        "Authorization: Bearer abcdef123456",
        "https://user:passwort@host/v1 is down",
        "https://host/v1?api_key=abcdef123456&x=1 is down",
        "key s3cr3t-from-env refused",
    ],
)
def test_keys_are_taken_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "s3cr3t-from-env")
    said = scrub(text)
    assert "[key]" in said
    assert not any(secret in said for secret in ("abc123def456", "abcdef123456", "passwort", "s3cr3t"))


def test_ordinary_words_stay() -> None:
    text = "The basic plan allows 3 requests; ask-me-anything is at https://host/v1?q=1."
    assert scrub(text) == text


def test_a_cap_refused_under_both_names_is_given_up() -> None:
    quirks = Quirks()
    params = quirks.apply({"max_tokens": 5})
    assert quirks.learn("Unsupported parameter: 'max_tokens'", {"max_tokens": 5}, params)
    params = quirks.apply({"max_tokens": 5})
    assert not quirks.learn("Unsupported parameter: 'max_completion_tokens'", {"max_tokens": 5}, params)


def test_calls_refused_together_learn_once() -> None:
    quirks = Quirks()
    sent = quirks.apply({"temperature": 0})
    assert quirks.learn("temperature is not supported", {"temperature": 0}, sent)
    assert quirks.learn("temperature is not supported", {"temperature": 0}, sent)
    assert len(quirks.notes) == 1
