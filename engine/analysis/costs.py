"""What each side and the judge used, with "unknown" as a value."""

from __future__ import annotations

from array import array
from collections import Counter
from statistics import median
from typing import TypeAlias

from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact

__all__ = ["Spending"]

_Used: TypeAlias = tuple[float | None, float | None, str | None, str, int | None, int | None, int | None]
"""The last seven fields of either kind of fact: cost, duration, model, when, and three counts of tokens."""
_MOST = 1000
"""Different facts that are remembered before they are added up."""


class Spending:
    """Adds up answers, or passes, as they stream by. Each was bought once, however many rows rely on it."""

    def __init__(self) -> None:
        self._alike: Counter[_Used] = Counter()
        self._models: Counter[str | None] = Counter()
        self._durations = array("d")
        self._cost, self._unknown = 0.0, 0
        self._tokens: list[int | None] = [0, 0, 0]

    def add(self, fact: AnswerFact | PassFact) -> None:
        """Take in a fact that was tried: what failed cost something unknown."""
        self._alike[fact[-7:]] += 1
        if len(self._alike) >= _MOST:
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
        """Add up what is remembered: much of a file that came from elsewhere is known of no fact at all."""
        for (cost, duration, model, _, *tokens), times in self._alike.items():
            self._models[model] += times
            if duration is not None:
                self._durations.extend([duration] * times)
            # A price of exactly 0 for tokens that were used is a missing price, not a gift.
            if cost is None or (not cost and any(tokens)):
                self._unknown += times
            else:
                self._cost += cost * times
            self._tokens = [
                None if total is None or more is None else total + more * times
                for total, more in zip(self._tokens, tokens, strict=True)
            ]
        self._alike.clear()
