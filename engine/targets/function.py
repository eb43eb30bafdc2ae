"""A Python function as the assistant: `module:name`, sync or async."""

from __future__ import annotations

import time

from pydantic import JsonValue, TypeAdapter, ValidationError

from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.facts import Answer, Reply
from bothways.engine.keys import digest
from bothways.engine.models.faults import no_answer
from bothways.engine.targets.base import Ask, Calls
from bothways.engine.targets.code import call_within, find_function
from bothways.engine.targets.result import EXPECTED, from_reply, to_reply
from bothways.engine.targets.seen import seen, sessions

__all__ = ["FunctionTarget"]

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


class FunctionTarget:
    """Calls the function with one dict (`seen`); it returns a text or a dict (`to_answer`)."""

    def __init__(self, variant: Variant, run: RunSettings) -> None:
        assert variant.function is not None
        self._name = variant.function
        self._version = variant.version
        self._function = find_function(variant.function, variant.folder)
        self._timeout_s = run.timeout_s

    async def answer(self, ask: Ask, calls: Calls) -> Answer:
        """Answer one case; raise CallFailed where the function raises, hangs, or returns no answer."""
        fresh = sessions(ask)
        request = digest("function", self._name, self._version, seen(ask, ""))
        reply = await calls.send(f"function {self._name}", request, lambda: self._try(ask, next(fresh)))
        return from_reply(reply)

    async def close(self) -> None:
        """Nothing to give back."""

    async def _try(self, ask: Ask, session: str) -> Reply:
        started = time.perf_counter()
        result = await call_within(self._timeout_s, self._function, seen(ask, session))
        return to_reply(_json(result), time.perf_counter() - started)


def _json(result: object) -> JsonValue:
    try:
        return _JSON.validate_python(result, strict=True)
    except ValidationError as error:
        wrong = f"the function returned something else than JSON; {EXPECTED}; came"
        raise no_answer(wrong, repr(result), "give_up") from error
