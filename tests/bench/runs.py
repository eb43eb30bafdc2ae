"""How close a run comes to the ideal: N calls of latency L, C at a time, take N·L/C.

Start-up is not counted: the clock runs from the first event of a run to its last, in this process, against
a provider in a process of its own. Requests and the most in flight are counted there.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from tests.bench.figure import Figure, median
from tests.bench.process import ENVIRONMENT, ROOT

from bothways.engine.experiment import Experiment, Judge, RunSettings, Variant
from bothways.engine.facts import Case, JsonObject, Message
from bothways.engine.run.options import RunEvent, RunOptions
from bothways.engine.run.runner import run
from bothways.store import open_store

__all__ = ["CALLS_A_ROW", "Server", "figures", "serving"]

# Its price list comes with it; without this, importing it asks the network for a newer one.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

CALLS_A_ROW = 4
RUNS = 3
CONNECTIONS = 10
"""A client of the bare loop; httpx is slow in one large pool (encode/httpx#3215)."""
VERDICT = json.dumps({"rationale": "It gives the date.", "winner": "tie"})
NOW = "2026-01-05T09:00:00Z"


@dataclass(frozen=True, slots=True)
class Server:
    """A provider in a process of its own."""

    url: str

    def stats(self) -> dict[str, int]:
        """Return what the server counted."""
        root = self.url.removesuffix("/v1")
        with urllib.request.urlopen(f"{root}/stats") as reply:
            counted: dict[str, int] = json.load(reply)
        return counted


@contextmanager
def serving(*options: str, verdict: str = VERDICT) -> Iterator[Server]:
    """Run a provider for as long as it is needed."""
    command = [sys.executable, "-m", "tests.loopback.provider", "--verdict", verdict, *options]
    process = subprocess.Popen(command, env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Server(process.stdout.readline().strip())
    finally:
        process.kill()
        process.wait()


def experiment(server: Server, concurrency: int, *, litellm: bool) -> Experiment:
    """Return an experiment whose answers and verdicts all come from the server."""
    endpoint = None if litellm else server.url
    prefix = "openai/" if litellm else ""
    params: JsonObject = {"api_base": server.url, "api_key": "none"} if litellm else {}

    def variant(name: str, prompt: str) -> Variant:
        model = f"{prefix}shop"
        return Variant(name=name, prompt=prompt, model=model, params=params, endpoint=endpoint)

    return Experiment(
        name="bench",
        baseline=variant("v4", "Answer."),
        candidates=(variant("v5", "Answer briefly."),),
        judge=Judge(name="judge", model=f"{prefix}judge", params=params, endpoint=endpoint),
        run=RunSettings(concurrency=concurrency),
    )


async def timed(folder: Path, server: Server, rows: int, concurrency: int, *, litellm: bool = False) -> float:
    """Return the seconds that one fresh run of `rows` rows takes."""
    cases = [Case(f"c{n}", (Message("user", f"Question {n}?"),)) for n in range(rows)]
    marks: list[float] = []

    def watch(event: RunEvent) -> None:
        if event.kind in ("started", "ended"):
            marks.append(time.perf_counter())

    with TemporaryDirectory(dir=folder) as fresh, open_store(Path(fresh) / "bench.db") as store:
        spec_id = store.add(experiment(server, concurrency, litellm=litellm), cases, NOW)
        async with store.run(spec_id, {}, NOW) as journal:
            summary = await run(store, journal, spec_id, RunOptions(), watch)
            await journal.end(summary.state)
    assert summary.state == "complete", summary
    return marks[-1] - marks[0]


async def bare(server: Server, calls: int, concurrency: int) -> float:
    """Return the seconds of a bare loop over httpx for as many calls: what the machine has to give."""
    limits = httpx.Limits(max_connections=CONNECTIONS)
    clients = [httpx.AsyncClient(timeout=None, limits=limits) for _ in range(-(-concurrency // CONNECTIONS))]
    numbers = iter(range(calls))

    async def work(client: httpx.AsyncClient) -> None:
        for number in numbers:
            messages = [{"role": "user", "content": f"Question {number}?"}]
            body = {"model": "shop", "messages": messages}
            (await client.post(f"{server.url}/chat/completions", json=body)).json()

    before = time.perf_counter()
    await asyncio.gather(*(work(clients[n % len(clients)]) for n in range(concurrency)))
    took = time.perf_counter() - before
    await asyncio.gather(*(client.aclose() for client in clients))
    return took


def close_to_ideal(
    folder: Path, rows: int, latency: float, concurrency: int, bound: float, *, litellm: bool = False
) -> Iterator[Figure]:
    """Compare three runs with the ideal, and what the server counted with what it should."""
    way = "litellm" if litellm else "endpoint"
    ideal = rows * CALLS_A_ROW * latency / concurrency
    walls, bares, cpus, requests, most = [], [], [], 0, 0
    if litellm:
        importlib.import_module("litellm")  # start-up is not counted
    for _ in range(RUNS):
        with serving("--latency", str(latency)) as server:
            before = time.process_time()
            walls.append(asyncio.run(timed(folder, server, rows, concurrency, litellm=litellm)))
            cpus.append((time.process_time() - before) / (rows * CALLS_A_ROW) * 1000)
            stats = server.stats()
            requests, most = requests + stats["requests"], max(most, stats["max_in_flight"])
            bares.append(asyncio.run(bare(server, rows * CALLS_A_ROW, concurrency)))
    yield Figure(
        f"run: {way}, {rows} rows × 4 calls of {latency:g} s, {concurrency} at a time / ideal",
        median(walls) / ideal, "×", bound,
        f"{median(walls):.2f} s, ideal {ideal:.2f} s, {median(cpus):.1f} ms CPU a call; "
        f"a bare httpx loop {median(bares) / ideal:.3f} ×",
    )  # fmt: skip
    beyond = requests - RUNS * rows * CALLS_A_ROW
    yield Figure("  requests that are not 4 a row", abs(beyond), "", 0.0)
    yield Figure("  most in flight / concurrency", most / concurrency, "", 1.0)


def with_refusals(
    folder: Path, rows: int = 200, latency: float = 0.2, concurrency: int = 20
) -> Iterator[Figure]:
    """Compare a run in which one request in twenty gets a 429 with a clean one, in turn."""
    ratios, wrong, refused = [], 0, 0
    for _ in range(RUNS):
        with serving("--latency", str(latency)) as server:
            clean = asyncio.run(timed(folder, server, rows, concurrency))
        with serving("--latency", str(latency), "--limit-every", "20") as server:
            slowed = asyncio.run(timed(folder, server, rows, concurrency))
            stats = server.stats()
        ratios.append(slowed / clean)
        wrong += abs(stats["requests"] - stats["refused"] - rows * CALLS_A_ROW)
        refused += stats["refused"]
    share = f"{refused} refusals in {RUNS} runs"
    yield Figure("run with 5 % of 429s / the clean run", median(ratios), "×", 1.2, share)
    yield Figure("  requests that are not 4 a row and one a 429", wrong, "", 0.0)


def figures(folder: Path) -> Iterator[Figure]:
    """Measure runs through both models, and through refusals."""
    yield from close_to_ideal(folder, 200, 0.2, 20, 1.10)
    yield from close_to_ideal(folder, 200, 0.2, 50, 1.25)
    yield from with_refusals(folder)
    yield from close_to_ideal(folder, 50, 1.0, 20, 1.20, litellm=True)
