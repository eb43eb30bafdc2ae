"""What the gate says: conditions as data, and the decision they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bothways.engine.gate.figures import Figures

__all__ = ["Condition", "Decision", "GateResult", "State"]


class State(StrEnum):
    """What one condition says. UNKNOWN never ships."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Decision(StrEnum):
    """What all conditions add up to; `exit_code` is that of `bothways gate`."""

    SHIP = "ship"
    DO_NOT_SHIP = "do_not_ship"
    NEEDS_REVIEW = "needs_review"
    INCONCLUSIVE = "inconclusive"

    @property
    def exit_code(self) -> int:
        """0 ship, 1 do not ship, 3 needs review, 4 inconclusive."""
        return {"ship": 0, "do_not_ship": 1, "needs_review": 3, "inconclusive": 4}[self.value]

    @property
    def words(self) -> str:
        """The decision as people read it."""
        return self.value.replace("_", " ").upper()


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: its name, state, the sentence that explains it, its figures, the rows behind it.

    `resolve` says what would settle an UNKNOWN (finish the run, another night, sign the tool diffs, …).
    """

    name: str
    state: State
    detail: str
    rows: tuple[str, ...] = ()
    figures: Mapping[str, float | int | str | None] = field(default_factory=dict)
    resolve: str = ""

    @property
    def words(self) -> str:
        """Its name as people read it."""
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate as it stands: the decision, why, and every figure beside it.

    `judge_alone` is the decision if nobody had said anything and nobody were asked.
    """

    decision: Decision
    judge_alone: Decision
    reasons: tuple[str, ...]
    conditions: tuple[Condition, ...]
    figures: Figures

    @property
    def required(self) -> tuple[str, ...]:
        """The cases on which people have to say something."""
        return self.figures.reviews.required

    @property
    def missing(self) -> tuple[str, ...]:
        """The cases that wait for a verdict."""
        return self.figures.reviews.missing

    @property
    def tool_diffs_unsigned(self) -> tuple[str, ...]:
        """The cases that wait for a signature under their tool difference."""
        return self.figures.reviews.unsigned

    @property
    def waiting(self) -> frozenset[str]:
        """The cases that wait for a person, be it for one or the other."""
        return frozenset(self.missing).union(self.tool_diffs_unsigned)

    def condition(self, name: str) -> Condition:
        """Return the condition called `name`; KeyError where there is none."""
        return {c.name: c for c in self.conditions}[name]
