"""Money: what a run may spend, what it has spent, and what nobody knows."""

from __future__ import annotations

__all__ = ["Budget"]


class Budget:
    """Counts known costs in USD; unknown ones are counted apart, never as zero."""

    def __init__(self, limit_usd: float | None, spent_usd: float = 0.0, unknown: int = 0) -> None:
        self.limit_usd = limit_usd
        self.spent_usd = spent_usd
        self.unknown = unknown
        self._known = 0
        self._run_usd = 0.0

    def charge(self, cost_usd: float | None) -> None:
        """Add what one call cost."""
        if cost_usd is None:
            self.unknown += 1
            return
        self.spent_usd += cost_usd
        self._run_usd += cost_usd
        self._known += 1

    def allows(self, in_flight: int) -> bool:
        """Tell whether one more call fits, if those in flight cost what calls of this run cost on average."""
        if self.limit_usd is None:
            return True
        mean = self._run_usd / self._known if self._known else 0.0
        return self.spent_usd + in_flight * mean < self.limit_usd
