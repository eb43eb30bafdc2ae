from __future__ import annotations

import pytest

from bothways.app.desk.review.filter import Filter, Word
from bothways.app.desk.review.known import Known
from bothways.engine.standing import Voice

KIM = Voice("kim", "tie", note="wrong date here")
ROW = Known(
    7, "Refund-17", 0, {"path": "refund"}, True, "flipped hard", "", False,
    decides=True, outcome="flip_hard", judge="FLIP", final="tie", both_bad=True, voices=(KIM,), mine=KIM,
    others=0, note="wrong date here", skipped="",
)  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "", "is:flip", "is:hard", "is:done", "-is:open", "is:decides", "is:stakes", "is:mine", "is:noted",
        "judge:flip", "final:tie", "final:both-bad", "by:KIM", 'note:"wrong date"', "tag:refund",
        "tag:path:refund", "refund-1", "-order", '"flipped hard"', "is:flip -judge:cand tag:refund",
    ],
)  # fmt: skip
def test_a_row_with_every_word_is_shown(words: str) -> None:
    assert Filter.of(words).matches(ROW)


@pytest.mark.parametrize(
    "words",
    ["is:open", "-is:flip", "is:skipped", "is:disputed", "is:blind", "judge:tie", "by:ann", "note:colour",
     "tag:order", "is:flip nothing", "-refund"],
)  # fmt: skip
def test_a_row_without_one_of_the_words_is_not(words: str) -> None:
    assert not Filter.of(words).matches(ROW)


def test_a_text_may_stand_in_what_was_asked() -> None:
    wanted = Filter.of("where is")
    assert wanted.texts == ("where", "is")
    assert wanted.searched({"where": {7}, "is": {7, 8}}.__getitem__).matches(ROW)
    assert not wanted.searched({"where": {7}, "is": {8}}.__getitem__).matches(ROW)


def test_a_quotation_that_is_never_closed_reaches_to_the_end() -> None:
    assert Filter.of('note:"wrong date').words == (Word("wrong date", "note"),)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("is:finished", "is:finished names no state; after is: stands open, done"),
        ("color:red", "color: is no field and is looked for as text; fields are is, tag"),
        ("is:flip order", ""),
        ("judge:tie", ""),
    ],
)
def test_words_that_nobody_knows_are_said(words: str, says: str) -> None:
    assert Filter.of(words).doubts(blind=False).startswith(says)
    assert bool(Filter.of(words).doubts(blind=False)) is bool(says)


@pytest.mark.parametrize("words", ["judge:tie", "final:candidate", "-judge:tie"])
def test_in_blind_mode_words_that_would_tell_are_said_to(words: str) -> None:
    assert "would tell" in Filter.of(words).doubts(blind=True)


@pytest.mark.parametrize("word", ["is:flip", "is:tie", "is:agreed", "is:override", "is:decides"])
def test_a_state_that_blind_mode_hides_is_said_to_be_hidden(word: str) -> None:
    assert "hidden in blind mode" in Filter.of(word).doubts(blind=True)
    assert Filter.of(word).doubts(blind=False) == ""


@pytest.mark.parametrize("word", ["is:open", "is:done", "is:stakes", "is:required", "is:noted", "is:second"])
def test_a_state_that_a_blind_reader_may_know_is_in_no_doubt(word: str) -> None:
    assert Filter.of(word).doubts(blind=True) == ""
