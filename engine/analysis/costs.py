"""What each side and the judge used, with "unknown" as a value."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from statistics import median

from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact

__all__ = ["Spending"]


class Spending:
    """Adds up answers, or passes, as they stream by. Each was bought once, however many rows rely on it."""

    def __init__(self) -> None:
        self.models: Counter[str | None] = Counter()
        """How many came from each model, by the name that the provider returned."""
        self._durations = array("d")
        self._cost, self._unknown = 0.0, 0
        self._prompt = self._completion = self._cached = 0
        self._no_prompt = self._no_completion = self._no_cached = False

    def add(self, facts: Iterable[AnswerFact | PassFact]) -> None:
        """Take in the facts of one row, all of them tried: what failed cost something unknown."""
        for fact in facts:
            self.models[fact.model] += 1
            if fact.duration_s is not None:
                self._durations.append(fact.duration_s)
            cost, prompt, completion, cached = (
                fact.cost_usd, fact.prompt_tokens, fact.completion_tokens, fact.cached_tokens,
            )  # fmt: skip
            # A price of exactly 0 for tokens that were used is a missing price, not a gift.
            if cost is None or (cost == 0 and (prompt or completion)):
                self._unknown += 1
            else:
                self._cost += cost
            self._prompt += prompt or 0
            self._completion += completion or 0
            self._cached += cached or 0
            self._no_prompt |= prompt is None
            self._no_completion |= completion is None
            self._no_cached |= cached is None

    def total(self) -> SideCosts:
        """Return the sums; tokens are None where any part is unknown."""
        calls = self.models.total()
        return SideCosts(
            calls=calls,
            cost_usd=self._cost,
            unknown=self._unknown,
            prompt_tokens=None if self._no_prompt or not calls else self._prompt,
            completion_tokens=None if self._no_completion or not calls else self._completion,
            cached_tokens=None if self._no_cached or not calls else self._cached,
            median_duration_s=median(self._durations) if self._durations else None,
        )
