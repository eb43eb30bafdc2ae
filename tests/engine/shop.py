"""The three published experiments, built synthetically to the exact tallies, and rows to order."""

from __future__ import annotations

from tests.engine.ledger_fake import FakeLedger, FakePass, FakeRow, case

from bothways.engine.experiment import Experiment, GateSettings, Judge, ReviewSettings, Variant
from bothways.engine.facts import TIE, Answer

__all__ = ["EXPERIMENTS", "experiment", "ledger", "row"]

Said = str
"""One pass as a letter: c(andidate), b(aseline), t(ie), u(nreadable), - (not tried)."""

EXPERIMENTS: dict[str, dict[str, int]] = {
    "plain-text-line": {"cc": 10, "bb": 18, "tt": 4, "cb": 2, "bc": 1, "ct": 2, "tb": 2, "bt": 1},
    "shipping-tool": {"cc": 24, "bb": 7, "tt": 3, "cb": 1, "bc": 1, "ct": 2, "tc": 1, "tb": 1},
    "refund-flow": {"cc": 11, "bb": 18, "tt": 1, "cb": 2, "ct": 8},
}
"""How many rows say what in the first and second pass; the sums are the published tallies."""


def experiment(name: str = "exp", **gate: object) -> Experiment:
    """One changed prompt line, a judge that is asked both ways, every high-stakes row reviewed."""
    settings = GateSettings.model_validate(gate)
    return Experiment(
        name=name,
        baseline=Variant(name="v4", model="m", prompt="Be kind."),
        candidates=(Variant(name="v5", model="m", prompt="Be kind and brief."),),
        judge=Judge(name="judge", model="j"),
        gate=settings,
        review=ReviewSettings(high_stakes_tags=("refund",)),
    )


def row(
    number: int, said: str, *, high_stakes: bool | None = None, tags: dict[str, str] | None = None
) -> FakeRow:
    """One row whose two passes said these letters."""
    first = FakePass(("v4", "v5"), _choice(said[0], "bc"), tried=said[0] != "-")
    second = FakePass(("v5", "v4"), _choice(said[1], "cb"), tried=said[1] != "-")
    answers = (("v4", Answer(f"old {number}")), ("v5", Answer(f"new {number}")))
    return FakeRow(case(f"c{number:03}", high_stakes=high_stakes, tags=tags), answers, (first, second))


def _choice(letter: Said, shown: str) -> int | None:
    if letter in "u-":
        return None
    return TIE if letter == "t" else shown.index(letter)


def ledger(name: str, high_stakes: dict[str, int] | None = None, **gate: object) -> FakeLedger:
    """One of the three experiments; `high_stakes` marks that many rows of each kind."""
    marks = dict(high_stakes or {})
    rows: list[FakeRow] = []
    for said, count in EXPERIMENTS[name].items():
        for _ in range(count):
            marked = marks.get(said, 0) > 0
            marks[said] = marks.get(said, 0) - 1
            rows.append(row(len(rows) + 1, said, high_stakes=marked))
    return FakeLedger(experiment(name, **gate), rows)
