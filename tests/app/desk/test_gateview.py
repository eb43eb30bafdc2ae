"""The desk shows the gate's figures on their own side of each threshold, as the report does."""

from __future__ import annotations

import pytest
from tests.engine.gate.rows import evidence_of
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import experiment

from bothways.app.desk.gateview import decisions_page, honest_page, outcome_line, win_rate
from bothways.app.desk.overview import Entry, entry_cells
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.decisions import Checked, Validity
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import State
from bothways.engine.ledger import Record
from bothways.engine.report.render import render
from bothways.engine.verdicts import Outcome, Side


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
    assert "(30.01 %)" in render(evidence, result, FakeLedger(experiment(), []), "text", at=AT)


def test_a_win_rate_just_below_its_threshold_is_not_shown_as_the_threshold() -> None:
    result = evaluate(evidence_of(rows(0, 5_999, 4_001)))
    assert win_rate(result.figures) == "5999 of 10000 (59.99 %, 60.0 % needed)"


@pytest.mark.parametrize("validity", list(Validity))
def test_each_decision_on_record_says_whether_it_holds(validity: Validity) -> None:
    record = Record(7, "2026-03-03T09:00:00Z", "decision", {"decision": "ship", "reviewer": "kim"}, "", "h")
    page = decisions_page([Checked(record, validity, "this is why")])
    assert f"{validity}: this is why" in "".join(run.text for run in page[1])


def test_a_signature_that_does_not_hold_is_said_before_anything_else() -> None:
    entry = Entry("shop", 1, 12, ("v5",), ("j",), "complete", "SHIP", "does not follow")
    assert entry_cells(entry)[-1].text == "✗ signed: does not follow"
    kept = Entry("shop", 1, 12, ("v5",), ("j",), "complete", "DO NOT SHIP", "superseded")
    assert entry_cells(kept)[-1].text == "✗ DO NOT SHIP · superseded"
