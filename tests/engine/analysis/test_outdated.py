from __future__ import annotations

from dataclasses import replace

from tests.engine.people import Desk

from bothways.engine.analysis.outdated import outdated
from bothways.engine.facts import Answer
from bothways.engine.gate.json import as_json
from bothways.engine.review import Act


def answered_anew(desk: Desk, row: int = 1) -> Desk:
    answers = (*desk.facts.data[row - 1].answers[:1], ("v5", Answer("Another answer.")))
    desk.facts.data[row - 1] = replace(desk.facts.data[row - 1], answers=answers)
    return desk


def told(desk: Desk) -> tuple[str, ...]:
    assert tuple(case for _, case in outdated(desk.facts, 1)) == desk.evidence.outdated
    return desk.evidence.outdated


def test_a_review_of_answers_that_are_there_counts() -> None:
    assert told(Desk("cc", "bb").does(Act.CANDIDATE)) == ()


def test_a_review_of_an_answer_that_is_another_by_now_is_named() -> None:
    desk = answered_anew(Desk("cc", "bb").does(Act.CANDIDATE, Act.NOTE, note="so"))
    assert told(desk) == (desk.evidence.rows[0].case_id,)
    reviews = as_json(desk.result)["reviews"]
    assert isinstance(reviews, dict)
    assert (reviews["outdated"], reviews["reviewed"]) == (list(desk.evidence.outdated), 0)
    assert "the reviews of 1 row count no longer: they were given on other answers" in desk.evidence.warnings


def test_what_was_taken_back_or_given_again_is_not_outdated() -> None:
    assert told(answered_anew(Desk("cc").does(Act.CANDIDATE, Act.UNDO))) == ()
    assert told(answered_anew(Desk("cc").does(Act.CANDIDATE)).does(Act.TIE)) == ()


def test_each_reviewers_own_last_word_is_looked_at() -> None:
    desk = answered_anew(Desk("cc").does(Act.CANDIDATE, by="lee")).does(Act.TIE, by="kim")
    assert len(told(desk)) == 1


def test_a_note_alone_goes_without_a_word() -> None:
    assert told(answered_anew(Desk("cc").does(Act.NOTE, note="so"))) == ()
