"""What the calls of one unit of work used, so that its cost is that of everything it took."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from typing import TypeVar

from bothways.engine.errors import CallFailed
from bothways.engine.facts import Answer, PassResult, Reply, Usage

__all__ = ["Used"]

R = TypeVar("R", Answer, PassResult)


class Used:
    """Adds up replies and failed attempts.

    A reply of unknown cost makes the sum unknown. A failed attempt adds what is known of it; mostly that is
    nothing, and the run counts it among the unknown.
    """

    def __init__(self) -> None:
        self._usage: list[Usage] = []
        self._costs: list[float | None] = []

    def reply(self, reply: Reply) -> None:
        """Add a reply, sent now or stored."""
        self._usage.append(reply.usage)
        self._costs.append(reply.cost_usd)

    def failure(self, failed: CallFailed) -> None:
        """Add a failed attempt."""
        known = failed.usage != Usage()
        if known:
            self._usage.append(failed.usage)
        if known or failed.cost_usd is not None:
            self._costs.append(failed.cost_usd)

    def charged(self, result: R) -> R:
        """Return the unit's result with what its calls used; what made no call keeps what it says itself."""
        if not self._costs:
            return result
        known = [cost for cost in self._costs if cost is not None]
        cost = sum(known) if len(known) == len(self._costs) else None
        usage = reduce(add, self._usage) if self._usage else Usage()
        return replace(result, usage=usage, cost_usd=cost)
