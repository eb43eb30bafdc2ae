"""One row read in full adds up to what the whole walk says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.ledger_fake import AT, FakeLedger, FakePass, FakeRow
from tests.engine.shop import experiment, row

from bothways.engine.analysis.afresh import afresh, counting
from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import ToolState
from bothways.engine.facts import Answer, Failure, FailureKind, ToolCall
from bothways.engine.verdicts import Outcome

FAILED = Answer(failure=Failure(FailureKind.TIMEOUT, "no reply"))
CALLED = Answer("new", tool_calls=(ToolCall("refund"),))
ROWS = [
    *(row(1, said) for said in ("cc", "bb", "tt", "cb", "ct", "uc", "c-")),
    replace(row(1, "cc"), answers=(("v4", Answer("old")), ("v5", FAILED))),
    replace(row(1, "cc"), answers=(("v4", Answer("old")), ("v5", None))),
    replace(row(1, "cc"), answers=(("v4", Answer("old")), ("v5", CALLED))),
    replace(row(1, "cc"), answers=(("v4", Answer("old")), ("v5", CALLED), ("v5", Answer("b")))),
]


@pytest.mark.parametrize("made", ROWS)
def test_one_row_says_what_the_walk_says(made: FakeRow) -> None:
    facts = FakeLedger(experiment(), [made])
    evidence = gather(facts, "exp", today=AT)
    stale = evidence.rows[0]._replace(outcome=Outcome.PENDING, winner=None, tools=ToolState.NONE)
    assert afresh(stale, facts.row(1), evidence) == evidence.rows[0]


def test_a_take_that_is_half_made_does_not_count_before_the_whole_one_does() -> None:
    made = row(1, "cc")
    half = FakePass(("v4", "v5"), 0, take=2), FakePass(("v5", "v4"), None, tried=False, take=2)
    facts = FakeLedger(experiment(), [replace(made, passes=(*made.passes, *half))], takes=2)
    evidence = gather(facts, "exp", today=AT)
    assert evidence.rows[0].winner == "candidate"
    assert [(unit.take, unit.order) for unit, _ in counting(facts.row(1), evidence)] == [(1, 1), (1, 2)]


def test_where_no_take_is_whole_the_newest_is_shown_as_far_as_it_is() -> None:
    facts = FakeLedger(experiment(), [row(1, "c-")])
    evidence = gather(facts, "exp", today=AT)
    assert [result is not None for _, result in counting(facts.row(1), evidence)] == [True, False]


def test_each_night_counts_by_its_own_newest_take() -> None:
    first, second = row(1, "cc").passes
    later = [replace(one, night=2, take=take) for take in (1, 2) for one in (first, second)]
    facts = FakeLedger(
        experiment(), [replace(row(1, "cc"), passes=(first, second, *later))], nights=2, takes=2
    )
    evidence = gather(facts, "exp", today=AT)
    assert [(unit.night, unit.take) for unit, _ in counting(facts.row(1), evidence)] == [
        (1, 1), (1, 1), (2, 2), (2, 2),
    ]  # fmt: skip
