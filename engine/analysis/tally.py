"""Votes: decided rows counted by whom they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from bothways.engine.analysis.stats import share
from bothways.engine.verdicts import Verdict

__all__ = ["Ties", "Votes"]

Ties: TypeAlias = Literal["count", "exclude"]


@dataclass(frozen=True, slots=True)
class Votes:
    """How many decided rows name the candidate, the baseline, or neither."""

    candidate: int = 0
    baseline: int = 0
    tie: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[Verdict | None]) -> Votes:
        """Count verdicts, or take them as a Counter has them; None is undecided and counts nowhere."""
        counts = Counter(verdicts)
        return cls(counts["candidate"], counts["baseline"], counts["tie"])

    @property
    def decided(self) -> int:
        """All decided rows, agreed ties among them."""
        return self.candidate + self.baseline + self.tie

    @property
    def named(self) -> dict[str, int]:
        """The counts by whom they name, in the order in which they are shown."""
        return {"candidate": self.candidate, "baseline": self.baseline, "tie": self.tie}

    @property
    def leader(self) -> Literal["candidate", "baseline"] | None:
        """The side that is named more often; None where they are level."""
        if self.candidate == self.baseline:
            return None
        return "candidate" if self.candidate > self.baseline else "baseline"

    def plus(self, candidate: int = 0, baseline: int = 0, tie: int = 0) -> Votes:
        """Return these votes and some more."""
        return Votes(self.candidate + candidate, self.baseline + baseline, self.tie + tie)

    def denominator(self, ties: Ties) -> int:
        """Return what the wins are a share of: with agreed ties or without."""
        return self.decided if ties == "count" else self.candidate + self.baseline

    def rate(self, ties: Ties) -> Fraction | None:
        """Return the candidate's win rate; None where nothing is decided."""
        return share(self.candidate, self.denominator(ties))

    def meets(self, threshold: Fraction, ties: Ties) -> bool | None:
        """Say whether the win rate meets the threshold, in integers; None where nothing is decided."""
        rate = self.rate(ties)
        return None if rate is None else rate >= threshold
