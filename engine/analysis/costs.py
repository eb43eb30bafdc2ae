"""What each side and the judge used, with "unknown" as a value."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from statistics import median

from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact, fields

__all__ = ["Spending"]

_OF_ANSWERS = fields(AnswerFact, "cost_usd", "cached_tokens")
_OF_PASSES = fields(PassFact, "cost_usd", "cached_tokens")


class Spending:
    """Adds up answers, or passes, as they stream by. Each was bought once, however many rows rely on it."""

    def __init__(self) -> None:
        self._last: AnswerFact | PassFact | None = None
        self._used: tuple[object, ...] = ()
        self._times = 0
        self._models: Counter[str | None] = Counter()
        self._durations = array("d")
        self._cost, self._unknown = 0.0, 0
        self._tokens: list[int | None] = [0, 0, 0]

    def answers(self, facts: Iterable[AnswerFact]) -> None:
        """Take in the answers that were tried: what failed cost something unknown."""
        for fact in facts:
            if fact.tried:
                self._add(fact, _OF_ANSWERS(fact))

    def passes(self, facts: Iterable[PassFact]) -> None:
        """Take in the passes that were tried."""
        for fact in facts:
            if fact.tried:
                self._add(fact, _OF_PASSES(fact))

    def _add(self, fact: AnswerFact | PassFact, used: tuple[object, ...]) -> None:
        if used != self._used:
            self._settle()
            self._last, self._used = fact, used
        self._times += 1

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
        """Add up the last facts that were alike: of much that came in with a file nothing is known."""
        if self._last is None:
            return
        fact, times = self._last, self._times
        self._last, self._used, self._times = None, (), 0
        self._models[fact.model] += times
        if fact.duration_s is not None:
            self._durations.extend([fact.duration_s] * times)
        tokens = (fact.prompt_tokens, fact.completion_tokens, fact.cached_tokens)
        # A price of exactly 0 for tokens that were used is a missing price, not a gift.
        if fact.cost_usd is None or (not fact.cost_usd and any(tokens)):
            self._unknown += times
        else:
            self._cost += fact.cost_usd * times
        self._tokens = [
            None if total is None or more is None else total + more * times
            for total, more in zip(self._tokens, tokens, strict=True)
        ]
