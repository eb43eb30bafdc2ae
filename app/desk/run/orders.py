"""What people tell a run to do: start, retry, pause, resume, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from bothways.app.desk import worker
from bothways.app.desk.keys import press
from bothways.engine.errors import RefusedError

if TYPE_CHECKING:
    from bothways.app.desk.run.look import RunLook
    from bothways.app.desk.sitting import Sitting
    from bothways.engine.ledger import Request

__all__ = ["Order", "Orders"]

Order: TypeAlias = Literal["start", "retry", "pause", "stop"]


class Orders:
    """Passes on what is said to the runs of one experiment: to a worker, or through the store.

    Each order returns what to tell whoever gave it, "" where the screen shows it by itself, and raises
    RefusedError where there is nothing to give it to.
    """

    def __init__(self, sitting: Sitting, experiment: str) -> None:
        self._sitting = sitting
        self._experiment = experiment

    def give(self, order: Order, look: RunLook) -> str:
        """Give an order to the run as it was read last; `pause` resumes what is paused, by whomever."""
        if order in ("start", "retry"):
            return self._start(look, *(["--retry-failed"] if order == "retry" else []))
        if not look.alive:
            raise RefusedError("Nothing is running", "", f"{press('run.start')} starts it.")
        request: Request = "stop" if order == "stop" else "resume" if look.asked == "pause" else "pause"
        self._sitting.store.request(look.runs[0].id, request, self._sitting.now())
        return ""

    def _start(self, look: RunLook, *options: str) -> str:
        if look.experiment.imported:
            raise RefusedError("There is nothing to run", "", "An import brought all there is.")
        if self._runs_now():
            pause, stop = press("run.pause"), press("run.stop")
            return f"A run is going on: this screen follows it. {pause} pauses it, {stop} stops it."
        self._sitting.workers[self._experiment] = worker.start(self._sitting.db, self._experiment, options)
        return "The worker starts; it goes on when you leave."

    def _runs_now(self) -> bool:
        """Whether a run is alive at this moment, whoever started it: what was read last may be older."""
        started = self._sitting.workers.get(self._experiment)
        if started is not None and started.ended is None:
            return True
        runs = self._sitting.store.runs(self._experiment)
        return bool(runs) and runs[0].alive
