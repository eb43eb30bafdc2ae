"""The page of what would change a decision says what is true under each rule."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.gate.rows import evidence_of
from tests.engine.people import lost

from bothways.app.desk.gate.outlook import outlook_page
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.change import Change
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.outlook import outlook
from bothways.engine.review import Act
from bothways.engine.verdicts import Outcome

ANEW = "No row that is open can change this; only what counts now, said anew, would:"


def page(evidence: Evidence) -> list[str]:
    result = evaluate(evidence)
    return [
        "".join(run.text for run in line).strip() for line in outlook_page(outlook(evidence, result), result)
    ]


@pytest.mark.parametrize(
    ("review", "whose"),
    [
        ({"policy": "latest"}, "The latest counts: a later verdict or signature of anybody replaces it"),
        ({"policy": "majority"}, "The majority counts: an act is a changed mind"),
        (
            {"policy": "adjudicator", "adjudicator": "ada"},
            "Where reviewers differ ada's verdict counts, so that one by ada is enough",
        ),
    ],
    ids=["latest", "majority", "adjudicator"],
)
def test_a_lost_row_is_said_to_hang_on_a_changed_verdict(review: dict[str, object], whose: str) -> None:
    said = page(lost(**review).evidence)
    assert ANEW in said
    assert "→ ✓ SHIP  1 act" in said
    assert any("(required, reviewed for the baseline): for the candidate" in one for one in said)
    assert any("c001" in one for one in said)
    assert said[-1].startswith(whose)


def test_several_acts_on_one_row_are_told_as_such() -> None:
    said = page(lost(policy="majority").does(Act.BASELINE, by="lee").evidence)
    assert any("2 acts each: for the candidate" in one for one in said)


def required(*outcomes: Outcome) -> list[RowEvidence]:
    return [
        RowEvidence(
            n, f"c{n}", n, {}, True, outcome, "candidate" if outcome is Outcome.WIN else None, None, None
        )
        for n, outcome in enumerate(outcomes)
    ]


def test_what_the_judge_said_is_confirmed_and_ties_are_told_where_they_will_do() -> None:
    """Eleven wins of twelve are confirmed, and the one that flipped may be equal: 11 of 12 is above 60 %."""
    said = page(evidence_of(required(*[Outcome.WIN] * 11, Outcome.FLIP_HARD)))
    ship = said[said.index("→ ✓ SHIP  12 acts") :]
    confirmed = (
        "the 11 rows (required, judged for the candidate): for the candidate, the judge's verdict confirmed"
    )
    assert ship[1:3] == [confirmed, "the only row (required, flipped): equal, or both bad  c11"]


def test_rows_of_one_kind_are_told_apart_where_some_may_be_equal() -> None:
    """Of twelve 9 are 1.8 wins above 60 %, and 8 within the one that is run again."""
    said = page(evidence_of(required(*[Outcome.FLIP_HARD] * 12)))
    ship = said[said.index("→ ✓ SHIP  12 acts") :]
    assert ship[1:3] == [
        "any 9 of the 12 rows (required, flipped): for the candidate",
        "the other 3: equal, or both bad",
    ]


def test_nothing_is_said_to_change_it_only_where_nothing_does() -> None:
    evidence = replace(evidence_of([]), change=Change(3, "three changes"))
    said = page(evidence)
    assert "Nothing that people can say changes it, be it anew on what they decided." in said
    assert any("one change: change one thing" in one for one in said)
