"""Rows that come back to the reviewer who has read them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.people import Desk

from bothways.engine.analysis.consistency import Consistency, consistency, second_looks
from bothways.engine.facts import Answer
from bothways.engine.review import Act


def again(desk: Desk, what: Act, *, by: str = "kim", row: int = 1) -> Desk:
    reason = "once is enough" if what is Act.SKIP else ""
    return desk.does(what, by=by, row=row, blind=True, look=2, reason=reason)


def due(desk: Desk, reviewer: str = "kim") -> frozenset[str]:
    return second_looks(desk.evidence, desk.facts.log, reviewer)


def read(desk: Desk, count: int, *, by: str = "kim") -> Desk:
    for number in range(1, count + 1):
        desk.does(Act.CANDIDATE, by=by, row=number)
    return desk


def test_the_share_of_rows_on_which_a_reviewer_says_the_same_again() -> None:
    desk = read(read(Desk(*["cc"] * 4), 4), 2, by="ann")
    for number, what in enumerate((Act.CANDIDATE, Act.CANDIDATE, Act.TIE, Act.CANDIDATE), 1):
        again(desk, what, row=number)
    again(desk, Act.BASELINE, by="ann")
    assert consistency(desk.facts.log) == (Consistency("ann", 1, 0), Consistency("kim", 4, 3))
    assert consistency(desk.facts.log)[1].as_json() == {
        "reviewer": "kim", "n": 4, "same": 3, "value": 0.75, "wilson95": [0.3006, 0.9544],
    }  # fmt: skip


def test_it_is_what_they_had_said_by_then_that_counts() -> None:
    desk = again(read(Desk("cc"), 1), Act.TIE)
    assert consistency(desk.does(Act.TIE).facts.log) == (Consistency("kim", 1, 0),)


def test_a_row_counts_once_for_a_reviewer_and_not_where_it_was_taken_back() -> None:
    desk = again(again(read(Desk("cc"), 1), Act.TIE), Act.CANDIDATE)
    assert consistency(desk.facts.log) == (Consistency("kim", 1, 0),)
    assert consistency(desk.does(Act.UNDO, Act.UNDO).facts.log) == ()


def test_equal_and_both_bad_are_not_the_same() -> None:
    desk = again(Desk("cc").does(Act.TIE), Act.BOTH_BAD)
    assert consistency(desk.facts.log) == (Consistency("kim", 1, 0),)


def test_what_was_confirmed_unread_was_never_looked_at_once() -> None:
    desk = Desk("cc").does(Act.CONFIRM, bulk="confirm at once")
    assert consistency(again(desk, Act.CANDIDATE).facts.log) == ()


def test_who_never_looked_twice_and_other_candidates_are_left_out() -> None:
    desk = again(read(Desk("cc"), 1), Act.TIE)
    desk.does(Act.TIE, by="lee")
    assert [one.reviewer for one in consistency(desk.facts.log, "v5")] == ["kim"]
    assert consistency(desk.facts.log, "v6") == ()


def test_a_share_of_ones_own_rows_comes_back_and_nobody_elses() -> None:
    desk = read(Desk(*["cc"] * 12, second_look=0.25), 8)
    assert len(due(desk)) == 2
    assert due(desk) <= {f"c{number:03}" for number in range(1, 9)}
    assert due(desk, "lee") == frozenset()
    assert due(read(Desk(*["cc"] * 12), 8)) == frozenset()


def test_what_was_looked_at_again_or_declined_comes_back_no_more() -> None:
    desk = read(Desk(*["cc"] * 8, second_look=0.25), 8)
    first, second = sorted(due(desk))
    again(desk, Act.TIE, row=int(first[1:]))
    assert due(desk) == {second}
    assert due(again(desk, Act.SKIP, row=int(second[1:]))) == frozenset()


def test_never_more_than_the_share_comes_back_however_the_rows_come_in() -> None:
    desk = Desk(*["cc"] * 20, second_look=0.25)
    looked = 0
    for number in range(1, 21):
        desk.does(Act.CANDIDATE, row=number)
        for case in sorted(due(desk)):
            again(desk, Act.CANDIDATE, row=int(case[1:]))
            looked += 1
        assert looked == -(-number // 4)


@pytest.mark.parametrize("back", [Act.UNDO, Act.CLEAR])
def test_a_verdict_that_was_taken_back_does_not_come_back(back: Act) -> None:
    assert due(read(Desk("cc", second_look=1.0), 1).does(back)) == frozenset()


def test_another_answer_is_another_row_to_look_at_twice() -> None:
    desk = again(read(Desk("cc", second_look=1.0), 1), Act.TIE)
    assert due(desk) == frozenset()
    old = desk.facts.data[0]
    desk.facts.data[0] = replace(old, answers=(old.answers[0], ("v5", Answer("another"))))
    assert due(desk) == frozenset()
    assert due(read(desk, 1)) == {"c001"}
