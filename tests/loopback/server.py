"""A small HTTP/1.1 server that can also misbehave: hang, drip, cut the connection.

Shares no code with what it tests, so that it runs as a process of its own from any folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self, TypeAlias

from pydantic import JsonValue

__all__ = [
    "Handled",
    "Handler",
    "JsonObject",
    "JsonValue",
    "LoopbackServer",
    "Request",
    "Response",
    "as_json",
]


JsonObject: TypeAlias = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came. `number` counts from 0 over the life of the server."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: JsonObject


@dataclass(frozen=True, slots=True)
class Response:
    """What to send back, and how badly.

    `delay_s` passes before the first byte (infinite: never). `drip_s` passes between the bytes of the body.
    `cut_at` resets the connection after so many bytes of the body. `drop` closes it after the reply
    without having said so; without `length` that is the only end the reply has.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip_s: float = 0.0
    cut_at: int | None = None
    drop: bool = False
    length: bool = True


def as_json(value: JsonValue, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response."""
    kind = {"content-type": "application/json"}
    return Response(json.dumps(value).encode(), status, {**kind, **(headers or {})})


Handled: TypeAlias = Response | Awaitable[Response]
Handler: TypeAlias = Callable[[Request], Handled]


class LoopbackServer:
    """Serves `handler` on 127.0.0.1 and keeps what it was asked. An async context manager."""

    def __init__(self, handler: Handler, *, port: int = 0, keep_bodies: bool = True) -> None:
        self.requests: list[Request] = []
        self.count = 0
        self.in_flight = 0
        self.max_in_flight = 0
        self.refused = 0
        self._handler = handler
        self._port = port
        self._keep_bodies = keep_bodies
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The address, without a slash at its end."""
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port, backlog=1024)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._one(reader, writer):
                    pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; return whether the connection lives on."""
        method, path, headers = _read_head(await reader.readuntil(b"\r\n\r\n"))
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        if path == "/stats":
            return await _write(reader, writer, as_json(self._stats()))
        request = Request(self.count, method, path, headers, json.loads(content) if content else {})
        self.count += 1
        if self._keep_bodies:
            self.requests.append(request)
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        try:
            answer = self._handler(request)
            response = answer if isinstance(answer, Response) else await answer
            self.refused += response.status == 429
            return await _write(reader, writer, response)
        finally:
            self.in_flight -= 1

    def _stats(self) -> JsonObject:
        """Count: all requests, the most of them at once, and those that were told to slow down."""
        return {"requests": self.count, "max_in_flight": self.max_in_flight, "refused": self.refused}


def _read_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    return method, path, {name.lower(): value.strip() for name, _, value in pairs}


async def _write(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, response: Response) -> bool:
    if response.delay_s == float("inf"):
        await reader.read()  # until the client gives up
        return False
    if response.delay_s:
        await asyncio.sleep(response.delay_s)
    length = {"content-length": str(len(response.body))} if response.length else {}
    headers = {**length, **response.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {response.status} -\r\n{head}\r\n".encode("latin-1"))
    body = response.body if response.cut_at is None else response.body[: response.cut_at]
    if response.drip_s:
        for byte in body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(response.drip_s)
    else:
        writer.write(body)
    await writer.drain()
    if response.cut_at is not None:
        writer.transport.abort()
    return response.cut_at is None and not response.drop
