"""What every judge is to the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bothways.engine.facts import Answer, Case, PassResult
from bothways.engine.targets.base import Calls

__all__ = ["JudgeAsk", "Judging"]


@dataclass(frozen=True, slots=True)
class JudgeAsk:
    """One pass: a case and its answers in the order shown. `variants` are their names, never shown.

    `order` is 1 for the pass that shows the baseline first. `marker` is a random word made for this pass
    that fences each answer, so that no answer can close its own fence.
    """

    case: Case
    answers: tuple[Answer, ...]
    variants: tuple[str, ...]
    order: int
    marker: str


class Judging(Protocol):
    """Whoever compares: a model, a recording, a function."""

    async def judge(self, ask: JudgeAsk, calls: Calls) -> PassResult:
        """Say which answer is better; an unreadable verdict is a result without a choice.

        Raises CallFailed where the judge could not be reached.
        """
        ...

    async def close(self) -> None:
        """Give connections back."""
        ...
