"""JSON over HTTP: one attempt, one deadline, every failure classed. For models and agents alike."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import httpx

from bothways.engine.errors import CallFailed
from bothways.engine.facts import JsonValue
from bothways.engine.models.events import read_events
from bothways.engine.models.faults import from_silence, from_status, from_transport, no_answer
from bothways.engine.models.wire import SURROGATE_NOTE
from bothways.engine.text import cleaned

__all__ = ["Received", "Transport"]

_CONNECTIONS = 4
"""Per client: httpx looks through its whole pool at every request (encode/httpx#3215)."""
_SAYS_ITS_END = frozenset({"content-length", "transfer-encoding"})
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Received:
    """The JSON that came back, how many seconds it took, and what had to be mended."""

    body: JsonValue
    duration_s: float
    notes: tuple[str, ...] = ()


class Transport:
    """As many clients as the calls in flight need, a few connections each.

    `secrets` are values that no error may quote. `timeout_s` bounds an attempt as a whole, so that a server
    which sends a byte a second ends too.
    """

    def __init__(self, *, timeout_s: float, concurrency: int, secrets: Iterable[str] = ()) -> None:
        self._timeout_s = timeout_s
        self._secrets = tuple(secrets)
        self._count = -(-concurrency // _CONNECTIONS)
        self._clients: list[httpx.AsyncClient] = []
        self._in_flight: list[int] = []

    async def send(
        self,
        url: str,
        body: JsonValue = None,
        *,
        method: str = "POST",
        headers: Mapping[str, str] | None = None,
        parse: bool = True,
    ) -> Received:
        """Send one request and return the JSON of a successful reply; raise CallFailed for anything else.

        Without `parse` what a successful reply holds does not matter.
        """
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._request(method, url, body, headers or {})
        except TimeoutError as error:
            raise from_silence(self._timeout_s) from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeEncodeError) as error:
            raise from_transport(error, self._secrets) from error
        if not response.is_success:
            raise from_status(response.status_code, response.headers, response.text, secrets=self._secrets)
        parsed, notes = self._parse(response) if parse else (None, ())
        return Received(parsed, time.perf_counter() - started, notes)

    async def close(self) -> None:
        """Give the connections back."""
        for client in self._clients:
            await client.aclose()
        self._clients.clear()

    async def _request(
        self, method: str, url: str, body: JsonValue, headers: Mapping[str, str]
    ) -> httpx.Response:
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        kind = {} if content is None else {"content-type": "application/json"}
        if not self._clients:
            self._open()
        place = min(range(len(self._clients)), key=self._in_flight.__getitem__)
        self._in_flight[place] += 1
        try:
            return await self._clients[place].request(
                method, url, content=content, headers={**kind, **headers}
            )
        finally:
            self._in_flight[place] -= 1

    def _open(self) -> None:
        """Make the clients on first use."""
        limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS)
        self._clients = [
            httpx.AsyncClient(timeout=None, limits=limits, verify=_tls()) for _ in range(self._count)
        ]
        self._in_flight = [0] * self._count

    def _parse(self, response: httpx.Response) -> tuple[JsonValue, tuple[str, ...]]:
        content = response.content
        kind = response.headers.get("content-type", "of no type")
        try:
            text = content.decode("utf-8-sig")
            body: JsonValue
            if kind.startswith("text/event-stream"):
                body = read_events(text, whole=not _SAYS_ITS_END.isdisjoint(response.headers))
            else:
                body = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise self._no_json(kind, content) from error
        if _ESCAPED_SURROGATE.search(content) and (mended := cleaned(body)) != body:
            return mended, (SURROGATE_NOTE,)
        return body, ()

    def _no_json(self, kind: str, content: bytes) -> CallFailed:
        text = content.decode("utf-8", "replace")
        return no_answer(f"the reply ({kind}) is no JSON", text or "empty", secrets=self._secrets)


@cache
def _tls() -> ssl.SSLContext:
    """One context for every client of the process: loading the certificates stalls whatever else goes on."""
    context: ssl.SSLContext = httpx.create_ssl_context()
    return context


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
