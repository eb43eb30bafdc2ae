"""Reviewers beside the judge and beside each other: four rows, people who read them blind or not."""

from __future__ import annotations

import pytest
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.people import Desk
from tests.engine.shop import experiment, row

from bothways.engine.analysis.agreement import agreement
from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.raters import Match
from bothways.engine.analysis.reviewers import Reviewers
from bothways.engine.gate.gate import evaluate
from bothways.engine.review import Act, Said, Seeing, act

VERDICTS = {"c": Act.CANDIDATE, "b": Act.BASELINE, "t": Act.TIE}


def reviewed(judge: str, **people: str) -> FakeLedger:
    """One letter for each row: what the judge said both times (f: a flip), and what people say (-: nothing).

    A capital letter was given blind.
    """
    made = [row(n, "cb" if said == "f" else said * 2) for n, said in enumerate(judge, 1)]
    ledger = FakeLedger(experiment(), made)
    evidence = gather(ledger, "exp", today=AT)
    for name, verdicts in people.items():
        for one, letter in zip(evidence.rows, verdicts, strict=True):
            if letter != "-":
                what, blind = VERDICTS[letter.lower()], letter.isupper()
                said = Said(name, AT, f"{name} read it", "seen")
                body = act(ledger, evidence, evaluate(evidence), one, what, said, Seeing(blind=blind))
                ledger.append("review", body, AT)
    return ledger


def found(ledger: FakeLedger) -> Reviewers:
    return agreement(ledger, "exp").reviewers


def test_the_judge_is_compared_where_it_decided_blind_verdicts_apart() -> None:
    kim = found(reviewed("cctf", kim="CbTc")).judge["kim"]
    assert {view: (match.n, match.agree) for view, match in kim.items()} == {
        "all": (3, 2), "blind": (2, 2), "in_view": (1, 0),
    }  # fmt: skip


def test_reviewers_are_compared_on_the_rows_that_both_read() -> None:
    pairs = found(reviewed("cccc", kim="cbb-", lee="cbcb", mo="---b")).pairs
    # kim and lee: c/c, b/b, b/c; κ = (2·3 − 4) / (9 − 4), counted by hand
    assert pairs["kim", "lee"] == Match(3, 2, 0.4)
    assert pairs["kim", "mo"] == Match(0, 0, None)
    assert pairs["lee", "mo"].n == 1


def test_alpha_is_over_all_reviewers() -> None:
    # Coincidences of c/c, b/b, c/b: o = 2 apart of n = 6; 3 of each: α = 1 − 5·2/18
    assert found(reviewed("ccc", kim="cbc", lee="cbb")).alpha == pytest.approx(1 - 10 / 18)


def test_rows_on_which_reviewers_differ_are_listed_with_who_says_what() -> None:
    said = found(reviewed("cf", kim="cb", lee="cT")).as_json()["disagreements"]
    assert said == [
        {"case": "c002", "candidate": "v5", "judge": None, "said": [
            {"reviewer": "kim", "verdict": "baseline", "both_bad": False, "blind": False,
             "note": "kim read it", "at": AT},
            {"reviewer": "lee", "verdict": "tie", "both_bad": False, "blind": True,
             "note": "lee read it", "at": AT},
        ]},
    ]  # fmt: skip


def test_a_verdict_that_was_taken_back_is_no_opinion() -> None:
    ledger = reviewed("c", kim="b", lee="c")
    evidence = gather(ledger, "exp", today=AT)
    body = act(ledger, evidence, evaluate(evidence), evidence.rows[0], Act.UNDO, Said("kim", AT))
    ledger.append("review", body, AT)
    assert list(found(ledger).judge) == ["lee"]
    assert found(ledger).differ == []


def test_without_reviews_there_is_nothing_to_compare() -> None:
    said = found(reviewed("cc")).as_json()
    assert said == {
        "judge_vs_reviewers": [], "reviewers": [], "reviewers_alpha": None, "disagreements": [],
        "consistency": [],
    }  # fmt: skip


def test_a_second_look_tells_how_steady_a_reviewer_is_and_is_no_other_verdict() -> None:
    desk = Desk("cc", "cc").does(Act.TIE).does(Act.CANDIDATE, row=2)
    desk.does(Act.CANDIDATE, blind=True, look=2).does(Act.CANDIDATE, row=2, blind=True, look=2)
    kim = found(desk.facts)
    assert [(one.reviewer, one.n, one.same) for one in kim.consistency] == [("kim", 2, 1)]
    assert (kim.judge["kim"]["all"].n, kim.judge["kim"]["all"].agree) == (2, 1)
