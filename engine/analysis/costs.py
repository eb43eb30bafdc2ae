"""What each side and the judge used, with "unknown" as a value."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact

__all__ = ["Spending"]

_LOT = 1000
"""Facts that are added up together: by columns, in C, they cost a third of what they do one by one."""


class Spending:
    """Adds up answers, or passes, as they stream by. Each was bought once, however many rows rely on it."""

    def __init__(self) -> None:
        self._lot: list[AnswerFact | PassFact] = []
        self._models: Counter[str | None] = Counter()
        self._durations = array("d")
        self._cost, self._unknown = 0.0, 0
        self._tokens: list[int | None] = [0, 0, 0]

    def add(self, facts: Iterable[AnswerFact | PassFact]) -> None:
        """Take in facts, all of them tried: what failed cost something unknown."""
        self._lot.extend(facts)
        if len(self._lot) >= _LOT:
            self._settle()

    def models(self) -> list[str]:
        """Return the models that answered, by the names that the provider returned."""
        self._settle()
        return [name for name in self._models if name]

    def total(self) -> SideCosts:
        """Return the sums; tokens are None where any part is unknown."""
        self._settle()
        calls = self._models.total()
        prompt, completion, cached = self._tokens if calls else (None, None, None)
        return SideCosts(
            calls=calls,
            cost_usd=self._cost,
            unknown=self._unknown,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cached_tokens=cached,
            median_duration_s=median(self._durations) if self._durations else None,
        )

    def _settle(self) -> None:
        """Add up the facts that wait. Both kinds end in the same seven fields."""
        if not self._lot:
            return
        columns = zip(*[fact[-7:] for fact in self._lot], strict=True)
        costs, durations, models, _, prompts, completions, cached = columns
        # A price of exactly 0 for tokens that were used is a missing price, not a gift.
        known = [
            cost
            for cost, prompt, completion in zip(costs, prompts, completions, strict=True)
            if cost is not None and (cost or not (prompt or completion))
        ]
        self._cost += sum(known)
        self._unknown += len(costs) - len(known)
        self._models.update(models)
        self._durations.extend(seconds for seconds in durations if seconds is not None)
        more = (prompts, completions, cached)
        self._tokens = [_plus(total, column) for total, column in zip(self._tokens, more, strict=True)]
        self._lot.clear()


def _plus(total: int | None, column: Sequence[int | None]) -> int | None:
    known = [tokens for tokens in column if tokens is not None]
    return None if total is None or len(known) < len(column) else total + sum(known)
