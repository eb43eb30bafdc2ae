"""An OpenAI-compatible provider on the loopback address.

In a test: `async with provider(says("Hello.")) as server: … server.url …`. As a process of its own:
`python -m tests.loopback.provider --latency 0.2`, which prints its address as its first line and serves
until it is ended; `GET /stats` counts.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json

from tests.loopback.behaviours import every, fails, later, rate_limits, says, wants_shape, when
from tests.loopback.server import Handled, Handler, LoopbackServer, Request

__all__ = ["Provider", "judging", "provider"]


class Provider(LoopbackServer):
    """A provider; `url` is what an experiment's `endpoint` takes."""

    @property
    def url(self) -> str:
        """The base address, ending in `/v1`."""
        return f"{super().url}/v1"


def provider(behaviour: Handler | None = None, *, port: int = 0, keep_bodies: bool = True) -> Provider:
    """Return a provider that answers every chat completion so."""
    inner = behaviour or says()
    missing = fails(404, "no such route")

    def handler(request: Request) -> Handled:
        known = request.method == "POST" and request.path == "/v1/chat/completions"
        return inner(request) if known else missing(request)

    return Provider(handler, port=port, keep_bodies=keep_bodies)


def judging(verdict: str, answers: Handler, *, model: str = "judge") -> Handler:
    """Say `verdict` to whoever asks for JSON or for the model `model`; behave as `answers` to all others."""
    return when(lambda r: bool(wants_shape(r.body)) or r.body.get("model") == model, says(verdict), answers)


def _behaviour(options: argparse.Namespace) -> Handler:
    if options.behaviour:
        module, _, name = options.behaviour.partition(":")
        inner: Handler = getattr(importlib.import_module(module), name)
    else:
        inner = says(options.say) if options.say else says()
        inner = judging(options.verdict, inner, model=options.judge) if options.verdict else inner
    inner = later(options.latency, inner)
    if options.no_schema:
        refusal = fails(options.no_schema, "json_schema is not supported")
        inner = when(lambda r: wants_shape(r.body) == "json_schema", refusal, inner)
    return (
        every(options.limit_every, rate_limits(options.retry_after), inner) if options.limit_every else inner
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible provider on the loopback address.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--say", help="answer this text instead of an echo")
    parser.add_argument(
        "--verdict", help="what the judge says: to requests for JSON or for the judge's model"
    )
    parser.add_argument("--judge", default="judge", help="the judge's model name")
    parser.add_argument("--limit-every", type=int, default=0, metavar="N", help="429 to every Nth request")
    parser.add_argument("--retry-after", default=None, help="value of Retry-After with a 429")
    parser.add_argument(
        "--no-schema", type=int, default=0, metavar="STATUS", help="refuse json_schema with this"
    )
    parser.add_argument("--behaviour", metavar="MODULE:NAME", help="a handler of your own")
    parser.add_argument("--log", help="append each request's JSON body to this file as a line")
    return parser.parse_args()


async def _serve(options: argparse.Namespace) -> None:
    inner = _behaviour(options)
    server = provider(
        _logged(inner, options.log) if options.log else inner, port=options.port, keep_bodies=False
    )
    async with server:
        print(server.url, flush=True)  # noqa: T201 - the first line of output is the address
        await asyncio.Event().wait()


def _logged(inner: Handler, path: str) -> Handler:
    file = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - lives as long as the process

    def handler(request: Request) -> Handled:
        file.write(json.dumps(request.body) + "\n")
        return inner(request)

    return handler


if __name__ == "__main__":
    asyncio.run(_serve(_options()))
