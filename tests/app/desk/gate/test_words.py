"""The desk shows the gate's figures on their own side of each threshold, as the report does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from tests.engine.gate.rows import evidence_of, reviewed
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import experiment

from bothways.app.desk.gate.honest import honest_page
from bothways.app.desk.gate.words import decisions_page
from bothways.app.desk.gateline import gate_lines, outcome_line, win_rate
from bothways.app.desk.overview import Entry, entry_cells
from bothways.engine.analysis.accuracy import Accuracy, Corrected, Reading
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.decisions import Checked, Validity
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import State
from bothways.engine.ledger import Record
from bothways.engine.report.build import build
from bothways.engine.report.render import render
from bothways.engine.verdicts import Outcome, Side
from bothways.widgets.plain import Line, line


def rows(flips: int, wins: int, losses: int) -> list[RowEvidence]:
    kinds: list[tuple[Outcome, Side | None]] = [(Outcome.FLIP_HARD, None)] * flips + [
        (Outcome.WIN, "candidate")
    ] * wins
    kinds += [(Outcome.WIN, "baseline")] * losses
    return [RowEvidence(n, f"c{n}", n, {}, False, o, w, None, None) for n, (o, w) in enumerate(kinds)]


def desk(evidence: Evidence) -> str:
    return text(honest_page(evidence, evaluate(evidence)))


def text(page: list[Line]) -> str:
    return "\n".join("".join(run.text for run in line) for line in page)


def test_a_flip_rate_just_above_its_limit_is_not_shown_as_the_limit() -> None:
    evidence = evidence_of(rows(301, 702, 0))
    result = evaluate(evidence)
    assert result.condition("judge_health").state is State.FAIL
    assert "flips: 301 of 1,003 rows with two readable passes (30.01 %)" in desk(evidence)
    assert "(30.01 %)" in outcome_line(result)
    assert "(30.01 %)" in render(evidence, result, FakeLedger(experiment(), []), "text", at=AT)


def test_a_win_rate_just_below_its_threshold_is_not_shown_as_the_threshold() -> None:
    result = evaluate(evidence_of(rows(0, 5_999, 4_001)))
    assert win_rate(result.figures.win_rate) == "5999 of 10000 (59.99 %, 60 % needed)"


@pytest.mark.parametrize(
    ("stakes", "said"), [(1, "1 required row waits"), (2, "2 required rows wait")], ids=str
)
def test_what_is_missing_stands_right_behind_the_decision(stakes: int, said: str) -> None:
    found = [row._replace(high_stakes=row.position < stakes) for row in rows(0, 12, 6)]
    words = text([*gate_lines(evaluate(evidence_of(found)), line(" · nothing is signed yet"))])
    assert words.startswith(f" ! NEEDS REVIEW · {said} · nothing is signed yet · win rate 12 of 18")


def test_the_gate_in_80_columns_tells_what_fails_what_waits_and_the_win_rate() -> None:
    """7 of 18 fail the win rate, 12 flips of 30 the judge's health, whatever people say of one row."""
    found = [row._replace(high_stakes=row.position < 1) for row in rows(12, 7, 11)]
    full, *shorter = gate_lines(evaluate(evidence_of(found)))
    assert "fails: win rate, judge health · 1 required row waits" in text([full])
    fitting = next(said for said in (text([one]) for one in shorter) if len(said) <= 80)
    assert fitting.startswith(" ✗ DO NOT SHIP · 2 conditions fail · 1 row waits · ")
    assert "win rate 38.9 % < 60 %" in fitting


@pytest.mark.parametrize("validity", list(Validity))
def test_each_decision_on_record_says_whether_it_holds(validity: Validity) -> None:
    record = Record(7, "2026-03-03T09:00:00Z", "decision", {"decision": "ship", "reviewer": "kim"}, "", "h")
    page = decisions_page([Checked(record, validity, "this is why")])
    assert f"{validity}: this is why" in "".join(run.text for run in page[-1])


def test_a_signature_that_does_not_hold_is_said_before_anything_else() -> None:
    entry = Entry("shop", 1, 12, ("v5",), ("j",), "complete", "SHIP", "does not follow")
    assert entry_cells(entry)[-1].text == "✗ signed: does not follow"
    kept = Entry("shop", 1, 12, ("v5",), ("j",), "complete", "DO NOT SHIP", "superseded")
    assert entry_cells(kept)[-1].text == "✗ DO NOT SHIP · superseded"


def test_the_judge_is_shown_with_its_accuracy_and_the_win_rate_without_its_errors() -> None:
    evidence = evidence_of(rows(2, 12, 6))
    result = evaluate(evidence)
    fixed = Corrected(Fraction(55, 100), (0.31, 0.79), Fraction(8, 10), Fraction(7, 10))
    figures = replace(result.figures, accuracy=Accuracy(Reading(20, 15, 4), Reading(), fixed))
    page = text(honest_page(evidence, replace(result, figures=figures)))
    right = "judge right, audit: 15 of 20 rows that it decided (75.0 %, 95 % interval 53.1 % to 88.8 %)"
    assert f"{right}, 4 of them read blind" in page
    corrected = "win rate of the judge alone, corrected (ties: count): 55.0 %, 95 % interval 31.0 % to 79.0 %"
    assert f"{corrected}; 66.7 % as it stands" in page
    assert "all that people read" not in page


def test_the_same_figures_stand_with_people_and_without() -> None:
    """One override takes a row from 12–6 to 11–7; sign tests .2379 and .4807, worked out by hand."""
    found = rows(2, 12, 6)
    found[2] = reviewed(found[2], "baseline")
    page = desk(evidence_of(found))
    assert "11 of 18 (61.1 %)" in page
    assert "12 of 18 (66.7 %)" in page
    assert "0.4807" in page
    assert "0.2379" in page
    assert "older reading, flips as ties: candidate 12, baseline 6, tie 2" in page
    assert "1 in all, 1 against the judge" in page


def test_the_desk_says_of_every_figure_what_the_report_says() -> None:
    found = rows(2, 12, 6)
    found[2] = reviewed(found[2], "baseline")
    evidence = evidence_of(found)
    result = evaluate(evidence)
    page = desk(evidence).split("\n")
    report = build(evidence, result, FakeLedger(experiment(), []))
    lines = {
        section.title: [f"{label}: {value}" for label, value in section.lines] for section in report.sections
    }
    assert set(lines["Rows the judge did not decide"]) <= set(page)
    assert set(lines["Decision"]) <= set(page)
    # the two tests stand in the table there, beside those of the judge alone
    tests = ("exact sign test", "e-value")
    assert {said for said in lines["How sure"] if not said.startswith(tests)} <= set(page)


def test_where_nothing_is_decided_no_margin_is_told() -> None:
    result = evaluate(evidence_of(rows(12, 0, 0)))
    margin = result.condition("margin")
    assert (margin.state, margin.detail, margin.resolve) == (
        State.UNKNOWN, "no row is decided", "decide more rows"
    )  # fmt: skip
    assert all("nothing is decided" in text([said]) for said in gate_lines(result)[:4])


@pytest.mark.parametrize("width", [40, 64, 100])
def test_the_table_of_figures_cuts_no_name_at_any_width(width: int) -> None:
    evidence = evidence_of(rows(2, 12, 6))
    result = evaluate(evidence)
    named = replace(
        result.figures, candidate="gpt-4.1 (baseline) of June", baseline="gpt-4.1-sft (candidate)"
    )
    page = text(honest_page(evidence, replace(result, figures=named), width))
    assert "gpt-4.1 (baseline) of June better" in page
    assert "gpt-4.1-sft (candidate) better" in page
