"""Any agent behind HTTP: a request from a template, an answer by jmespath."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from jmespath.exceptions import JMESPathError
from pydantic import JsonValue

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Answer, Failure, FailureKind, Reply, ToolCall
from bothways.engine.keys import canonical, digest
from bothways.engine.models.faults import no_answer
from bothways.engine.models.scrub import scrub
from bothways.engine.models.transport import Transport
from bothways.engine.models.wire import read_tool_calls, read_usage
from bothways.engine.targets.base import Ask, Calls
from bothways.engine.targets.http_settings import read_settings
from bothways.engine.targets.result import as_text
from bothways.engine.targets.seen import seen, sessions
from bothways.engine.targets.template import fill, fill_text, from_environment
from bothways.engine.text import excerpt

__all__ = ["HttpTarget"]


class HttpTarget:
    """One agent. Every case has a session of its own."""

    def __init__(self, variant: Variant, run: RunSettings) -> None:
        self._settings = read_settings(variant)
        secrets: set[str] = set()
        self._url = from_environment(self._settings.url, secrets)
        self._reset = from_environment(self._settings.reset or "", secrets)
        self._headers = {k: from_environment(v, secrets) for k, v in self._settings.headers.items()}
        self._paths = self._settings.paths()
        self._lane = urlsplit(self._url).netloc.rpartition("@")[2]
        self._transport = Transport(timeout_s=run.timeout_s, concurrency=run.concurrency, secrets=secrets)

    async def answer(self, ask: Ask, calls: Calls) -> Answer:
        """Answer one case; raise CallFailed where the reply is an error or holds nothing at `text`."""
        fresh = sessions(ask)
        # The session is another one after each restart, and asks nothing else.
        request = digest("http", self._settings.model_dump(mode="json"), seen(ask, ""))
        reply = await calls.send(self._lane, request, lambda: self._try(ask, next(fresh)))
        return self._read(reply)

    async def close(self) -> None:
        """Give the connections back."""
        await self._transport.close()

    async def _try(self, ask: Ask, session: str) -> Reply:
        values = seen(ask, session)
        settings = self._settings
        url = fill_text(self._url, values, lambda text: quote(text, safe=""))
        body = None if settings.method == "GET" else fill(settings.body, values)
        try:
            if self._reset:
                where = fill_text(self._reset, values, lambda text: quote(text, safe=""))
                await self._transport.send(where, {"session": session}, headers=self._headers, parse=False)
            received = await self._transport.send(url, body, method=settings.method, headers=self._headers)
        except CallFailed as failed:
            if failed.failure.kind is not FailureKind.NOT_FOUND:
                raise
            # An agent's 404 may be about this case alone, where a model's is about all of them.
            raise CallFailed(Failure(FailureKind.BAD_REQUEST, failed.failure.message), "give_up") from failed
        reply = Reply(
            usage=read_usage(self._find("usage", received.body)),
            cost_usd=_number(self._find("cost", received.body)),
            duration_s=received.duration_s,
            model=as_text(self._find("model", received.body)),
            body=received.body,
            notes=received.notes,
        )
        self._read(reply)
        return reply

    def _read(self, reply: Reply) -> Answer:
        """Return the answer in a reply's body; raise CallFailed, with what it cost, where there is none."""
        error = self._find("error", reply.body)
        text = as_text(self._find("text", reply.body))
        if error:
            words = excerpt(scrub(as_text(error) or ""), 300)
            raise _failed(Failure(FailureKind.SERVER, f"the agent says: {words}"), reply)
        if text is None:
            missing = no_answer(f"nothing at `{self._settings.text}` in the reply", canonical(reply.body))
            raise _failed(missing.failure, reply)
        context = self._find("context", reply.body)
        return Answer(
            text=text,
            tool_calls=self._tool_calls(reply),
            usage=reply.usage,
            cost_usd=reply.cost_usd,
            duration_s=reply.duration_s,
            model=reply.model,
            notes=reply.notes,
            extra={} if context is None else {"context": context},
        )

    def _tool_calls(self, reply: Reply) -> tuple[ToolCall, ...]:
        found = self._find("tool_calls", reply.body)
        if found is not None and not isinstance(found, list):
            failed = no_answer(f"no list at `{self._settings.tool_calls}` in the reply", canonical(found))
            raise _failed(failed.failure, reply)
        return read_tool_calls(found)

    def _find(self, name: str, body: JsonValue) -> JsonValue:
        path = self._paths.get(name)
        try:
            found: JsonValue = path.search(body) if path is not None else None
        except JMESPathError as error:
            raise no_answer(f"`{name}`: {error}", canonical(body), "give_up") from error
        return found


def _failed(failure: Failure, reply: Reply) -> CallFailed:
    return CallFailed(failure, "give_up", usage=reply.usage, cost_usd=reply.cost_usd)


def _number(value: JsonValue) -> float | None:
    return (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        else None
    )
