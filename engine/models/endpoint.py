"""A chat model behind any OpenAI-compatible server, spoken to directly."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from bothways.engine.errors import CallFailed, UsageError
from bothways.engine.facts import FailureKind, Reply
from bothways.engine.models.base import ModelRequest
from bothways.engine.models.quirks import Quirks
from bothways.engine.models.transport import Transport
from bothways.engine.models.wire import read_reply, write_request

__all__ = ["EndpointModel"]

KEY_NAMES = ("BOTHWAYS_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for, the first that is set; it goes nowhere but into the request."""


class EndpointModel:
    """`model` at `endpoint`, e.g. `https://host/v1`."""

    def __init__(self, model: str, endpoint: str, *, timeout_s: float, concurrency: int) -> None:
        address = urlsplit(endpoint)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise UsageError("an endpoint that is no address", endpoint, "write it as https://host/v1")
        key = next((value for name in KEY_NAMES if (value := os.environ.get(name))), "")
        self.name = model
        self.lane = address.netloc.rpartition("@")[2]
        self._url = f"{endpoint.rstrip('/')}/chat/completions"
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._quirks = Quirks()
        self._transport = Transport(timeout_s=timeout_s, concurrency=concurrency, secrets=[key])

    async def complete(self, request: ModelRequest) -> Reply:
        """Make one attempt; raise CallFailed with what should follow."""
        params = self._quirks.apply(request.params)
        body = write_request(self.name, request, params)
        try:
            received = await self._transport.send(self._url, body, headers=self._headers)
        except CallFailed as failed:
            bad = failed.failure.kind is FailureKind.BAD_REQUEST
            if bad and self._quirks.learn(failed.failure.message, request.params, params):
                raise CallFailed(failed.failure, "retry_now") from failed
            raise
        notes = (*self._quirks.notes, *received.notes)
        return read_reply(received.body, model=self.name, duration_s=received.duration_s, notes=notes)

    async def close(self) -> None:
        """Give the connections back."""
        await self._transport.close()
