"""Runs that have ended, whoever started them: found in the store, told wherever in the desk one is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bothways.engine.text import excerpt

if TYPE_CHECKING:
    from bothways.app.desk.sitting import Sitting
    from bothways.engine.ledger import RunInfo
    from bothways.store import Store

__all__ = ["Announcement", "Announcer"]

_ENDED = {
    "complete": ("✓", "is complete"),
    "stopped": ("■", "was stopped"),
    "failed": ("✗", "is over, with failures left"),
    "interrupted": ("✗", "was interrupted: its worker ended without a word. What was committed is kept"),
}
_NAME = 60


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something that ended: the sentence, and the few words that a terminal's title has room for."""

    words: str
    title: str


class Announcer:
    """Remembers which runs were alive, and tells of each end once.

    Ask about once a second whether it is `due`, and then have it `look`, in a thread: whether a run is alive
    is asked of the file system, which may take its time while a worker writes.
    """

    def __init__(self) -> None:
        self._alive: dict[int, RunInfo] = {}
        self._last = -1
        self._version = -1
        self._told: set[int] = set()

    @property
    def running(self) -> tuple[str, ...]:
        """The experiments that run, as of the last look."""
        return tuple(dict.fromkeys(run.experiment for run in self._alive.values()))

    def due(self, sitting: Sitting) -> bool:
        """Say whether anything may have ended; costs microseconds."""
        from bothways.engine.errors import StoreError

        if not sitting.there:
            return False
        try:
            version = sitting.store.version()
        except StoreError:  # whoever reads the file for the screen tells of it
            return False
        was, self._version = self._version, version
        return bool(self._alive or sitting.workers) or version != was

    def look(self, sitting: Sitting) -> list[Announcement]:
        """Return what has ended since the last look."""
        with sitting.open() as store:
            over = list(self._ended(store))
        return [*map(_announced, over), *self._never_started(sitting)]

    def _ended(self, store: Store) -> Iterator[RunInfo]:
        first = self._last < 0
        runs = store.recent_runs(self._last)
        before, self._alive = self._alive, {run.id: run for run in runs if run.alive}
        for run in runs:
            is_new = run.id > self._last and not first
            if not run.alive and (run.id in before or is_new):
                yield run
        over = [run_id for run_id in before if run_id not in {run.id for run in runs}]
        for run_id in over:  # it ended in good order: only its experiment still lists it
            yield from (run for run in store.runs(before[run_id].experiment) if run.id == run_id)
        self._last = max([self._last, 0, *(run.id for run in runs)])

    def _never_started(self, sitting: Sitting) -> Iterator[Announcement]:
        """Yield the workers of this sitting that died before they had anything to write."""
        for name, worker in sitting.workers.items():
            if worker.ended is None or id(worker) in self._told:
                continue
            self._told.add(id(worker))
            if worker.ended > 0 and worker.how:
                short = excerpt(name, _NAME)
                words = f"The worker of {short} {worker.how}. {worker.last_words()}"
                yield Announcement(words, f"✗ {short}: {worker.how}")


def _announced(run: RunInfo) -> Announcement:
    sign, words = _ENDED.get(run.state, ("■", f"has ended: {run.state}"))
    name = excerpt(run.experiment, _NAME)
    return Announcement(f"The run of {name} {words}.", f"{sign} {name}: {run.state}")
