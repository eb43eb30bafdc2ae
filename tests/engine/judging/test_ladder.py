"""From an enforced schema down to plain text, without taking an ordinary error for a refusal of the shape."""

from __future__ import annotations

import pytest
from tests.engine.judging.fakes import PlainCalls, ScriptedModel, failed, reply

from bothways.engine.errors import Action, CallFailed
from bothways.engine.facts import FailureKind, Message, Reply
from bothways.engine.judging.ladder import ShapeLadder
from bothways.engine.models.base import ModelRequest

SERVER, BAD = FailureKind.SERVER, FailureKind.BAD_REQUEST


async def ask(ladder: ShapeLadder, word: str = "one", retries: int = 2) -> Reply:
    request = ModelRequest((Message("user", word),), schema={"type": "object"})
    return await PlainCalls(retries).send("test", request.digest, ladder.attempts(request))


@pytest.mark.parametrize("kind", [BAD, FailureKind.NOT_FOUND])
async def test_a_refused_schema_goes_again_as_json_and_is_remembered(kind: FailureKind) -> None:
    model = ScriptedModel([failed(kind, "give_up"), reply(), reply()])
    ladder = ShapeLadder(model)
    first = await ask(ladder)
    await ask(ladder, "two")
    assert model.shapes == ["schema", "json", "json"]
    assert model.asked[0].schema is not None
    assert model.asked[1].schema is None
    assert first.notes == ("asked in JSON mode: the provider did not take the schema",)


async def test_a_provider_without_json_mode_is_asked_in_words() -> None:
    model = ScriptedModel([failed(BAD, "give_up"), failed(BAD, "give_up"), reply(), reply()])
    ladder = ShapeLadder(model)
    await ask(ladder)
    await ask(ladder, "two")
    assert model.shapes == ["schema", "json", "text", "text"]


async def test_a_server_error_at_the_schema_is_remembered_at_its_second_time() -> None:
    model = ScriptedModel([failed(SERVER), reply(), failed(SERVER), reply(), reply()])
    ladder = ShapeLadder(model)
    for word in ("one", "two", "three"):
        await ask(ladder, word)
    assert model.shapes == ["schema", "json", "schema", "json", "json"]


async def test_one_accident_does_not_cost_the_schema() -> None:
    model = ScriptedModel([failed(SERVER), reply(), reply(), failed(SERVER), reply()])
    ladder = ShapeLadder(model)
    for word in ("one", "two", "three"):
        await ask(ladder, word)
    assert model.shapes == ["schema", "json", "schema", "schema", "schema"]


async def test_an_outage_is_retried_as_usual_and_nothing_is_remembered() -> None:
    model = ScriptedModel([*(failed(SERVER) for _ in range(4)), reply(), reply()])
    ladder = ShapeLadder(model)
    await ask(ladder)
    await ask(ladder, "two")
    assert model.shapes == ["schema", "json", "text", "text", "text", "schema"]


async def test_an_outage_ends_after_the_usual_retries() -> None:
    model = ScriptedModel([failed(SERVER) for _ in range(20)])
    with pytest.raises(CallFailed, match="server error"):
        await ask(ShapeLadder(model), retries=2)
    assert model.shapes == ["schema", "json", "text", "text", "text"]


async def test_a_request_that_is_bad_in_every_shape_fails_as_what_it_is() -> None:
    model = ScriptedModel([failed(BAD, "give_up") for _ in range(3)])
    with pytest.raises(CallFailed, match="bad request"):
        await ask(ShapeLadder(model))


@pytest.mark.parametrize(
    ("kind", "action", "then"),
    [
        (FailureKind.RATE_LIMIT, "retry", 1),
        (FailureKind.TIMEOUT, "retry", 1),
        (FailureKind.CONNECTION, "retry", 1),
        (BAD, "retry_now", 1),
        (FailureKind.AUTH, "stop", 0),
        (FailureKind.TOO_LONG, "give_up", 0),
        (FailureKind.CONTENT_FILTER, "give_up", 0),
    ],
)
async def test_other_failures_never_step_down(kind: FailureKind, action: Action, then: int) -> None:
    model = ScriptedModel([failed(kind, action), reply()])
    ladder = ShapeLadder(model)
    if then:
        await ask(ladder)
    else:
        with pytest.raises(CallFailed):
            await ask(ladder)
    assert set(model.shapes) == {"schema"}
    assert len(model.shapes) == 1 + then
