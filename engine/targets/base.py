"""What every source of answers is to the engine, and the one way out that it is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bothways.engine.experiment import Variant
from bothways.engine.facts import Answer, Case, Reply

__all__ = ["Ask", "Calls", "Target"]


@dataclass(frozen=True, slots=True)
class Ask:
    """One case put to one variant. `session` is fresh for every unit, so that no case knows another."""

    case: Case
    variant: Variant
    session: str


class Calls(Protocol):
    """The only way out: lane, budget, retries and journal live behind it, once.

    The calls of one unit are numbered in the order in which they are made; a resumed unit gets the stored
    replies of the calls it had completed and goes on from there.
    """

    async def send(self, lane: str, request: str, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Make the unit's next call.

        `request` is a digest of what is sent, `attempt` makes one try and raises CallFailed. Raises
        CallFailed when the retries are used up.
        """
        ...

    async def keep(self, request: str, act: Callable[[], Awaitable[str]]) -> str:
        """Do something of one's own, such as running a tool, and keep its result.

        It is numbered and replayed like a call, so that a resumed unit does not do it twice and hears what it
        heard before; it takes no slot and no money.
        """
        ...


class Target(Protocol):
    """A source of answers."""

    async def answer(self, ask: Ask, calls: Calls) -> Answer:
        """Answer one case from a clean start; raise CallFailed where there is no answer."""
        ...

    async def close(self) -> None:
        """Give connections and processes back."""
        ...
