"""Money: what may be spent, what has been, and what nobody knows."""

from __future__ import annotations

from bothways.engine.ledger import Spent

__all__ = ["Budget"]

_ROUNDING = 1 + 1e-9
"""Ten times 0.1 is a hair more than 1.0."""


class Budget:
    """Counts known costs in USD; unknown ones are counted apart, never as zero.

    A call is taken to cost as much as the dearest of the experiment so far, and room for every call in
    flight is kept. Until the first reply of somebody is there, one call at a time shows what theirs cost.
    """

    def __init__(self, limit_usd: float | None, spent: Spent | None = None) -> None:
        spent = spent or Spent()
        self.limit_usd = limit_usd
        self.spent_usd = spent.usd
        self.unknown = spent.unknown
        self.dearest_usd = spent.dearest_usd
        self._heard: set[str] = set()

    def charge(self, who: str, cost_usd: float | None) -> None:
        """Add what one call to somebody (a variant, a judge) cost."""
        self._heard.add(who)
        if cost_usd is None:
            self.unknown += 1
            return
        self.spent_usd += cost_usd
        self.dearest_usd = max(self.dearest_usd, cost_usd)

    def affords(self, in_flight: int = 0) -> bool:
        """Tell whether one call more fits beside those in flight."""
        if self.limit_usd is None:
            return True
        needed = self.spent_usd + (in_flight + 1) * self.dearest_usd
        return self.spent_usd < self.limit_usd and needed <= self.limit_usd * _ROUNDING

    def fits(self, who: str, theirs: int, in_flight: int) -> bool:
        """Tell whether a call to somebody may go out now, beside `theirs` and all others in flight."""
        if self.limit_usd is None:
            return True
        return (who in self._heard or not theirs) and self.affords(in_flight)
