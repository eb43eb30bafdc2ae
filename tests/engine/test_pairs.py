"""What people saw on one night says nothing about another night's answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import experiment, row

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.facts import Answer, Failure, FailureKind, ToolCall
from bothways.engine.gate.gate import evaluate
from bothways.engine.pairs import newest
from bothways.engine.review import Act, Said, act

TIMEOUT = Answer(failure=Failure(FailureKind.TIMEOUT, "no reply"))


def shop(*answers: tuple[str, Answer | None]) -> FakeLedger:
    """A ledger of one row, judged on as many nights as the candidate has answers."""
    judged = row(1, "cc", high_stakes=True)
    nights = sum(variant == "v5" for variant, _ in answers)
    passes = tuple(replace(p, night=night) for night in range(1, nights + 1) for p in judged.passes)
    return FakeLedger(experiment(), [replace(judged, answers=answers, passes=passes)], nights=nights)


def calling(text: str, *tools: str) -> Answer:
    return Answer(text, tool_calls=tuple(ToolCall(name) for name in tools))


def only(facts: FakeLedger) -> RowEvidence:
    return gather(facts, "exp", today=AT).rows[0]


def acts(facts: FakeLedger, what: Act) -> None:
    evidence = gather(facts, "exp", today=AT)
    body = act(facts, evidence, evaluate(evidence), evidence.rows[0], what, Said("kim", AT, reason="read"))
    facts.append("review", body, AT)


def test_a_signature_covers_the_calls_that_were_seen_and_no_later_nights() -> None:
    facts = shop(("v4", calling("old", "get")), ("v5", calling("one", "get", "close")))
    acts(facts, Act.TOOLS_OK)
    later = shop(*facts.data[0].answers, ("v5", calling("one", "get", "refund")))
    later.log = facts.log
    assert only(later).tools is ToolState.CHANGED
    assert evaluate(gather(later, "exp", today=AT)).tool_diffs_unsigned == ("c001",)


def test_a_review_of_one_night_is_none_of_the_next() -> None:
    facts = shop(("v4", Answer("old")), ("v5", Answer("one")))
    acts(facts, Act.BASELINE)
    assert only(facts).final == "baseline"
    later = shop(*facts.data[0].answers, ("v5", Answer("two")))
    later.log = facts.log
    assert only(later).standing is None
    assert evaluate(gather(later, "exp", today=AT)).missing == ("c001",)


def test_a_review_stands_where_the_next_night_said_the_same() -> None:
    facts = shop(("v4", Answer("old")), ("v5", Answer("one")))
    acts(facts, Act.BASELINE)
    later = shop(*facts.data[0].answers, ("v5", Answer("one")))
    later.log = facts.log
    assert only(later).final == "baseline"


def test_a_night_that_failed_hides_no_tool_difference_and_takes_no_review_away() -> None:
    facts = shop(("v4", calling("old", "get")), ("v5", calling("one", "refund")), ("v5", TIMEOUT))
    assert only(facts).tools is ToolState.CHANGED
    acts(facts, Act.TOOLS_OK)
    standing = only(facts).standing
    assert standing is not None
    assert standing.tools == "ok"


@pytest.mark.parametrize(
    ("tried", "text"),
    [
        ([(1, 1, Answer("a")), (2, 1, Answer("b"))], "b"),
        ([(2, 1, Answer("b")), (1, 2, Answer("a"))], "b"),
        ([(1, 1, Answer("a")), (1, 2, Answer("b"))], "b"),
        ([(1, 1, Answer("a")), (2, 1, TIMEOUT)], "a"),
        ([(1, 1, TIMEOUT)], ""),
    ],
)
def test_the_newest_answer_counts_and_a_failure_only_alone(
    tried: list[tuple[int, int, Answer]], text: str
) -> None:
    found = newest(tried)
    assert found is not None
    assert found.text == text
    assert newest([]) is None
