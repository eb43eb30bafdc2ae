"""How often a judge is right where people read, and its win rate corrected for that."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.engine.gate.rows import evidence_of
from tests.engine.people import Desk

from bothways.engine.analysis.accuracy import Accuracy, Reading, accuracy, corrected
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.tally import Votes
from bothways.engine.facts import JsonObject
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.json import as_json
from bothways.engine.review import Act
from bothways.engine.standing import Standing
from bothways.engine.verdicts import Outcome, Side, Verdict

LETTERS: dict[str, Verdict] = {"c": "candidate", "b": "baseline", "t": "tie"}
SIDES: dict[str, Side] = {"c": "candidate", "b": "baseline"}


def row(number: int, judge: str, person: str | None, *, blind: bool = False) -> RowEvidence:
    """A row on which the judge said one letter both times, and a person another (`-`: a flip)."""
    outcome = {"t": Outcome.TIE, "-": Outcome.FLIP_HARD}.get(judge, Outcome.WIN)
    standing = None if person is None else Standing(LETTERS[person], reviewer="kim", blind=blind)
    said = LETTERS.get(judge)
    return RowEvidence(
        number, f"c{number}", number, {}, False, outcome, SIDES.get(judge), said, said, standing=standing
    )


def rows(*counts: tuple[int, str]) -> list[RowEvidence]:
    """So many rows each that read `judge person`."""
    pairs = [said for count, said in counts for _ in range(count)]
    return [row(n, said[0], said[1] if len(said) > 1 else None) for n, said in enumerate(pairs)]


def told(found: Sequence[RowEvidence], audit: frozenset[str] | None = None) -> Accuracy:
    cases = frozenset(row.case_id for row in found) if audit is None else audit
    return accuracy(found, cases, Votes.of(row.judged for row in found))


def test_only_rows_that_both_decided_are_counted() -> None:
    found = rows((3, "cc"), (1, "cb"), (2, "tt"), (5, "c"), (4, "-c"))
    assert told(found).reviews == Reading(n=6, right=5)


def test_the_audit_counts_apart_from_what_people_chose_to_read() -> None:
    found = rows((4, "cc"), (6, "cb"))
    sample = frozenset({"c0", "c1", "c4"})
    assert told(found, sample).audit == Reading(3, 2)
    assert told(found, sample).reviews == Reading(10, 4)


def test_how_many_were_read_blind_is_told() -> None:
    found = [row(0, "c", "c", blind=True), row(1, "c", "b", blind=True), row(2, "c", "c")]
    assert told(found).audit.as_json() == {
        "n": 3, "right": 2, "value": 0.666667, "wilson95": [0.2077, 0.9385], "blind": 2,
    }  # fmt: skip


def test_nothing_read_is_no_rate() -> None:
    assert told(rows((3, "c"))).audit.as_json() == {
        "n": 0, "right": 0, "value": None, "wilson95": None, "blind": 0,
    }  # fmt: skip
    assert told(rows((3, "c"))).corrected is None


PUBLISHED = [
    ((4060, 11284), (178, 179), (358, 359), (0.349, 0.372), 3),
    ((51, 2971), (32, 33), (20, 20), (0, 0.053), 3),
    ((712, 11862), (8, 10), (12, 12), (0, 0.147), 3),
    ((259, 509), (84, 127), (96, 109), (0.58, 0.87), 2),
    ((51, 509), (23, 41), (187, 195), (0.037, 0.195), 3),
]
"""Lang and Reiczigel's examples: positive, found and spared of how many, and the interval they print."""


@pytest.mark.parametrize(("named", "found", "spared", "interval", "digits"), PUBLISHED)
def test_the_interval_is_that_of_the_published_examples(
    named: tuple[int, int],
    found: tuple[int, int],
    spared: tuple[int, int],
    interval: tuple[float, float],
    digits: int,
) -> None:
    said = corrected(named, found, spared)
    assert said is not None
    assert tuple(round(bound, digits) for bound in said.interval) == interval


def test_the_rate_is_rogan_and_gladens() -> None:
    """8 of 10 true wins found, 9 of 10 others spared, 52 of 100 named: (.52 - .1) / (.8 - .1) = .6."""
    said = corrected((52, 100), (8, 10), (9, 10))
    assert said is not None
    assert (said.value, said.sensitivity, said.specificity) == (
        Fraction(3, 5),
        Fraction(4, 5),
        Fraction(9, 10),
    )


@given(st.integers(1, 200), st.integers(1, 60), st.integers(1, 60), st.data())
def test_a_perfect_judge_is_left_as_it_is(of: int, wins: int, others: int, data: st.DataObject) -> None:
    named = data.draw(st.integers(0, of))
    said = corrected((named, of), (wins, wins), (others, others))
    assert said is not None
    assert said.value == Fraction(named, of)


SHARES = st.integers(1, 80).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(SHARES, SHARES, SHARES)
def test_what_is_corrected_is_a_share_inside_its_interval(
    named: tuple[int, int], found: tuple[int, int], spared: tuple[int, int]
) -> None:
    said = corrected(named, found, spared)
    assume(said is not None)
    assert said is not None
    low, high = said.interval
    assert 0 <= low <= float(said.value) <= high <= 1  # the bounds are floats, the share is exact


@given(SHARES, SHARES, SHARES)
def test_turning_win_and_loss_round_turns_the_estimate_round(
    named: tuple[int, int], found: tuple[int, int], spared: tuple[int, int]
) -> None:
    said = corrected(named, found, spared)
    turned = corrected((named[1] - named[0], named[1]), spared, found)
    assert (said is None) == (turned is None)
    assume(said is not None)
    assert said is not None
    assert turned is not None
    assert turned.value == 1 - said.value
    assert turned.interval == pytest.approx((1 - said.interval[1], 1 - said.interval[0]), abs=1e-9)


@pytest.mark.parametrize(
    ("named", "found", "spared"),
    [
        ((5, 10), (0, 0), (9, 10)),
        ((5, 10), (9, 10), (0, 0)),
        ((0, 0), (9, 10), (9, 10)),
        ((5, 10), (5, 10), (5, 10)),
        ((5, 10), (3, 10), (4, 10)),
    ],
)
def test_where_the_audit_says_too_little_nothing_is_guessed(
    named: tuple[int, int], found: tuple[int, int], spared: tuple[int, int]
) -> None:
    assert corrected(named, found, spared) is None


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """500 experiments of 400 rows, of which people give the candidate 60 %; 80 of them are audited.

    95 % are 475; three standard errors of 500 tries are 15.
    """
    chance = random.Random(11)
    held = 0
    for _ in range(500):
        people = [chance.random() < 0.6 for _ in range(400)]
        judge = [said == (chance.random() < (0.85 if said else 0.75)) for said in people]
        wins, others = ([n for n in range(80) if people[n] is said] for said in (True, False))
        fixed = corrected(
            (sum(judge), 400),
            (sum(judge[n] for n in wins), len(wins)),
            (sum(not judge[n] for n in others), len(others)),
        )
        held += fixed is not None and fixed.interval[0] <= 0.6 <= fixed.interval[1]
    assert held >= 475 - 15


def test_a_judge_that_agrees_with_itself_and_is_mostly_wrong_is_a_warning() -> None:
    """A published judge decided 244 pairs both ways and was right on 34 % of them."""
    (warning,) = told(rows((83, "cc"), (161, "cb"))).warnings
    assert "right on 83 of 244 audited rows (34.0 %, 95 % interval 28.4 % to 40.2 %)" in warning


@pytest.mark.parametrize(("right", "of"), [(0, 3), (1, 2), (42, 100), (50, 100)])
def test_a_judge_that_may_be_wrong_by_chance_is_none(right: int, of: int) -> None:
    """0 of 3 leaves room up to z²/(3 + z²) = .56; 0 of 4 up to .49."""
    assert told(rows((right, "cc"), (of - right, "cb"))).warnings == ()
    assert told(rows((4, "cb"))).warnings != ()


def test_without_an_audit_all_that_people_read_can_warn() -> None:
    (warning,) = told(rows((10, "cc"), (40, "cb")), frozenset()).warnings
    assert "10 of 50 agreed rows that people read" in warning


def test_the_warning_stands_among_the_gates() -> None:
    result = evaluate(evidence_of(rows((10, "cc"), (40, "cb"))))
    assert any("mostly wrong" in said for said in result.figures.warnings)


def test_the_figures_come_with_the_gate() -> None:
    desk = Desk(*["cc"] * 6, *["bb"] * 4, audit=1.0, high_stakes_tags=())
    for number in range(1, 11):
        what = Act.CANDIDATE if number in (1, 2, 3, 4, 7) else Act.BASELINE
        desk.does(what, row=number, blind=number < 4)
    said = cast("JsonObject", as_json(desk.result)["judge_accuracy"])
    assert cast("JsonObject", said["audit"]) == {
        "n": 10, "right": 7, "value": 0.7, "wilson95": [0.3968, 0.8922], "blind": 3,
    }  # fmt: skip
    # People give the candidate five rows, of which the judge named four; of the other five it spared three.
    # (.6 + .6 - 1) / (.8 + .6 - 1) = .5
    fixed = cast("JsonObject", said["corrected"])
    assert {**fixed, "interval95": None} == {
        "value": 0.5, "interval95": None, "sensitivity": 0.8, "specificity": 0.6, "from": "audit",
    }  # fmt: skip
