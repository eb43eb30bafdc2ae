"""What each side and the judge used, with "unknown" as a value."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact

__all__ = ["Spending"]


class Spending:
    """Adds up answers, or passes, as they stream by. Each was bought once, however many rows rely on it."""

    def __init__(self) -> None:
        self.models: dict[str, int] = {}
        """How many came from each model, by the name that the provider returned."""
        self._calls = 0
        self._known: list[float] = []
        self._unknown = 0
        self._tokens: list[int | None] = [0, 0, 0]
        self._durations: list[float] = []

    def add(self, facts: Iterable[AnswerFact | PassFact]) -> None:
        """Take in the facts of one row; what was not tried cost nothing, what failed something unknown."""
        for fact in facts:
            if isinstance(fact, PassFact):
                if not fact.tried:
                    continue
            elif fact.answer_id is None and fact.failure is None:
                continue
            self._add(fact)

    def _add(self, fact: AnswerFact | PassFact) -> None:
        self._calls += 1
        if fact.model is not None:
            self.models[fact.model] = self.models.get(fact.model, 0) + 1
        if fact.duration_s is not None:
            self._durations.append(fact.duration_s)
        # A price of exactly 0 for tokens that were used is a missing price, not a gift.
        free = fact.cost_usd == 0 and bool(fact.prompt_tokens or fact.completion_tokens)
        if fact.cost_usd is None or free:
            self._unknown += 1
        else:
            self._known.append(fact.cost_usd)
        used = (fact.prompt_tokens, fact.completion_tokens, fact.cached_tokens)
        self._tokens = [
            None if sum_ is None or more is None else sum_ + more
            for sum_, more in zip(self._tokens, used, strict=True)
        ]

    def total(self) -> SideCosts:
        """Return the sums; tokens are None where any part is unknown."""
        prompt, completion, cached = self._tokens if self._calls else (None, None, None)
        return SideCosts(
            calls=self._calls,
            cost_usd=sum(self._known),
            unknown=self._unknown,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cached_tokens=cached,
            median_duration_s=median(self._durations) if self._durations else None,
        )
