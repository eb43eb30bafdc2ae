from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bothways.engine.judging.meant import meant


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Answer A is right.", "Answer A [v5] is right."),
        ("response B's date is wrong", "response B [v4]'s date is wrong"),
        ("Assistant A and Assistant B agree", "Assistant A [v5] and Assistant B [v4] agree"),
        ("[[B]]", "[[B]] [v4]"),
        ("The first answer is kinder.", "The first answer [v5] is kinder."),
        ("the second response lies", "the second response [v4] lies"),
        ("Answer 2 names the date.", "Answer 2 [v4] names the date."),
        ("B is better than A.", "B [v4] is better than A [v5]."),
        ("A correctly refuses; B invents a fee", "A [v5] correctly refuses; B [v4] invents a fee"),
        ("A warns of the bill. B lost both.", "A [v5] warns of the bill. B [v4] lost both."),
        ("The list of B is easier to tick off", "The list of B [v4] is easier to tick off"),
        ("Both A and B are right", "Both A [v5] and B [v4] are right"),
    ],
)
def test_a_label_is_told_with_the_variant_that_stood_there(said: str, shown: str) -> None:
    assert meant(said, ("v5", "v4")) == shown


@pytest.mark.parametrize(
    "said",
    [
        "A refund was promised.",
        "A series of steps, a lost parcel.",
        "A business day passes.",
        "Plan B costs more.",
        "Plan A and plan B",
        'It says "Answer A is right" itself.',
        "It prints `answer A`.",
        "It writes “the first answer is free”.",
        "the first question",
        "Answer 2.5 is wrong",
        "vitamin B12",
        "a or b",
        "The answer is right.",
    ],
)
def test_what_may_be_something_else_or_is_quoted_stays(said: str) -> None:
    assert meant(said, ("v5", "v4")) == said


@given(st.text(alphabet="AB answer the first second.\"`'[]12\n", max_size=200))
def test_nothing_is_lost(said: str) -> None:
    assert meant(said, ("\0", "\0")).replace(" [\0]", "") == said


def test_more_than_two_answers_have_other_labels() -> None:
    assert meant("Answer A", ("v4", "v5", "v6")) == "Answer A"
