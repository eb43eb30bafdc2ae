"""A chat model of any provider that litellm knows.

Importing litellm takes seconds, so it is imported when the first call is made, off the event loop.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import time
from types import ModuleType

from pydantic import BaseModel

from bothways.engine.errors import CallFailed
from bothways.engine.facts import FailureKind, JsonObject, JsonValue, Reply
from bothways.engine.models.base import ModelRequest
from bothways.engine.models.faults import from_silence, from_status, from_transport, no_answer
from bothways.engine.models.quirks import Quirks
from bothways.engine.models.wire import SURROGATE_NOTE, read_reply, write_request
from bothways.engine.text import cleaned

__all__ = ["LitellmModel"]


class LitellmModel:
    """`provider/model`, as litellm names it; keys and addresses come from litellm's own environment names."""

    def __init__(self, model: str, *, timeout_s: float) -> None:
        self.name = model
        self.lane = model.partition("/")[0]
        self._timeout_s = timeout_s
        self._quirks = Quirks()
        self._litellm: ModuleType | None = None

    async def complete(self, request: ModelRequest) -> Reply:
        """Make one attempt; raise CallFailed with what should follow."""
        params = self._quirks.apply(request.params)
        body = write_request(self.name, request, params)
        if self._litellm is None:
            self._litellm = await asyncio.to_thread(_import)
        started = time.perf_counter()
        try:
            received = await self._send(self._litellm, body)
        except CallFailed as failed:
            bad = failed.failure.kind is FailureKind.BAD_REQUEST
            if bad and self._quirks.learn(failed.failure.message, request.params, params):
                raise CallFailed(failed.failure, "retry_now") from failed
            raise
        mended = cleaned(received)
        notes = (*self._quirks.notes, *((SURROGATE_NOTE,) if mended != received else ()))
        return read_reply(mended, model=self.name, duration_s=time.perf_counter() - started, notes=notes)

    async def close(self) -> None:
        """Nothing to give back: litellm keeps its connections to itself."""

    async def _send(self, litellm: ModuleType, body: JsonObject) -> JsonValue:
        import openai  # every error of litellm is one of these

        try:
            async with asyncio.timeout(self._timeout_s):
                response: object = await litellm.acompletion(
                    **body, timeout=self._timeout_s, num_retries=0, max_retries=0, caching=False, stream=False
                )
        except (TimeoutError, openai.APITimeoutError) as error:
            raise from_silence(self._timeout_s) from error
        except openai.OpenAIError as error:
            raise _classed(error) from error
        if not isinstance(response, BaseModel):
            raise no_answer("the reply is no completion", str(response))
        received: JsonObject = response.model_dump(mode="python")
        return {**received, "usage": _known(received.get("usage"))}


def _classed(error: Exception) -> CallFailed:
    """Class an error of litellm's; not all that bear a status are of the class that has a response."""
    import openai

    status = getattr(error, "status_code", None)
    if isinstance(error, openai.APIConnectionError) or not isinstance(status, int):
        return from_transport(error)
    headers = getattr(error, "litellm_response_headers", None)
    headers = headers or getattr(getattr(error, "response", None), "headers", None) or {}
    return from_status(status, {str(k).lower(): str(v) for k, v in headers.items()}, str(error))


def _known(usage: JsonValue) -> JsonValue:
    """Return the usage, or None where litellm put zeros for what the server did not say."""
    return usage if isinstance(usage, dict) and usage.get("prompt_tokens") else None


def _import() -> ModuleType:
    """Import litellm quietly: it reads its price list from the network unless told not to."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    litellm = importlib.import_module("litellm")
    # What it does not take is our own business (`quirks`); its banners belong on nobody's screen.
    vars(litellm).update(suppress_debug_info=True, telemetry=False, drop_params=False)
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm
