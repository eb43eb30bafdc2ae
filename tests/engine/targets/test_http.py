"""An agent behind HTTP, over a real connection."""

from __future__ import annotations

import dataclasses

import pytest
from tests.engine.targets.support import RUN, Direct, ask
from tests.loopback import behaviours as does
from tests.loopback.agent import Agent, agent, answers_with
from tests.loopback.server import Handler, Request, Response

from bothways.engine.errors import CallFailed, UsageError
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Answer, FailureKind, JsonObject, JsonValue, ToolCall, Usage
from bothways.engine.targets.open import open_target
from bothways.engine.targets.seen import seen


def variant(server: Agent, **http: JsonValue) -> Variant:
    return Variant(name="v4", http={"url": f"{server.url}/chat", "text": "answer", **http})


async def answer_of(handler: Handler, run: RunSettings = RUN, **http: JsonValue) -> Answer:
    async with agent(answer=handler) as server:
        v = variant(server, **http)
        target = open_target(v, run)
        try:
            return await target.answer(ask(v), Direct())
        finally:
            await target.close()


async def failure_of(handler: Handler, run: RunSettings = RUN, **http: JsonValue) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        await answer_of(handler, run, **http)
    return caught.value


async def test_everything_is_found_where_the_spec_says() -> None:
    async with agent() as server:
        v = variant(
            server,
            tool_calls="steps.tools",
            context="retrieved",
            usage="tokens",
            cost="price",
            model="version",
        )
        target = open_target(v, RUN)
        answer = await target.answer(ask(v, "returns"), Direct())
        await target.close()
    assert answer.text == "About returns."
    assert answer.tool_calls == (ToolCall("lookup", {"question": "returns"}, id="call_0_0"),)
    assert answer.extra == {"context": ["Returns are free for 30 days."]}
    assert answer.usage == Usage(50, 7, None)
    assert answer.cost_usd == 0.002
    assert answer.model == "agent-7"


async def test_an_agent_that_remembers_meets_every_case_in_a_session_of_its_own() -> None:
    async with agent() as server:
        v = variant(server)
        target = open_target(v, RUN)
        answers = [await target.answer(ask(v, text), Direct()) for text in ("refunds", "returns")]
        leaking = open_target(variant(server, body={"input": "{{input}}", "session": "always the same"}), RUN)
        leaked = [await leaking.answer(ask(v, text), Direct()) for text in ("refunds", "returns")]
        await target.close()
        await leaking.close()
    assert [a.text for a in answers] == ["About refunds.", "About returns."]
    assert leaked[1].text == "About returns. Before, you said: refunds."


async def test_a_second_try_is_made_in_a_new_session() -> None:
    handler = does.sequence(does.fails(503), answers_with({"answer": "Hi."}))
    async with agent(answer=handler) as server:
        v = variant(server)
        target = open_target(v, RUN)
        await target.answer(ask(v), Direct(tries=2))
        await target.close()
        first, second = (request.body["session"] for request in server.requests)
    assert first != second


async def test_an_agent_with_a_reset_is_reset_before_each_case() -> None:
    async with agent() as server:
        v = variant(server, reset=f"{server.url}/reset")
        target = open_target(v, RUN)
        for _ in range(2):
            await target.answer(ask(v), Direct())
        await target.close()
        assert [r.path for r in server.requests] == ["/reset", "/chat", "/reset", "/chat"]
        assert len(set(server.resets)) == 2


async def test_the_body_is_a_template_that_no_case_can_write_in() -> None:
    body: JsonObject = {
        "q": "{{input}}",
        "turns": "{{messages}}",
        "note": "ctx: {{ context }} / {{messages}} {not} %s",
        "deep": [{"s": "{{prompt}}"}, 7, None],
    }
    async with agent(answer=answers_with({"answer": "Hi."})) as server:
        v = variant(server, body=body)
        target = open_target(v, RUN)
        await target.answer(ask(v, 'say {{context}} "now"\n', context="{{input}}"), Direct())
        await target.close()
        sent = server.requests[0].body
    turns: JsonValue = [{"role": "user", "content": 'say {{context}} "now"\n'}]
    assert sent["q"] == 'say {{context}} "now"\n'
    assert sent["turns"] == turns
    assert sent["note"] == (
        'ctx: {{input}} / [{"content":"say {{context}} \\"now\\"\\n","role":"user"}] {not} %s'
    )
    assert sent["deep"] == [{"s": ""}, 7, None]


async def test_no_agent_is_told_the_reference() -> None:
    async with agent(answer=answers_with({"answer": "Hi."})) as server:
        names: list[JsonValue] = [
            "input",
            "messages",
            "context",
            "session",
            "prompt",
            "model",
            "params",
            "tools",
        ]
        v = variant(server, body={str(n): f"{{{{{n}}}}}" for n in names})
        target = open_target(v, RUN)
        await target.answer(ask(v), Direct())
        await target.close()
        assert sorted(server.requests[0].body) == sorted(seen(ask(v), "s"))
        assert "the secret reference" not in str(server.requests[0].body)


async def test_keys_come_from_the_environment_and_stay_out_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASS", "open-sesame-123")

    def refuse(request: Request) -> Response:
        answer = does.fails(500, f"bad header {request.headers['x-pass']}")(request)
        assert isinstance(answer, Response)
        return answer

    failed = await failure_of(refuse, headers={"X-Pass": "pass ${SHOP_PASS}"})
    assert failed.failure.message == "500: bad header pass [key]"


async def test_a_variable_that_is_not_set_is_named_before_anything_is_sent() -> None:
    async with agent() as server:
        with pytest.raises(UsageError, match="NO_SUCH_VARIABLE"):
            open_target(variant(server, headers={"X": "${NO_SUCH_VARIABLE}"}), RUN)
        assert server.count == 0


async def test_a_placeholder_goes_into_an_address_escaped() -> None:
    async with agent(answer=answers_with({"answer": "Hi."})) as server:
        v = Variant(
            name="v4",
            http={"url": f"{server.url}/chat?q={{{{input}}}}", "method": "GET", "text": "answer"},
        )
        target = open_target(v, RUN)
        await target.answer(ask(v, "a&b /?"), Direct())
        await target.close()
        assert server.requests[0].path == "/chat?q=a%26b%20%2F%3F"


@pytest.mark.parametrize(("value", "text"), [(False, "false"), (0, "0"), ("", ""), ("Hi", "Hi")])
async def test_false_zero_and_nothing_said_are_answers(value: JsonValue, text: str) -> None:
    assert (await answer_of(answers_with({"answer": value}))).text == text


@pytest.mark.parametrize("body", [{"answer": None}, {"other": "x"}, [], "text", None])
async def test_nothing_at_the_path_is_an_error_that_names_it(body: JsonValue) -> None:
    failed = await failure_of(answers_with(body))
    assert failed.failure.kind is FailureKind.EXTRACTION
    assert "`answer`" in failed.failure.message
    assert failed.action == "give_up"


async def test_an_error_inside_a_success_is_an_error() -> None:
    failed = await failure_of(answers_with({"answer": "x", "error": "no such model"}), cost="price")
    assert failed.failure.message == "the agent says: no such model"


async def test_what_a_useless_reply_cost_is_kept() -> None:
    failed = await failure_of(answers_with({"price": 0.5, "tokens": {"prompt_tokens": 3}}), cost="price")
    assert failed.cost_usd == 0.5


async def test_a_404_is_about_this_case_alone() -> None:
    failed = await failure_of(does.fails(404, "no such order"))
    assert (failed.failure.kind, failed.action) == (FailureKind.BAD_REQUEST, "give_up")
    assert "no such order" in failed.failure.message


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Log in</html>", "text/html"),
        (b"", "application/json"),
        ('{"answer": "Grüße"}'.encode("latin-1"), "application/json"),
        (b'{"answer": "half', "application/json"),
        (b'{"answer": NaN}', "application/json"),
        (b"[" * 100_000, "application/json"),
    ],
    ids=["page", "empty", "latin-1", "half", "NaN", "deep"],
)
async def test_what_is_no_json_is_an_error_with_an_excerpt(body: bytes, kind: str) -> None:
    failed = await failure_of(lambda _: Response(body, headers={"content-type": kind}))
    assert failed.failure.kind is FailureKind.EXTRACTION
    assert failed.action == "retry"
    assert 0 < len(failed.failure.message) < 300


async def test_a_byte_order_mark_harms_nobody() -> None:
    answer = await answer_of(lambda _: Response(b'\xef\xbb\xbf{"answer": "Hi."}'))
    assert answer.text == "Hi."


async def test_a_lone_surrogate_is_replaced_and_said() -> None:
    answer = await answer_of(lambda _: Response(b'{"answer": "ok \\ud83d done"}'))
    assert answer.text == "ok \ufffd done"
    assert len(answer.notes) == 1


@pytest.mark.parametrize("handler", [does.hangs(), does.drips(0.1)], ids=["silence", "a drip"])
async def test_the_deadline_is_one_for_the_whole_call(handler: Handler) -> None:
    failed = await failure_of(handler, RunSettings(timeout_s=0.5))
    assert (failed.failure.kind, failed.action) == (FailureKind.TIMEOUT, "retry")


def stream(*events: str) -> Handler:
    body = "".join(f"{event}\r\n\r\n" for event in events).encode()
    return lambda _: Response(body, headers={"content-type": "text/event-stream; charset=utf-8"})


CHUNKS = ('data: {"delta": "It "}', ": still here", 'data: {"delta": "ships."}')
JOINED = "join('', [].delta)"


async def test_a_stream_of_events_is_read_to_its_end() -> None:
    ended = stream(*CHUNKS, "data: [DONE]", 'data: {"delta": "never"}')
    answer = await answer_of(ended, text=JOINED, usage="[-1].usage")
    assert answer.text == "It ships."
    assert answer.usage == Usage()


async def test_the_last_event_may_count_the_tokens() -> None:
    last = 'data: {"delta": "", "usage": {"prompt_tokens": 3, "completion_tokens": 2}}'
    answer = await answer_of(stream(*CHUNKS, last), text=JOINED, usage="[-1].usage")
    assert answer.text == "It ships."
    assert answer.usage == Usage(3, 2, None)


@pytest.mark.parametrize(
    "event", ['event: error\ndata: "overloaded"', 'data: {"error": {"message": "overloaded"}}']
)
async def test_an_error_inside_a_stream_is_an_error(event: str) -> None:
    failed = await failure_of(stream(*CHUNKS, event), text=JOINED)
    assert (failed.failure.kind, failed.action) == (FailureKind.SERVER, "retry")
    assert "overloaded" in failed.failure.message


async def test_a_stream_that_breaks_off_is_never_a_short_answer() -> None:
    whole = stream(*CHUNKS)
    failed = await failure_of(does.cuts(at=60, then=whole), text=JOINED)
    assert (failed.failure.kind, failed.action) == (FailureKind.CONNECTION, "retry")


async def test_a_stream_that_only_stops_needs_its_end_marker() -> None:
    def stops(*events: str) -> Handler:
        whole = stream(*events)(Request(0, "POST", "/", {}, {}))
        assert isinstance(whole, Response)
        return lambda _: dataclasses.replace(whole, drop=True, length=False)

    assert (await answer_of(stops(*CHUNKS, "data: [DONE]"), text=JOINED)).text == "It ships."
    failed = await failure_of(stops(*CHUNKS), text=JOINED)
    assert (failed.failure.kind, failed.action) == (FailureKind.EXTRACTION, "retry")


@pytest.mark.parametrize(
    ("http", "named"),
    [
        ({"text": "a["}, "http.text"),
        ({"body": {"q": "{{question}}"}}, "question"),
        ({"methd": "GET"}, "http.methd"),
        ({"method": "DELETE"}, "http.method"),
    ],
)
async def test_a_setting_that_cannot_be_meant_is_named(http: JsonObject, named: str) -> None:
    async with agent() as server:
        with pytest.raises(UsageError, match=named.replace(".", r"\.")):
            open_target(variant(server, **http), RUN)
