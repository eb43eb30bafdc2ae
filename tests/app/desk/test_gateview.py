"""The desk shows the gate's figures on their own side of each threshold, as the report does."""

from __future__ import annotations

from tests.engine.gate.rows import evidence_of
from tests.engine.ledger_fake import FakeLedger
from tests.engine.shop import experiment

from bothways.app.desk.gateview import honest_page, outcome_line, win_rate
from bothways.engine.analysis.model import Evidence, Outcome, RowEvidence, Side
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import State
from bothways.engine.report.render import render


def rows(flips: int, wins: int, losses: int) -> list[RowEvidence]:
    kinds: list[tuple[Outcome, Side | None]] = [(Outcome.FLIP_HARD, None)] * flips + [
        (Outcome.WIN, "candidate")
    ] * wins
    kinds += [(Outcome.WIN, "baseline")] * losses
    return [RowEvidence(n, f"c{n}", n, {}, False, o, w, None, None) for n, (o, w) in enumerate(kinds)]


def desk(evidence: Evidence) -> str:
    result = evaluate(evidence)
    return "\n".join("".join(run.text for run in line) for line in honest_page(evidence, result))


def test_a_flip_rate_just_above_its_limit_is_not_shown_as_the_limit() -> None:
    evidence = evidence_of(rows(301, 702, 0))
    result = evaluate(evidence)
    assert result.condition("judge_health").state is State.FAIL
    assert "flip rate: 30.01 %" in desk(evidence)
    assert "(30.01 %)" in outcome_line(result)
    assert "(30.01 %)" in render(evidence, result, FakeLedger(experiment(), []), "text")


def test_a_win_rate_just_below_its_threshold_is_not_shown_as_the_threshold() -> None:
    result = evaluate(evidence_of(rows(0, 5_999, 4_001)))
    assert win_rate(result.figures) == "5999 of 10000 (59.99 %, 60.0 % needed)"
