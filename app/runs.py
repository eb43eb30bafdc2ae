"""A run from beginning to end in this process: the store's journal, the runner, progress, signals.

The command line and the demo run through here; the desk starts the command line in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from types import FrameType
from typing import IO

from bothways.app.exits import INTERRUPTED
from bothways.engine.clock import now
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.run.options import RunEvent, RunOptions, RunSummary
from bothways.engine.run.runner import Stop, run
from bothways.engine.text import counted, excerpt, usd
from bothways.store import Store

__all__ = ["Events", "ProgressLine", "run_here"]

Clock = Callable[[], float]


def run_here(store: Store, spec_id: int, options: RunOptions, *, events: bool = False) -> RunSummary:
    """Run and return how it ended; progress goes to stderr, with `events` also JSON lines to stdout.

    The first Ctrl-C or SIGTERM stops cleanly, the second ends the process at once.
    """
    watches: list[Callable[[RunEvent], None]] = [ProgressLine(sys.stderr)]
    if events:
        watches.append(Events(sys.stdout))

    def watch(event: RunEvent) -> None:
        for one in watches:
            one(event)

    return asyncio.run(_run(store, spec_id, options, watch))


async def _run(
    store: Store, spec_id: int, options: RunOptions, watch: Callable[[RunEvent], None]
) -> RunSummary:
    stop = Stop()
    with _signals(stop, asyncio.get_running_loop()):
        async with store.run(spec_id, _as_json(options), now()) as journal:
            summary = await run(store, journal, spec_id, options, watch, stop)
            await journal.end(summary.state)
    return summary


def _as_json(options: RunOptions) -> JsonObject:
    given: JsonObject = {
        "concurrency": options.concurrency,
        "budget_usd": options.budget_usd,
        "limit": options.limit,
        "only": list[JsonValue](sorted(options.only)) or None,
        "failed_only": options.failed_only or None,
        "freeze": options.freeze or None,
        "extend": list[JsonValue](options.extend) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


@contextmanager
def _signals(stop: Stop, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """While inside, a signal asks the run to stop; a second one does not wait for anything."""

    def asked(number: int, _frame: FrameType | None) -> None:
        if stop.reason is not None:
            os._exit(INTERRUPTED)
        reason = "Ctrl-C" if number == signal.SIGINT else "told to end (SIGTERM)"
        loop.call_soon_threadsafe(stop, f"stopped by {reason}")

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_TOLD = ("failed", "waiting", "unfinished", "unpriced", "paused", "resumed", "stopping")
"""Events that are worth a line of their own."""


class ProgressLine:
    """Says on stderr how far a run is: one line rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, out: IO[str], clock: Clock = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._terminal = out.isatty()
        self._every_s = 0.1 if self._terminal else 5.0
        self._last = clock()
        self._counts = {"answered": 0, "judged": 0, "failed": 0}
        self._cost = 0.0
        self._shown = False
        self._gone = False
        self._stopped_by = ""

    def __call__(self, event: RunEvent) -> None:
        """Take one event in; show what is worth a line of its own at once."""
        if event.kind in self._counts:
            self._counts[event.kind] += 1
        self._cost = max(self._cost, event.cost_usd)
        if event.kind == "stopping":
            self._stopped_by = event.detail
        if event.kind in _TOLD and not self._is_the_reason(event):
            self._line(_sentence(event))
        if event.kind == "ended" or self._clock() - self._last >= self._every_s:
            self._last = self._clock()
            self._progress(last=event.kind == "ended")

    def _is_the_reason(self, event: RunEvent) -> bool:
        """Tell whether a failure is what the run stops for: its end says that in full, and once."""
        return event.failure is not None and event.failure.message in self._stopped_by

    def _line(self, text: str) -> None:
        self._write(("\r\x1b[K" if self._shown else "") + text + "\n")
        self._shown = False

    def _progress(self, *, last: bool) -> None:
        counts = self._counts
        done = f"{counted(counts['answered'], 'answer')}, {counted(counts['judged'], 'pass', 'passes')}"
        failed = f", {counts['failed']} failed" if counts["failed"] else ""
        text = f"{done}{failed}, {usd(self._cost, 4)}"
        if self._terminal:
            self._write(f"\r\x1b[K{text}" + ("\n" if last else ""))
            self._shown = not last
        else:
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        if self._gone:
            return
        try:
            self._out.write(text)
            self._out.flush()
        except OSError:  # nobody listens any more; a run goes on without being watched
            self._gone = True


def _sentence(event: RunEvent) -> str:
    where = " ".join(part for part in (event.case, event.variant) if part)
    why = f"{event.failure.kind.value}: {event.failure.message}" if event.failure else event.detail
    if event.kind == "stopping":
        why = why.partition(": ")[0]
    wait = f" for {event.seconds:.1f} s" if event.seconds else ""
    return excerpt(": ".join(part for part in (event.kind + wait, where, why) if part), 200)


class Events:
    """Writes every event as one JSON line for scripts. A closed pipe silences it; it never stops a run."""

    def __init__(self, out: IO[str]) -> None:
        self._out: IO[str] | None = out

    def __call__(self, event: RunEvent) -> None:
        """Write one event."""
        if self._out is None:
            return
        fields = {name: value for name, value in asdict(event).items() if value not in ("", None)}
        try:
            self._out.write(json.dumps(fields, default=str) + "\n")
            self._out.flush()
        except OSError:
            # Python flushes stdout once more at exit, and would complain there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
            self._out = None
