"""What both models do alike, each against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal, TypeAlias

import pytest
from tests.loopback import behaviours as does
from tests.loopback.provider import Provider, provider
from tests.loopback.server import Handler

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import Tool
from bothways.engine.facts import FailureKind, JsonObject, Message, ToolCall, Usage
from bothways.engine.models.base import Model, ModelRequest
from bothways.engine.models.open import open_model
from bothways.engine.models.wire import UNREAD_ARGUMENTS

pytestmark = pytest.mark.asyncio(loop_scope="session")

Opened: TypeAlias = AbstractAsyncContextManager[tuple[Model, Provider]]
Open: TypeAlias = Callable[..., Opened]
KEY = "sk-test-1234567890abcdef"
HELLO = ModelRequest((Message("system", "Be brief."), Message("user", "Hello?")))


@pytest.fixture(params=["endpoint", "litellm"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a model of either kind against a provider that behaves as given."""
    kind: Literal["endpoint", "litellm"] = request.param
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    @asynccontextmanager
    async def open_both(
        behaviour: Handler, *, timeout_s: float = 20, name: str = "gpt-4o-mini"
    ) -> AsyncIterator[tuple[Model, Provider]]:
        async with provider(behaviour) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            wire_name = name if kind == "endpoint" else f"openai/{name}"
            endpoint = server.url if kind == "endpoint" else None
            model = open_model(wire_name, endpoint, timeout_s=timeout_s, concurrency=20)
            try:
                yield model, server
            finally:
                await model.close()

    return open_both


async def failure(model: Model, request: ModelRequest = HELLO) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        await model.complete(request)
    return caught.value


async def test_an_answer_comes_back_with_everything_that_the_server_said(opened: Open) -> None:
    async with opened(does.says("Hi.", model="gpt-4o-mini-2024-07-18")) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.content == "Hi."
    assert reply.finish_reason == "stop"
    assert reply.usage == Usage(100, 20, None)
    assert reply.model == "gpt-4o-mini-2024-07-18"
    assert reply.cost_usd == pytest.approx(100 * 1.5e-07 + 20 * 6e-07)
    assert reply.duration_s is not None
    assert reply.notes == ()


async def test_what_is_asked_arrives_as_openai_writes_it(opened: Open) -> None:
    call = ToolCall("get_order", {"id": "7"}, id="call_9")
    request = ModelRequest(
        (
            Message("user", "Where is 7?"),
            Message("assistant", "", (call,)),
            Message("tool", "on its way", tool_call_id="call_9"),
        ),
        tools=(Tool(name="get_order", description="Looks an order up."),),
        params={"temperature": 0.2, "max_tokens": 50},
        schema={"type": "object"},
        shape="schema",
    )
    async with opened(does.says("Soon.")) as (model, server):
        await model.complete(request)
        body = server.requests[0].body
        headers = server.requests[0].headers
    assert body["model"] == "gpt-4o-mini"
    assert body["temperature"] == 0.2
    assert body["max_tokens"] == 50
    messages = body["messages"]
    assert isinstance(messages, list)
    assert [{"content": None, **m} for m in messages if isinstance(m, dict)] == [
        {"role": "user", "content": "Where is 7?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_9",
                    "type": "function",
                    "function": {"name": "get_order", "arguments": '{"id": "7"}'},
                }
            ],
        },
        {"role": "tool", "content": "on its way", "tool_call_id": "call_9"},
    ]
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "get_order",
                "description": "Looks an order up.",
                "parameters": {"type": "object", "properties": {}},
            },
        }
    ]
    assert does.wants_shape(body) == "json_schema"
    assert headers["authorization"] == f"Bearer {KEY}"


async def test_json_mode_is_asked_for_without_a_schema(opened: Open) -> None:
    request = ModelRequest(HELLO.messages, schema={"type": "object"}, shape="json")
    async with opened(does.says("{}")) as (model, server):
        await model.complete(request)
        assert server.requests[0].body["response_format"] == {"type": "json_object"}


async def test_tool_calls_come_back_read(opened: Open) -> None:
    asks = does.calls_tools(("get_order", '{"id": "7"}'), ("refund", "{broken"))
    async with opened(asks) as (model, _):
        reply = await model.complete(HELLO)
    assert [(c.name, c.arguments, c.id) for c in reply.tool_calls] == [
        ("get_order", {"id": "7"}, "call_0"),
        ("refund", {UNREAD_ARGUMENTS: "{broken"}, "call_1"),
    ]
    assert reply.content is None


@pytest.mark.parametrize("status", [401, 403])
async def test_a_wrong_key_stops_the_run_and_is_not_repeated(opened: Open, status: int) -> None:
    async with opened(does.fails(status, f"Incorrect API key provided: {KEY}.")) as (model, server):
        failed = await failure(model)
        assert server.count == 1
    assert (failed.failure.kind, failed.action) == (FailureKind.AUTH, "stop")
    assert KEY not in str(failed)
    assert KEY not in failed.failure.message


async def test_an_unknown_model_stops_the_run(opened: Open) -> None:
    error = does.fails(404, "The model `gpt-4o-mini` does not exist", code="model_not_found")
    async with opened(error) as (model, _):
        failed = await failure(model)
    assert (failed.failure.kind, failed.action) == (FailureKind.NOT_FOUND, "stop")


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
async def test_a_server_in_trouble_is_worth_another_try_but_not_here(opened: Open, status: int) -> None:
    async with opened(does.fails(status, "overloaded")) as (model, server):
        failed = await failure(model)
        assert server.count == 1
    assert failed.action == "retry"


@pytest.mark.parametrize(
    ("header", "as_date", "least", "most"),
    [
        ("3", False, 3, 3),
        ("1.5", False, 1.5, 1.5),
        ("0", False, 0, 0),
        (30, True, 25, 31),
        ("86400", False, 300, 300),
    ],
)
async def test_a_rate_limit_says_how_long_to_wait(
    opened: Open, header: float, as_date: bool, least: float, most: float
) -> None:
    async with opened(does.rate_limits(header, as_date=as_date)) as (model, server):
        failed = await failure(model)
        assert server.count == 1
    assert (failed.failure.kind, failed.action) == (FailureKind.RATE_LIMIT, "retry")
    assert failed.retry_after is not None
    assert least <= failed.retry_after <= most


@pytest.mark.parametrize("header", ["abc", "nan", None])
async def test_a_retry_after_that_is_junk_is_no_wait(opened: Open, header: str | None) -> None:
    async with opened(does.rate_limits(header)) as (model, _):
        assert (await failure(model)).retry_after is None


async def test_a_prompt_that_is_too_long_is_given_up_with_the_sizes(opened: Open) -> None:
    words = "input (9001 tokens) is longer than the model's context length (8192)"
    async with opened(does.fails(400, words)) as (model, _):
        failed = await failure(model)
    assert (failed.failure.kind, failed.action) == (FailureKind.TOO_LONG, "give_up")
    assert "9001" in failed.failure.message
    assert "8192" in failed.failure.message


async def test_a_refusal_is_an_answer(opened: Open) -> None:
    async with opened(does.refuses("I can't help with that.")) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.content is None
    assert reply.refusal == "I can't help with that."


async def test_a_content_filter_is_an_error(opened: Open) -> None:
    async with opened(does.withholds()) as (model, _):
        failed = await failure(model)
    assert (failed.failure.kind, failed.action) == (FailureKind.CONTENT_FILTER, "give_up")
    assert failed.usage == Usage(100, 20, None)


async def test_a_budget_used_up_by_thinking_is_cut_off_and_paid_for(opened: Open) -> None:
    async with opened(does.thinks_only(of=200, reasoning=199)) as (model, _):
        failed = await failure(model)
    assert (failed.failure.kind, failed.action) == (FailureKind.CUT_OFF, "give_up")
    assert failed.failure.message == "cut off while thinking (199/200)"
    assert failed.cost_usd == pytest.approx(100 * 1.5e-07 + 200 * 6e-07)
    assert failed.next_step == "raise max_tokens"


@pytest.mark.parametrize("finish", ["stop", "length"])
async def test_nothing_but_reasoning_is_no_empty_answer(opened: Open, finish: str) -> None:
    message: JsonObject = {"role": "assistant", "content": "", "reasoning_content": "Order 7 left on"}
    async with opened(does.replies(message, finish=finish)) as (model, _):
        failed = await failure(model)
    assert (failed.failure.kind, failed.failure.message) == (FailureKind.CUT_OFF, "cut off while thinking")


async def test_an_empty_answer_is_an_answer(opened: Open) -> None:
    async with opened(does.says("")) as (model, _):
        assert (await model.complete(HELLO)).content == ""


@pytest.mark.parametrize("behaviour", [does.html(), does.truncates()], ids=["html", "half the json"])
async def test_a_reply_that_is_no_json_is_worth_another_try(opened: Open, behaviour: Handler) -> None:
    async with opened(behaviour) as (model, server):
        failed = await failure(model)
        assert server.count == 1
    assert failed.action == "retry"


async def test_a_reply_without_choices_is_worth_another_try(opened: Open) -> None:
    from tests.loopback.server import as_json

    async with opened(lambda _: as_json({"object": "chat.completion", "choices": []})) as (model, _):
        assert (await failure(model)).action == "retry"


async def test_a_connection_cut_in_the_body_is_never_a_short_answer(opened: Open) -> None:
    async with opened(does.cuts(at=60)) as (model, server):
        failed = await failure(model)
        assert server.count == 1
    assert failed.action == "retry"


async def test_connections_dropped_between_calls_harm_nobody(opened: Open) -> None:
    async with opened(does.drops_after_reply()) as (model, server):
        for _ in range(5):
            try:
                assert (await model.complete(HELLO)).content == "You asked: Hello?"
            except CallFailed as failed:
                assert failed.action == "retry"  # noqa: PT017 - a race the client may lose, and says so
        assert server.count <= 5


@pytest.mark.parametrize("behaviour", [does.hangs(), does.drips(0.1)], ids=["silence", "a drip"])
async def test_the_deadline_is_one_for_the_whole_attempt(opened: Open, behaviour: Handler) -> None:
    async with opened(does.says("warm"), timeout_s=20) as (model, _):
        await model.complete(HELLO)
    async with opened(behaviour, timeout_s=0.5) as (model, server):
        failed = await failure(model)
    assert (failed.failure.kind, failed.action) == (FailureKind.TIMEOUT, "retry")
    assert server.count <= 1  # no library below asked again on its own, with a deadline of its own


async def test_a_parameter_not_taken_is_dropped_once_and_said(opened: Open) -> None:
    request = ModelRequest(HELLO.messages, params={"temperature": 0.5})
    async with opened(does.refuses_param("temperature", does.says("Hi."))) as (model, server):
        failed = await failure(model, request)
        assert failed.action == "retry_now"
        replies = [await model.complete(request), await model.complete(request)]
        assert server.count == 3
    assert {r.notes for r in replies} == {("temperature not taken by the model: dropped",)}


@pytest.mark.parametrize(
    ("name", "other"), [("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")]
)
async def test_the_cap_goes_by_the_name_that_the_model_takes(opened: Open, name: str, other: str) -> None:
    request = ModelRequest(HELLO.messages, params={name: 50})
    async with opened(does.refuses_param(name, does.says("Hi."))) as (model, server):
        assert (await failure(model, request)).action == "retry_now"
        reply = await model.complete(request)
        assert server.requests[-1].body[other] == 50
    assert reply.notes == (f"{name} not taken by the model: sent as {other}",)


async def test_a_value_out_of_range_is_the_askers_mistake(opened: Open) -> None:
    error = does.fails(400, "Invalid 'temperature': above maximum value 2, got 9.", param="temperature")
    async with opened(error) as (model, _):
        failed = await failure(model, ModelRequest(HELLO.messages, params={"temperature": 9}))
    assert (failed.failure.kind, failed.action) == (FailureKind.BAD_REQUEST, "give_up")


@pytest.mark.parametrize("usage", ["absent", None, {}], ids=["absent", "null", "empty"])
async def test_unknown_usage_is_unknown_and_costs_an_unknown_sum(
    opened: Open, usage: JsonObject | str | None
) -> None:
    async with opened(does.says("Hi.", usage=usage)) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.content == "Hi."
    assert reply.usage == Usage()
    assert reply.cost_usd is None


async def test_a_model_without_a_price_costs_an_unknown_sum(opened: Open) -> None:
    async with opened(does.says("Hi."), name="foo-of-our-own") as (model, _):
        reply = await model.complete(HELLO)
    assert reply.usage == Usage(100, 20, None)
    assert reply.cost_usd is None


async def test_cached_tokens_cost_less_and_impossible_counts_are_pointed_out(opened: Open) -> None:
    def usage(cached: int) -> JsonObject:
        details: JsonObject = {"cached_tokens": cached}
        return {
            "prompt_tokens": 1000,
            "completion_tokens": 0,
            "total_tokens": 1000,
            "prompt_tokens_details": details,
        }

    async with opened(does.says("Hi.", usage=usage(900))) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.usage.cached_tokens == 900
    assert reply.cost_usd == pytest.approx(900 * 7.5e-08 + 100 * 1.5e-07)
    async with opened(does.says("Hi.", usage=usage(1200))) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.cost_usd == pytest.approx(1000 * 7.5e-08)
    assert "1200 cached of 1000" in reply.notes[0]


async def test_lone_surrogates_are_replaced_and_said(opened: Open) -> None:
    async with opened(does.says("ok \ud83d done")) as (model, _):
        reply = await model.complete(HELLO)
    assert reply.content == "ok \ufffd done"
    assert len(reply.notes) == 1


async def test_lone_surrogates_in_a_question_do_not_fail_it(opened: Open) -> None:
    async with opened(does.says("Hi.")) as (model, server):
        await model.complete(ModelRequest((Message("user", "ok \ud83d?"),)))
        assert does.asked(server.requests[0].body) == "ok \ufffd?"


async def test_twenty_calls_are_in_flight_together(opened: Open) -> None:
    async with opened(does.later(0.3)) as (model, server):
        replies = await asyncio.gather(*(model.complete(HELLO) for _ in range(20)))
        assert server.max_in_flight == 20
    assert [r.content for r in replies] == ["You asked: Hello?"] * 20


async def test_openais_key_goes_to_nobody_else_and_our_own_goes_where_the_spec_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    async with provider(does.says("Hello.")) as server:
        for ours in ("", "ours"):
            monkeypatch.setenv("BOTHWAYS_API_KEY", ours)
            model = open_model("m", server.url, timeout_s=20, concurrency=1)
            await model.complete(ModelRequest((Message("user", "Hello?"),)))
            await model.close()
    assert [request.headers.get("authorization") for request in server.requests] == [None, "Bearer ours"]
