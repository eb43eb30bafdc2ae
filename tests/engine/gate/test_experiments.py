"""The three published experiments: every figure, and the decision before and after the reviews."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.gate.rows import figure
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import ledger

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import Evidence
from bothways.engine.decisions import decide
from bothways.engine.errors import RefusedError
from bothways.engine.facts import JsonObject
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import Decision, State
from bothways.engine.review import Act, Said, act

STAKES = {
    "plain-text-line": {"cc": 4, "bb": 4, "cb": 2, "tt": 2},
    "shipping-tool": {"cc": 9, "tt": 1, "cb": 1, "ct": 1},
    "refund-flow": {"cc": 4, "bb": 8},
}


def evidence(facts: FakeLedger) -> Evidence:
    return gather(facts, facts.experiment.name, today=AT)


def review(facts: FakeLedger) -> None:
    """Confirm the judge on every required row; where it decided nothing, call the row equal."""
    seen = evidence(facts)
    result = evaluate(seen)
    for row in seen.rows:
        if row.case_id in result.missing:
            what = Act.CONFIRM if row.judged else Act.TIE
            facts.append("review", act(facts, seen, result, row, what, Said("kim", AT)), AT)


@pytest.mark.parametrize(
    ("name", "first", "second", "stable", "flips"),
    [
        ("plain-text-line", (14, 20, 6), (11, 22, 7), (10, 18, 4), (8, 3, 5)),
        ("shipping-tool", (27, 8, 5), (26, 9, 5), (24, 7, 3), (6, 2, 4)),
        ("refund-flow", (21, 18, 1), (11, 20, 9), (11, 18, 1), (10, 2, 8)),
    ],
)
def test_tallies(
    name: str,
    first: tuple[int, ...],
    second: tuple[int, ...],
    stable: tuple[int, ...],
    flips: tuple[int, ...],
) -> None:
    seen = evidence(ledger(name))
    outcomes = figure(evaluate(seen), "outcomes")
    sides = ("candidate", "baseline", "tie")
    assert tuple(seen.passes["first"][side] for side in sides) == first
    assert tuple(seen.passes["second"][side] for side in sides) == second
    assert tuple(outcomes[side] for side in sides) == stable
    assert tuple(outcomes[flip] for flip in ("flip", "flip_hard", "flip_soft")) == flips


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("plain-text-line", 1, 1),  # the 12 reviews could make 18 wins of 34 at most
        ("shipping-tool", 3, 0),
        ("refund-flow", 4, 1),
    ],
)
def test_exit_codes_before_and_after_the_reviews(name: str, before: int, after: int) -> None:
    facts = ledger(name, STAKES[name])
    assert evaluate(evidence(facts)).decision.exit_code == before
    review(facts)
    assert evaluate(evidence(facts)).decision.exit_code == after


def test_plain_text_line_waits_where_reviews_could_save_it() -> None:
    facts = ledger("plain-text-line", {"bb": 18, "cc": 6})
    assert evaluate(evidence(facts)).decision is Decision.NEEDS_REVIEW


def test_refund_flow_names_position_bias_among_the_reasons() -> None:
    facts = ledger("refund-flow", STAKES["refund-flow"])
    assert evaluate(evidence(facts)).decision is Decision.INCONCLUSIVE
    review(facts)
    result = evaluate(evidence(facts))
    assert result.decision is Decision.DO_NOT_SHIP
    assert any("position bias" in reason for reason in result.reasons)


def test_refund_flow_as_json() -> None:
    """The contract's example; its sign test and e-value to the digits that exact integers give."""
    said = as_json(evaluate(evidence(ledger("refund-flow"))))
    assert said | EXAMPLE == said


EXAMPLE: JsonObject = {
    "experiment": "refund-flow",
    "baseline": "v4",
    "candidate": "v5",
    "decision": "do_not_ship",
    "rows": 40,
    "passes": {
        "first": {"candidate": 21, "baseline": 18, "tie": 1, "unreadable": 0},
        "second": {"candidate": 11, "baseline": 20, "tie": 9, "unreadable": 0},
    },
    "outcomes": {
        "candidate": 11, "baseline": 18, "tie": 1, "flip": 10, "flip_hard": 2, "flip_soft": 8,
        "flip_nights": 0, "unanswered": 0, "error": 0, "one_pass": 0, "pending": 0,
    },
    "flip_rate": 0.25,
    "first_shown_rate": 0.414286,
    "win_rate": {
        "wins": 11, "of": 30, "value": 0.366667, "wilson95": [0.2187, 0.5449],
        "threshold": 0.6, "ties": "count",
        "other_reading": {"ties": "exclude", "wins": 11, "of": 29, "value": 0.37931},
    },
    "sign_test_p": 0.264931,
    "e_value": 0.5173,
    "false_ship_chance": 0.1808,
    "close": False,
    "final": {"candidate": 11, "baseline": 18, "tie": 1, "undecided": 10},
    "judge_alone": {
        "candidate": 11, "baseline": 18, "tie": 1, "undecided": 10, "decision": "do_not_ship",
    },
}  # fmt: skip


def test_the_judge_alone_stands_beside_an_overridden_result() -> None:
    facts = ledger("shipping-tool")
    seen = evidence(facts)
    lost = [row for row in seen.rows if row.judged == "baseline"]
    for row in lost:
        body = act(facts, seen, evaluate(seen), row, Act.CANDIDATE, Said("kim", AT, reason="mine"))
        facts.append("review", body, AT)
    result = evaluate(evidence(facts))
    assert figure(result, "final") == {"candidate": 31, "baseline": 0, "tie": 3, "undecided": 6}
    alone = figure(result, "judge_alone")
    assert (alone["candidate"], alone["baseline"]) == (24, 7)
    assert figure(result, "outcomes")["candidate"] == 24


def test_altering_one_pass_alters_the_tally_and_losing_it_leaves_the_row_unanswered() -> None:
    facts = ledger("shipping-tool")
    row = facts.data[0]
    first, second = row.passes
    facts.data[0] = replace(row, passes=(replace(first, choice=0), second))
    assert evidence(facts).rows[0].outcome == "flip_hard"
    facts.data[0] = replace(row, passes=(replace(first, choice=None), second))
    assert evidence(facts).rows[0].outcome == "unanswered"


def test_a_decision_is_refused_while_reviews_are_missing() -> None:
    facts = ledger("shipping-tool", STAKES["shipping-tool"])
    seen = evidence(facts)
    with pytest.raises(RefusedError, match="Reviews are missing"):
        decide(seen, evaluate(seen), reviewer="kim", at=AT)
    review(facts)
    seen = evidence(facts)
    body = decide(seen, evaluate(seen), reviewer="kim", note="fine", at=AT)
    assert (body["decision"], body["reviewer"], body["facts_hash"]) == ("ship", "kim", seen.facts_hash)


def test_signing_a_decision_changes_no_result() -> None:
    facts = ledger("refund-flow")
    seen = evidence(facts)
    before = evaluate(seen)
    facts.append("decision", decide(seen, before, reviewer="kim", at=AT), AT)
    after = evidence(facts)
    assert evaluate(after) == before
    assert after.facts_hash == seen.facts_hash


def test_any_later_fact_changes_the_hash() -> None:
    facts = ledger("refund-flow", {"cc": 1})
    before = evidence(facts).facts_hash
    review(facts)
    assert evidence(facts).facts_hash != before


def test_unknown_never_ships() -> None:
    facts = ledger("shipping-tool", min_decided=35)
    result = evaluate(evidence(facts))
    assert result.condition("enough_evidence").state is State.UNKNOWN
    assert result.decision is Decision.INCONCLUSIVE
    assert any("add cases" in reason for reason in result.reasons)
