"""A model that answers from a script, and the plainest way out that retries as the real one does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from bothways.engine.errors import Action, CallFailed
from bothways.engine.facts import Answer, Case, Failure, FailureKind, Message, Reply, ToolCall, Usage
from bothways.engine.judging.base import JudgeAsk
from bothways.engine.models.base import ModelRequest, Shape

GOOD = '{"rationale":"names the date","winner":"B"}'


class ScriptedModel:
    """Gives one scripted reply or failure after the other; keeps what it was asked."""

    def __init__(self, script: Iterable[Reply | CallFailed] = ()) -> None:
        self.script = list(script)
        self.asked: list[ModelRequest] = []
        self.closed = False

    @property
    def name(self) -> str:
        return "test/judge"

    @property
    def lane(self) -> str:
        return "test"

    @property
    def shapes(self) -> list[Shape]:
        return [request.shape for request in self.asked]

    async def complete(self, request: ModelRequest) -> Reply:
        self.asked.append(request)
        answer = self.script.pop(0)
        if isinstance(answer, CallFailed):
            raise answer
        return answer

    async def close(self) -> None:
        self.closed = True


@dataclass
class PlainCalls:
    """Retries without waiting; a request seen before is answered from memory, as a resumed unit's is."""

    retries: int = 2
    requests: list[str] = field(default_factory=list)
    stored: dict[str, Reply] = field(default_factory=dict)

    async def send(self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        self.requests.append(request)
        if request in self.stored:
            return self.stored[request]
        left = self.retries
        while True:
            try:
                self.stored[request] = await attempt()
                return self.stored[request]
            except CallFailed as failed:
                if failed.action == "retry" and left:
                    left -= 1
                elif failed.action != "retry_now":
                    raise

    async def keep(self, request: str, act: Callable[[], Awaitable[str]]) -> str:
        return await act()


def failed(
    kind: FailureKind, action: Action = "retry", message: str = "no", usage: Usage | None = None
) -> CallFailed:
    return CallFailed(Failure(kind, message), action, usage=usage)


def reply(
    content: str | None = GOOD,
    *,
    finish: str = "stop",
    tokens: int | None = 10,
    cost: float | None = 0.5,
) -> Reply:
    usage = Usage(tokens, tokens, 0)
    return Reply(
        content, finish_reason=finish, usage=usage, cost_usd=cost, duration_s=2.0, model="judge-2026"
    )


CASE = Case(
    id="r-17",
    messages=(Message("user", "Where is order 7?"),),
    context="Order 7 left on Monday.",
    reference="It left on Monday.",
    tags={"path": "orders-tag"},
)
OLD = Answer(
    "On its way.", tool_calls=(ToolCall("get_order", {"id": "7"}, result="LEFT MONDAY"),), model="old-model"
)
NEW = Answer("It left on Monday.", tool_calls=(ToolCall("track_parcel", {"id": "7"}),), model="new-model")


def ask(
    case: Case = CASE, answers: tuple[Answer, ...] = (OLD, NEW), *, order: int = 1, marker: str = "f00d"
) -> JudgeAsk:
    names = ("variant-v4", "variant-v5", "variant-v6")[: len(answers)]
    return JudgeAsk(case, answers, names if order == 1 else names[::-1], order, marker)
