"""One row read in full adds up to what the whole walk says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.ledger_fake import AT, FakeLedger, FakeRow
from tests.engine.shop import experiment, row

from bothways.engine.analysis.afresh import afresh
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
