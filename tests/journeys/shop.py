"""The other side of a journey: two assistants, an agent and a judge behind one loopback server.

Who is asked shows in the request: the judge by its model, the assistants by their prompts. Every reply says
its own number, so that what the database holds can be compared with what the server was asked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from tests.loopback.behaviours import asked, says
from tests.loopback.server import Handled, JsonObject, LoopbackServer, Request, Response, as_json

__all__ = [
    "NEW", "OLD", "Shop", "Who", "agent_spec", "cases", "judge_named", "number", "pairs_shown", "spec", "who",
]  # fmt: skip

OLD, NEW = "kestrel-4", "heron-5"
"""The variants' names: words that occur nowhere else."""
FRIENDLY, BRIEF = "You answer customers.\nBe friendly.", "You answer customers.\nBe brief."
TOOL_RESULT = "parcel-scanned-in-Utrecht"
"""What a tool brought back: no judge may ever see it."""

Who: TypeAlias = Literal["baseline", "candidate", "judge"]
Verdict: TypeAlias = Literal["baseline", "candidate", "tie", "first shown", "unreadable"]
Says: TypeAlias = Callable[[int], Verdict]

_SHOWN = re.compile(r"<<< answer ([AB]) (\w+) >>>\n(.*?)\n<<< end of answer \1 \2 >>>", re.DOTALL)


def who(request: Request) -> Who:
    """Tell who was asked."""
    if str(request.body.get("model", "")).endswith("judge"):
        return "judge"
    return "candidate" if "Be brief." in json.dumps(request.body) else "baseline"


def number(request: Request) -> int:
    """Return the number of the order that the request is about, which is that of the case."""
    found = re.search(r"order (\d+)", json.dumps(request.body))
    assert found is not None, request
    return int(found[1])


def shown(request: Request) -> tuple[str, str]:
    """Return the two answers in the order in which a judge was shown them."""
    first, second = (block[2] for block in _SHOWN.findall(asked(request.body)))
    return first, second


class Shop:
    """Answers everything that an experiment asks; `verdict` says what the judge finds on a case's number."""

    def __init__(self, verdict: Says = lambda _: "candidate", *, latency_s: float = 0.0) -> None:
        self._verdict = verdict
        self._latency_s = latency_s

    def __call__(self, request: Request) -> Handled:
        """Answer as whoever was asked."""
        if request.path == "/agent":
            return self._agent(request)
        text = self._judge(request) if who(request) == "judge" else self._answer(request)
        return says(text, delay_s=self._latency_s)(request)

    def _answer(self, request: Request) -> str:
        tone = "Kind" if who(request) == "baseline" else "Short"
        return f"{tone} words on order {number(request)}. (reply {request.number})"

    def _judge(self, request: Request) -> str:
        verdict = self._verdict(number(request))
        if verdict == "unreadable":
            return f"Both have their merits. (reply {request.number})"
        if verdict in ("tie", "first shown"):
            winner = "tie" if verdict == "tie" else "A"
        else:
            tone = "Kind" if verdict == "baseline" else "Short"
            winner = "A" if shown(request)[0].startswith(tone) else "B"
        return json.dumps({"rationale": f"It says when. (reply {request.number})", "winner": winner})

    def _agent(self, request: Request) -> Response:
        call: JsonObject = {"name": "get_order", "arguments": {"id": number(request)}, "result": TOOL_RESULT}
        reply: JsonObject = {"answer": self._answer(request), "steps": [call], "price": 0.002}
        response = as_json(reply)
        return Response(response.body, headers=response.headers, delay_s=self._latency_s)


def cases(count: int, **fields: object) -> list[JsonObject]:
    """Return so many cases, each about an order of its own number, from 1."""
    return [{"id": f"c{n}", "input": f"Where is order {n}?", **fields} for n in range(1, count + 1)]  # type: ignore[dict-item]


def spec(server: LoopbackServer, *, litellm: bool = False, **changes: object) -> JsonObject:
    """Return an experiment whose answers and verdicts all come from the server."""
    url = f"{server.url}/v1"

    def model(name: str) -> JsonObject:
        if litellm:
            return {"model": f"openai/{name}", "params": {"api_base": url}}
        return {"model": name, "endpoint": url}

    return {
        "name": "shop",
        "cases": "cases.jsonl",
        "baseline": {"name": OLD, "prompt_text": FRIENDLY, **model("gpt-4o-mini")},
        "candidates": [{"name": NEW, "prompt_text": BRIEF}],
        "judge": {"name": "judge", **model("the-judge")},
        "gate": {"min_decided": 3, "rerun_margin": 0},
        "run": {"concurrency": 4, "retries": 2, "timeout_s": 30},
        **changes,  # type: ignore[dict-item]
    }


def agent_spec(server: LoopbackServer, **changes: object) -> JsonObject:
    """Return an experiment whose answers come from an agent behind HTTP."""
    http: JsonObject = {
        "url": f"{server.url}/agent",
        "body": {"input": "{{input}}", "session": "{{session}}", "prompt": "{{prompt}}"},
        "text": "answer",
        "tool_calls": "steps",
        "cost": "price",
    }
    baseline: JsonObject = {"name": OLD, "prompt_text": FRIENDLY, "version": "7", "http": http}
    return {**spec(server), "baseline": baseline, **changes}  # type: ignore[dict-item]


def judge_named(server: LoopbackServer, name: str) -> JsonObject:
    """Return another judge of the same server."""
    return {"name": name, "model": f"{name}-judge", "endpoint": f"{server.url}/v1"}


def counted(requests: Iterable[Request]) -> Mapping[str, int]:
    """Count requests by who was asked."""
    return Counter(who(request) for request in requests)


def pairs_shown(requests: Iterable[Request]) -> dict[int, list[tuple[str, str]]]:
    """Return, by case, the pairs of answers that a judge was shown."""
    pairs: dict[int, list[tuple[str, str]]] = {}
    for request in requests:
        if who(request) == "judge":
            pairs.setdefault(number(request), []).append(shown(request))
    return pairs
