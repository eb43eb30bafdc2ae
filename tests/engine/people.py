"""People at a ledger of a row or more, who act on its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import experiment, row

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import Evidence
from bothways.engine.experiment import ReviewSettings
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Record
from bothways.engine.review import Act, Said, Seeing, act
from bothways.engine.standing import Standing
from bothways.engine.verdicts import Side

__all__ = ["Desk", "lost"]


class Desk:
    """A ledger whose rows' passes `said` this, and people who act on them."""

    def __init__(self, *said: str, **review: object) -> None:
        self.facts = FakeLedger(experiment(), [row(n, one) for n, one in enumerate(said or ("cc",), 1)])
        settings = ReviewSettings.model_validate({"high_stakes_tags": ("refund",), **review})
        self.facts.experiment = self.facts.experiment.model_copy(update={"review": settings})

    @property
    def evidence(self) -> Evidence:
        return gather(self.facts, "exp", today=AT)

    @property
    def result(self) -> GateResult:
        return evaluate(self.evidence)

    @property
    def standing(self) -> Standing | None:
        return self.evidence.rows[0].standing

    @property
    def verdict(self) -> str | None:
        return self.standing.verdict if self.standing else None

    @property
    def last(self) -> Record:
        return self.facts.log[-1]

    def does(
        self,
        *acts: Act,
        by: str = "kim",
        reason: str = "seen",
        note: str = "",
        row: int = 1,
        left: Side | None = None,
        blind: bool = False,
        look: Literal[1, 2] = 1,
        bulk: str = "",
    ) -> Desk:
        for what in acts:
            seen = self.evidence
            body = act(
                self.facts,
                seen,
                evaluate(seen),
                seen.rows[row - 1],
                what,
                Said(by, AT, note, reason, bulk),
                Seeing(left=left, blind=blind, look=look),
            )
            self.facts.append("review", body, AT)
        return self


def lost(**review: object) -> Desk:
    """The first of ten rows is high stakes, and kim says that the candidate lost it."""
    desk = Desk(*["cc"] * 10, **review)
    first = desk.facts.data[0]
    desk.facts.data[0] = replace(first, case=replace(first.case, high_stakes=True))
    return desk.does(Act.BASELINE, by="kim")
