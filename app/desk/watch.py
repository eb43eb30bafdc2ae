"""A run as it is watched: how fast it goes, and what it will take, from the store's counts alone."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from bothways.app.desk.keys import press
from bothways.engine.experiment import Experiment
from bothways.engine.ledger import Progress, RunInfo
from bothways.widgets.pages.progress import ErrorView, RunView, StageView

__all__ = ["RunLook", "Watch", "possible"]

_WINDOW_S = 20.0
"""Seconds over which the rate is taken: long enough to be steady, short enough to notice a stall."""


@dataclass(frozen=True, slots=True)
class RunLook:
    """What was read of a run at one moment."""

    experiment: Experiment
    progress: Progress
    runs: tuple[RunInfo, ...]


class Watch:
    """Remembers the last counts, and turns them into a rate and a time left."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def see(self, look: RunLook, at_s: float, *, asked: str = "", tally: str = "") -> RunView:
        """Return the page for what was read at `at_s` (a clock that only goes forward)."""
        progress = look.progress
        alive = bool(look.runs) and look.runs[0].alive
        done = progress.answers.done + progress.passes.done
        left = progress.expected_answers + progress.expected_passes - done
        rate = self._rate(at_s, done) if alive else None
        return RunView(
            state=_state(look, alive, asked, left),
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
            budget_usd=look.experiment.run.budget_usd,
            possibly_billed=progress.possibly_billed,
            errors=tuple(
                ErrorView(kind, count, message) for kind, (count, message) in sorted(progress.errors.items())
            ),
            tally=tally,
            next_step=_next_step(look, alive, asked, left),
        )  # fmt: skip

    def _rate(self, at_s: float, done: int) -> float | None:
        self._seen.append((at_s, done))
        while self._seen[0][0] < at_s - _WINDOW_S:
            self._seen.popleft()
        first_s, first = self._seen[0]
        return (done - first) / (at_s - first_s) if at_s > first_s and done > first else None


def _state(look: RunLook, alive: bool, asked: str, left: int) -> str:
    if alive:
        return {"pause": "pausing or paused", "stop": "stopping"}.get(asked, look.runs[0].state)
    if left <= 0:
        return "complete"
    return f"not running ({look.runs[0].state})" if look.runs else "never started"


def possible(look: RunLook) -> frozenset[str]:
    """Return the ids of the keys that can do something about a run as it stands."""
    progress = look.progress
    if look.experiment.imported:
        return frozenset({"run.review", "run.gate"})
    if look.runs and look.runs[0].alive:
        return frozenset({"run.pause", "run.stop", "run.review", "run.gate"})
    done = progress.answers.done + progress.passes.done
    can = {"run.review", "run.gate"}
    if done < progress.expected_answers + progress.expected_passes:
        can.add("run.start")
    if progress.answers.failed + progress.passes.failed:
        can.add("run.retry")
    return frozenset(can)


def _next_step(look: RunLook, alive: bool, asked: str, left: int) -> str:
    if look.experiment.imported:
        return f"imported: there is nothing to run; {press('run.review')} reviews it"
    if alive:
        pause, stop, leave = press("run.pause"), press("run.stop"), press("desk.back")
        if asked == "pause":
            return f"{pause} resumes it"
        return f"{pause} pauses · {stop} stops · {leave} leaves it running"
    if left > 0:
        return f"{press('run.start')} starts it: {left:,} units are missing"
    failed = look.progress.answers.failed + look.progress.passes.failed
    if failed:
        return f"{press('run.retry')} tries the failed ones again"
    return f"{press('run.review')} reviews it · {press('run.gate')} looks at the gate"
