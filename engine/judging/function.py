"""A judge that is a person's own Python function, sync or async."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import cast

from bothways.engine.experiment import Judge
from bothways.engine.facts import TIE, Failure, FailureKind, JsonObject, JsonValue, PassResult, Reply
from bothways.engine.judging.base import JudgeAsk
from bothways.engine.judging.prompt import question, reference
from bothways.engine.keys import digest
from bothways.engine.targets.base import Calls
from bothways.engine.targets.code import call_within, find_function

__all__ = ["FunctionJudging"]


class FunctionJudging:
    """Calls `module:name` with one dict for each pass.

    The dict holds `question`, `context`, `reference`, `answers` (a list of texts in the order shown) and
    `order` (1 or 2). The function returns the place of the better answer (0 is shown first), "tie", or None
    where it cannot tell; or a dict of `winner` (the same) and `rationale`.
    """

    def __init__(self, judge: Judge, timeout_s: float) -> None:
        self._judge = judge
        self._timeout_s = timeout_s
        self._function = find_function(judge.function or "", judge.folder)

    async def judge(self, ask: JudgeAsk, calls: Calls) -> PassResult:
        """Call the function; anything that is no verdict is unreadable, an exception fails the pass."""
        asked: JsonObject = {
            "question": question(ask.case),
            "context": ask.case.context,
            "reference": reference(ask.case, self._judge),
            "answers": [answer.shown for answer in ask.answers],
            "order": ask.order,
        }
        name = self._judge.function
        request = digest("function", name, self._judge.version, asked)
        reply = await calls.send(f"function {name}", request, lambda: self._call(asked))
        body = reply.body if isinstance(reply.body, dict) else {}
        winner, rationale = body.get("winner"), body.get("rationale")
        choice = _choice(winner, len(ask.answers), self._judge.allow_tie)
        return PassResult(
            choice=choice,
            rationale=rationale if isinstance(rationale, str) else "",
            reading="function",
            duration_s=reply.duration_s,
            failure=self._unreadable(winner, ask) if choice is None else None,
        )

    async def close(self) -> None:
        """Nothing is open."""

    def _unreadable(self, winner: JsonValue, ask: JudgeAsk) -> Failure:
        """Say what came, and what was expected."""
        if winner is None:
            return Failure(FailureKind.UNREADABLE, "the function returned None: it cannot tell")
        places = [*map(str, range(len(ask.answers))), *(['"tie"'] if self._judge.allow_tie else [])]
        expected = f"{', '.join(places)} or None, alone or as `winner` of a dict"
        return Failure(FailureKind.UNREADABLE, f"the function returned {winner!r}; expected {expected}")

    async def _call(self, asked: JsonObject) -> Reply:
        started = time.perf_counter()
        returned = await call_within(self._timeout_s, self._function, asked)
        return Reply(body=_body(returned), duration_s=time.perf_counter() - started)


def _body(returned: object) -> JsonObject:
    """Keep what can be stored of what came back; the rest in the words of its repr."""
    parts = returned if isinstance(returned, Mapping) and "winner" in returned else {"winner": returned}
    winner, rationale = parts.get("winner"), parts.get("rationale")
    known = winner is None or isinstance(winner, str | int)
    return {
        "winner": cast("JsonValue", winner) if known else repr(winner)[:200],
        "rationale": "" if rationale is None else str(rationale),
    }


def _choice(winner: JsonValue, count: int, allow_tie: bool) -> int | None:
    """Return the place, TIE or None; True and False are no places, and names are none either."""
    if winner == "tie":
        return TIE if allow_tie else None
    if isinstance(winner, int) and not isinstance(winner, bool) and 0 <= winner < count:
        return winner
    return None
