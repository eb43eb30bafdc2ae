"""An agent behind HTTP, as somebody else might have written it."""

from __future__ import annotations

from collections import defaultdict

from tests.loopback.behaviours import later
from tests.loopback.server import (
    Handled,
    Handler,
    JsonObject,
    JsonValue,
    LoopbackServer,
    Request,
    Response,
    as_json,
)

__all__ = ["Agent", "agent", "answers_with"]


class Agent(LoopbackServer):
    """An agent with a memory per session.

    It repeats what it was told in the same session before: whoever reuses a session leaks one case into
    the next. `POST /reset` forgets a session; `resets` counts them.
    """

    def __init__(self, *, answer: Handler | None = None, latency_s: float = 0.0) -> None:
        super().__init__(self._handle)
        self.resets: list[str] = []
        self._memory: defaultdict[str, list[str]] = defaultdict(list)
        self._answer = later(latency_s, answer or self._remembering)

    def _handle(self, request: Request) -> Handled:
        if request.path == "/reset":
            session = str(request.body.get("session"))
            self.resets.append(session)
            self._memory.pop(session, None)
            return as_json({"ok": True})
        return self._answer(request)

    def _remembering(self, request: Request) -> Response:
        memory = self._memory[str(request.body.get("session"))]
        said = str(request.body.get("input"))
        before = f" Before, you said: {'; '.join(memory)}." if memory else ""
        memory.append(said)
        lookup: JsonObject = {"name": "lookup", "arguments": {"question": said}}
        reply: JsonObject = {
            "answer": f"About {said}.{before}",
            "steps": {"tools": [lookup]},
            "retrieved": ["Returns are free for 30 days."],
            "tokens": {"input_tokens": 50, "output_tokens": 7},
            "price": 0.002,
            "version": "agent-7",
        }
        return as_json(reply)


def agent(*, answer: Handler | None = None, latency_s: float = 0.0) -> Agent:
    """Return an agent that remembers, or one that answers as given."""
    return Agent(answer=answer, latency_s=latency_s)


def answers_with(body: JsonValue) -> Handler:
    """Answer everything with the same JSON."""
    return lambda _: as_json(body)
