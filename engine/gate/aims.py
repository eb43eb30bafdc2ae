"""What all rows together have to come to for a decision, as sums over rows: so the fewest acts can be found.

The conditions say the same of one situation; whatever is found here is put before them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.gate.model import State
from bothways.engine.gate.required import asks_verdict, lacks_verdict
from bothways.engine.gate.situation import Situation
from bothways.engine.verdicts import READABLE, Outcome, Verdict

__all__ = ["Aim", "Aims"]


def _any(_: RowEvidence) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Aim:
    """Each row allowed, by verdict and by tool calls, and the sums of what rows weigh at least `needs`."""

    needs: tuple[int, ...]
    weighs: Callable[[RowEvidence], tuple[int, ...]]
    verdicts: Callable[[RowEvidence], bool] = _any
    tools: Callable[[RowEvidence], bool] = _any


class Aims:
    """What the gate of one comparison aims at.

    The lead, which is the wins above the threshold, is weighed in whole numbers: times its denominator.
    """

    def __init__(self, now: Situation) -> None:
        gate, self._rows = now.settings, now.rows
        self._asked = asks_verdict(now.evidence, close=now.close)
        part, self._whole = now.threshold.numerator, now.threshold.denominator
        tie = -part if gate.ties == "count" else 0
        self._worth: dict[Verdict | None, int] = {
            "candidate": self._whole - part, "baseline": -part, "tie": tie, None: 0,
        }  # fmt: skip
        self._margin = gate.rerun_margin * self._whole
        self._decided = gate.min_decided
        self._read = ceil(Fraction(gate.min_answered) * now.rows)
        self._healthy = now.passes.health(Fraction(gate.max_flip_rate)) is State.PASS

    def ship(self) -> Aim:
        """Everything passes, which takes a lead above the margin, enough rows decided, and enough read."""
        return Aim(
            (self._margin + 1, self._decided, self._read),
            lambda row: (self._lead(row), row.final is not None, _read(row)),
            self._clear,
            lambda row: not (_bad(row) or row.unsigned),
        )

    def fail(self) -> tuple[Aim, ...]:
        """One condition fails for good: by one signature, one high-stakes row, or by the win rate."""
        return (
            Aim((1,), lambda row: (_bad(row),)),
            Aim((1,), lambda row: (self._lost(row),)),
            Aim((1,), lambda row: (-self._most(row),)),
        )

    def recover(self) -> Aim:
        """No condition fails for good."""
        return Aim(
            (0,), lambda row: (self._most(row),), lambda row: not self._lost(row), lambda row: not _bad(row)
        )

    def waver(self) -> tuple[Aim, ...]:
        """Something that has to pass does not, short of failing: what `ship` asks for is missed by one."""
        return (
            Aim((1,), lambda row: (not self._clear(row),)),
            Aim((-self._margin,), lambda row: (-self._lead(row),)),
            Aim((1 - self._decided,), lambda row: (-(row.final is not None),)),
            Aim((1 - self._read,), lambda row: (-_read(row),)),
        )

    def _clear(self, row: RowEvidence) -> bool:
        """Whether a row lets SHIP pass: it was tried, and one of high stakes is not lost or open."""
        if row.outcome is Outcome.PENDING and row.final is None:
            return False
        if not (self._healthy or row.spoken):
            return False
        return not row.high_stakes or (row.final in ("candidate", "tie") and not self._owed(row))

    def _owed(self, row: RowEvidence) -> bool:
        return self._asked and lacks_verdict(row)

    def _lost(self, row: RowEvidence) -> bool:
        return row.high_stakes and row.final == "baseline" and not self._owed(row)

    def _lead(self, row: RowEvidence) -> int:
        return self._worth[row.final]

    def _most(self, row: RowEvidence) -> int:
        """What a row can still come to weigh without anybody changing their mind."""
        open_ = self._owed(row) or (row.outcome is Outcome.PENDING and row.final is None)
        return self._worth["candidate" if open_ else row.final]


def _bad(row: RowEvidence) -> bool:
    signed_bad = row.standing is not None and row.standing.tools == "bad"
    return row.tools is ToolState.BROKEN or (row.tools is ToolState.CHANGED and signed_bad)


def _read(row: RowEvidence) -> bool:
    return row.spoken or row.outcome in READABLE
