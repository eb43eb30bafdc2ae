"""What was read of a run at one moment, and what that leaves to do."""

from __future__ import annotations

from dataclasses import dataclass

from bothways.engine.experiment import Experiment
from bothways.engine.ledger import Progress, Request, RunInfo

__all__ = ["RunLook", "possible"]


@dataclass(frozen=True, slots=True)
class RunLook:
    """What was read of a run at one moment."""

    experiment: Experiment
    progress: Progress
    runs: tuple[RunInfo, ...]

    @property
    def alive(self) -> bool:
        """Whether a worker is at it now."""
        return bool(self.runs) and self.runs[0].alive

    @property
    def asked(self) -> Request | None:
        """What was asked of the run that is alive, by whomever: a resumed one goes on as if nothing were."""
        asked = self.runs[0].asked if self.alive else None
        return None if asked == "resume" else asked

    @property
    def budget_usd(self) -> float | None:
        """What may be spent: what the newest run was given, else what the spec says."""
        given = self.runs[0].options.get("budget_usd") if self.runs else None
        return float(given) if isinstance(given, int | float) else self.experiment.run.budget_usd

    @property
    def left(self) -> int:
        """How many units are missing."""
        progress = self.progress
        done = progress.answers.done + progress.passes.done
        return max(0, progress.expected_answers + progress.expected_passes - done)

    @property
    def errors(self) -> list[tuple[str, int, str]]:
        """Each kind of failure with its count and its newest message, the most frequent first."""
        found = self.progress.errors.items()
        return sorted(((kind, *said) for kind, said in found), key=lambda error: (-error[1], error[0]))

    @property
    def failed(self) -> int:
        """How many units were tried in vain."""
        return self.progress.answers.failed + self.progress.passes.failed


def possible(look: RunLook) -> frozenset[str]:
    """Return the ids of the keys that can do something about a run as it stands."""
    can = {"run.review", "run.gate"}
    if look.experiment.imported:
        return frozenset(can)
    if look.alive:
        return frozenset(can | {"run.pause", "run.stop"})
    if look.left:
        can.add("run.start")
    if look.failed:
        can.add("run.retry")
    return frozenset(can)
