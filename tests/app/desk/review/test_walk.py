from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from bothways.app.desk.review.walk import UNREAD, WAITS, Tally, Walk
from bothways.engine.analysis.model import RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.verdicts import Outcome


def walk(waits: Sequence[int]) -> Walk:
    rows = [
        RowEvidence(n, f"r-{n}", n, {}, False, Outcome.TIE, None, "tie", "tie") for n in range(len(waits))
    ]
    return Walk(Rows(rows), range(len(waits)), waits)


@given(st.lists(st.booleans(), min_size=1), st.data())
def test_a_step_goes_to_the_nearest_row_that_waits(waits: list[bool], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(waits) - 1))
    by: Literal[1, -1] = data.draw(st.sampled_from([1, -1]))
    ahead = [n for n, one in enumerate(waits) if one and (n - at) * by > 0]
    way = walk(waits)
    way.at = at
    assert way.step(by, undecided=True) is bool(ahead)
    assert way.at == (min(ahead, key=lambda n: abs(n - at)) if ahead else at)


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["close", "agreed"]), st.booleans())))
def test_counts_follow_what_changes(changes: list[tuple[int, str, bool]]) -> None:
    tally, now = Tally(6), {}
    for row_id, reason, waits in changes:
        tally.count(row_id, reason, waits)
        now[row_id] = reason if waits else None
    left = [reason for reason in now.values() if reason]
    assert tally.left == {reason: left.count(reason) for reason in dict.fromkeys(left)}
    assert tally.done == 6 - len(left)


def test_rows_that_only_others_have_decided_come_when_none_waits() -> None:
    way = walk([UNREAD, WAITS, 0, UNREAD])
    assert (way.left(), way.to_first(), way.at) == ([1], True, 1)
    assert not way.step(1, undecided=True)
    way.put(1, 0)
    assert (way.left(), way.step(1, undecided=True), way.at) == ([0, 3], True, 3)
    way.put(3, 0)
    assert way.to_first()
    assert way.at == 0
    way.put(0, 0)
    assert (way.left(), way.to_first()) == ([], False)
