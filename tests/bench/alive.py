"""Whether the desk's event loop stays free while workers make as many calls as the machine lets them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure
from tests.bench.process import BOTHWAYS, ENVIRONMENT, ROOT, home
from tests.bench.runs import Server, serving
from tests.bench.terminal import Terminal

__all__ = ["figures"]

ROWS, WORKERS, CONCURRENCY, LATENCY_S = 1_500, 2, 20, 0.1
SETTLED_S, WATCHED_S = 3.0, 20.0
"""How long after the workers' start the watching begins, and how long it goes on."""


def figures(folder: Path) -> Iterator[Figure]:
    """Watch a run from the desk, while it and another of the same file go on."""
    (place := folder / "alive").mkdir()
    log = place / "late.txt"
    probe = [sys.executable, "-m", "tests.bench.probe", str(place / "alive.db"), "run-0", str(log)]
    with serving("--latency", str(LATENCY_S)) as server:
        for number in range(WORKERS):
            _write(place, number, server)
        workers = [_worker(place, number) for number in range(WORKERS)]
        try:
            _wait(server, 10)
            with Terminal(probe, home(place)) as desk:
                desk.shown("running")
                desk.watch(SETTLED_S)
                began, before = time.monotonic(), server.stats()["requests"]
                desk.watch(WATCHED_S)
                ended, after = time.monotonic(), server.stats()["requests"]
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
    late = sorted(gap for at, gap in _gaps(log) if began <= at <= ended) or [0.0]
    rate = (after - before) / (ended - began)
    yield Figure(
        "event-loop gap of the desk on a run screen, the longest", late[-1] * 1000, "ms", 50.0,
        f"{rate:.0f} calls a second by {WORKERS} workers for {ended - began:.0f} s; "
        f"{len(late)} over 10 ms, the next {' '.join(f'{gap * 1000:.0f}' for gap in late[-6:-1][::-1])}",
    )  # fmt: skip


def _write(place: Path, number: int, server: Server) -> None:
    for version in ("v4", "v5"):
        (place / f"{version}-{number}.md").write_text(f"Answer as {version} does, in run {number}.")
    cases = [json.dumps({"id": f"c{n}", "input": f"Question {n} of {number}?"}) for n in range(ROWS)]
    (place / f"cases-{number}.jsonl").write_text("\n".join(cases))
    spec = {
        "name": f"run-{number}",
        "cases": f"cases-{number}.jsonl",
        "baseline": {"name": "v4", "model": "shop", "endpoint": server.url, "prompt": f"v4-{number}.md"},
        "candidates": [{"name": "v5", "prompt": f"v5-{number}.md"}],
        "judge": {"name": "judge", "model": "judge", "endpoint": server.url},
        "run": {"concurrency": CONCURRENCY},
    }
    (place / f"run-{number}.yaml").write_text(json.dumps(spec))


def _worker(place: Path, number: int) -> subprocess.Popen[bytes]:
    command = [*BOTHWAYS, "--db", str(place / "alive.db"), "run", str(place / f"run-{number}.yaml")]
    with (place / f"worker-{number}.txt").open("wb") as log:
        return subprocess.Popen(command, env=ENVIRONMENT, cwd=ROOT, stdout=log, stderr=log)


def _wait(server: Server, requests: int) -> None:
    while server.stats()["requests"] < requests:
        time.sleep(0.1)


def _gaps(log: Path) -> Iterator[tuple[float, float]]:
    for line in log.read_text(encoding="ascii").splitlines():
        at, gap = line.split()
        yield float(at), float(gap)
