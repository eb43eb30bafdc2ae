"""A run as it is watched: how fast it goes, and what it will take, from the store's counts alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from bothways.app.desk.keys import press
from bothways.app.desk.run.look import RunLook
from bothways.app.desk.run.remedies import next_step
from bothways.engine.text import agreeing, counted
from bothways.widgets.pages.progress import ErrorView, RunView, StageView

__all__ = ["Watch"]

_WINDOW_S = 20.0
"""Seconds over which the rate is taken: long enough to be steady, short enough to notice a stall."""


class Watch:
    """Remembers the last counts, and turns them into a rate and a time left."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._run: tuple[int, int] = (0, 0)

    def see(
        self,
        look: RunLook,
        at_s: float,
        *,
        tally: Sequence[str] = (),
        worker: Sequence[str] = (),
        log: str = "",
    ) -> RunView:
        """Return the page for what was read at `at_s` (a clock that only goes forward)."""
        progress = look.progress
        tried = progress.answers.done + progress.passes.done + self._failed_now(look)
        rate = self._rate(at_s, tried) if look.alive and look.asked is None else None
        left = look.left - self._failed_now(look)
        return RunView(
            state=_state(look),
            goes_on=look.alive,
            stages=(
                StageView(
                    "answers", progress.expected_answers, progress.answers.done,
                    progress.answers.failed, progress.answers.in_flight,
                ),
                StageView(
                    "passes", progress.expected_passes, progress.passes.done,
                    progress.passes.failed, progress.passes.in_flight,
                ),
            ),
            rate=rate,
            eta_s=max(0, left) / rate if rate else None,
            calls=progress.calls,
            cost_usd=progress.cost_usd,
            unknown_costs=progress.unknown_costs,
            budget_usd=look.budget_usd,
            possibly_billed=progress.possibly_billed,
            errors=tuple(
                ErrorView(kind, count, message, next_step(kind)) for kind, count, message in look.errors
            ),
            tally=tuple(tally),
            next_step=_next_step(look),
            worker=tuple(worker),
            log=log,
        )  # fmt: skip

    def _failed_now(self, look: RunLook) -> int:
        """Return what failed since this run was first seen: it is over with, and takes no more time."""
        run = look.runs[0].id if look.runs else 0
        if run != self._run[0]:
            self._run = (run, look.failed)
            self._seen.clear()
        return max(0, look.failed - self._run[1])

    def _rate(self, at_s: float, done: int) -> float | None:
        self._seen.append((at_s, done))
        while self._seen[0][0] < at_s - _WINDOW_S:
            self._seen.popleft()
        first_s, first = self._seen[0]
        return (done - first) / (at_s - first_s) if at_s > first_s and done > first else None


_ENDED = {
    "interrupted": "interrupted: its worker ended without a word (killed, or the machine went down)",
    "failed": "ended in an error",
    "stopped": "stopped",
}


def _state(look: RunLook) -> str:
    flying = look.progress.answers.in_flight + look.progress.passes.in_flight
    if look.alive:
        if look.asked is None:
            return "running"
        said = "paused" if look.asked == "pause" else "stopping"
        return (
            f"{said}: nothing new is sent; {counted(flying, 'call')} begun, not answered yet"
            if flying
            else said
        )
    if not look.left:
        return "complete"
    if look.runs and look.runs[0].state == "failed" and look.failed:
        return f"over, with {counted(look.failed, 'failure')} left"
    return (
        _ENDED.get(look.runs[0].state, f"not running ({look.runs[0].state})")
        if look.runs
        else "never started"
    )


def _next_step(look: RunLook) -> str:
    if look.experiment.imported:
        return f"imported: there is nothing to run; {press('run.review')} reviews it"
    if look.alive:
        pause, stop, leave = press("run.pause"), press("run.stop"), press("desk.back")
        if look.asked == "pause":
            return f"{pause} resumes it"
        return f"{pause} pauses · {stop} stops · {leave} leaves it running"
    if not look.left:
        return f"{press('run.review')} reviews it · {press('run.gate')} looks at the gate"
    retry = f" · {press('run.retry')} tries the {look.failed:,} that failed again" if look.failed else ""
    units = counted(look.left, "unit")
    missing = f"{units} {agreeing(look.left, 'is', 'are')} missing"
    if not look.runs:  # what it can take from other experiments is found out when it starts
        missing = f"{units}, less what this file has already"
    return f"{press('run.start')} starts it: {missing}{retry}"
