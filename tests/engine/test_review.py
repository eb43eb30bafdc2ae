"""What people can do to a row, what it adds up to, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from tests.engine.ledger_fake import AT
from tests.engine.people import Desk
from tests.engine.shop import row

from bothways.engine.decisions import decide
from bothways.engine.errors import ReasonWanted, RefusedError, UsageError
from bothways.engine.facts import Answer, Failure, FailureKind, ToolCall
from bothways.engine.gate.gate import evaluate
from bothways.engine.past import about
from bothways.engine.review import Act, Said, Seeing, act, act_named


def test_a_persons_verdict_stands_over_the_judges() -> None:
    desk = Desk("cc").does(Act.BASELINE)
    assert desk.evidence.rows[0].final == "baseline"
    assert desk.evidence.rows[0].judged == "candidate"


def test_both_bad_counts_as_a_tie_and_says_so() -> None:
    standing = Desk().does(Act.BOTH_BAD).standing
    assert standing is not None
    assert (standing.verdict, standing.both_bad) == ("tie", True)


def test_several_levels_of_undo_and_redo() -> None:
    desk = Desk().does(Act.BASELINE, Act.TIE, Act.CANDIDATE)
    said = [desk.verdict]
    for what in (Act.UNDO, Act.UNDO, Act.UNDO, Act.REDO, Act.REDO, Act.UNDO, Act.REDO, Act.REDO):
        said.append(desk.does(what).verdict)
    assert said == ["candidate", "tie", "baseline", None, "baseline", "tie", "baseline", "tie", "candidate"]


def test_a_new_act_ends_what_could_be_redone() -> None:
    desk = Desk().does(Act.BASELINE, Act.UNDO, Act.TIE)
    with pytest.raises(RefusedError, match="nothing to redo"):
        desk.does(Act.REDO)


def test_undo_and_redo_are_one_line_over_all_rows() -> None:
    desk = Desk("cc", "cc", "cc")
    for number in (1, 2, 3):
        desk.does(Act.CANDIDATE, row=number)

    def follow(what: Literal["undo", "redo"]) -> str:
        found = about(desk.facts.log, what, candidate="v5", reviewer="kim")
        desk.does(
            Act(what), row=next(n for n, row in enumerate(desk.evidence.rows, 1) if row.case_id == found.case)
        )
        return found.case

    cases = [row.case_id for row in desk.evidence.rows]
    assert [follow("undo") for _ in cases] == cases[::-1]
    assert [row.standing and row.standing.verdict for row in desk.evidence.rows] == [None] * 3
    assert [follow("redo") for _ in cases] == cases
    assert [row.final for row in desk.evidence.rows] == ["candidate"] * 3
    follow("undo")
    desk.does(Act.TIE, row=1)
    with pytest.raises(RefusedError, match="nothing to redo"):
        follow("redo")


def test_a_redo_elsewhere_than_what_was_undone_last_is_refused() -> None:
    desk = Desk("cc", "cc").does(Act.TIE, Act.UNDO, row=1)
    with pytest.raises(RefusedError, match="nothing to redo here"):
        desk.does(Act.REDO, row=2)


@pytest.mark.parametrize("what", [Act.CANDIDATE, Act.TIE, Act.BOTH_BAD])
def test_two_errors_cannot_be_compared(what: Act) -> None:
    desk = Desk()
    lost = Answer(failure=Failure(FailureKind.TIMEOUT, "too slow"))
    old = desk.facts.data[0]
    desk.facts.data[0] = replace(old, answers=tuple((name, lost) for name, _ in old.answers))
    with pytest.raises(RefusedError, match="nothing to compare"):
        desk.does(what)
    one = (old.answers[0], ("v5", lost))
    desk.facts.data[0] = replace(old, answers=one)
    if what is Act.BOTH_BAD:
        assert desk.does(what).verdict == "tie"


def test_undo_takes_back_ones_own_act_only() -> None:
    desk = Desk().does(Act.BASELINE, by="kim")
    with pytest.raises(RefusedError, match="nothing of yours to undo"):
        desk.does(Act.UNDO, by="lee")


def test_between_reviewers_the_latest_stands_and_each_keeps_their_own() -> None:
    desk = Desk().does(Act.BASELINE, by="kim").does(Act.TIE, by="lee")
    assert desk.verdict == "tie"
    assert desk.does(Act.CLEAR, by="lee").verdict == "baseline"


def test_confirming_then_overriding_then_confirming_leaves_one_verdict() -> None:
    desk = Desk("bb").does(Act.CONFIRM, Act.CANDIDATE, Act.CONFIRM)
    assert desk.verdict == "baseline"
    assert len(desk.facts.log) == 3


@pytest.mark.parametrize("said", ["cb", "ct", "uc"])
def test_what_the_judge_did_not_decide_cannot_be_confirmed(said: str) -> None:
    with pytest.raises(RefusedError, match="no verdict to confirm"):
        Desk(said).does(Act.CONFIRM)


def test_an_override_needs_a_reason_and_a_flip_does_not() -> None:
    with pytest.raises(RefusedError, match="needs a reason"):
        Desk("cc").does(Act.BASELINE, reason=" ")
    assert Desk("cb").does(Act.BASELINE, reason="").verdict == "baseline"


def test_what_is_one_act_on_many_rows_names_it_and_was_not_read() -> None:
    desk = Desk("cc").does(Act.CONFIRM, bulk="confirm at once")
    assert desk.last.body["bulk"] == "confirm at once"
    assert desk.standing is not None
    assert desk.standing.unread


def test_nobody_is_no_reviewer() -> None:
    with pytest.raises(RefusedError, match="needs a reviewer"):
        Desk().does(Act.TIE, by=" ")


def test_a_skip_is_no_verdict_and_a_note_changes_none() -> None:
    standing = Desk().does(Act.SKIP, note="ask Ann").standing
    assert standing is not None
    assert (standing.verdict, standing.skipped) == (None, "ask Ann")
    assert Desk().does(Act.TIE).does(Act.NOTE, note="hm").verdict == "tie"
    with pytest.raises(RefusedError, match="note is empty"):
        Desk().does(Act.NOTE)


def test_a_skip_says_why() -> None:
    with pytest.raises(ReasonWanted, match="skip needs a reason"):
        Desk().does(Act.SKIP, reason=" ")


def test_an_old_review_no_longer_counts_when_an_answer_changed() -> None:
    desk = Desk().does(Act.BASELINE)
    old = desk.facts.data[0]
    desk.facts.data[0] = replace(old, answers=(old.answers[0], ("v5", Answer("another answer"))))
    assert desk.standing is None


def test_a_signature_stands_on_the_tool_calls() -> None:
    desk = Desk()
    old = desk.facts.data[0]
    calling = replace(
        old, answers=(old.answers[0], ("v5", Answer("new 1", tool_calls=(ToolCall("refund"),))))
    )
    desk.facts.data[0] = calling
    signed = desk.does(Act.TOOLS_OK).standing
    assert signed is not None
    assert signed.tools == "ok"
    more = (ToolCall("refund"), ToolCall("refund", turn=1))
    desk.facts.data[0] = replace(old, answers=(old.answers[0], ("v5", Answer("new 1", tool_calls=more))))
    assert desk.standing is not None
    assert desk.standing.tools is None


def test_there_is_nothing_to_sign_where_no_tool_changed() -> None:
    with pytest.raises(RefusedError, match="no tool difference"):
        Desk().does(Act.TOOLS_OK)


def test_a_row_without_answers_cannot_be_reviewed() -> None:
    desk = Desk()
    old = desk.facts.data[0]
    desk.facts.data[0] = replace(old, answers=(old.answers[0], ("v5", None)))
    with pytest.raises(RefusedError, match="nothing to review yet"):
        desk.does(Act.TIE)


def test_acts_are_named_by_word_or_by_variant() -> None:
    evidence = Desk().evidence
    assert act_named(evidence, "v5") is Act.CANDIDATE
    assert act_named(evidence, "both-bad") is Act.BOTH_BAD
    with pytest.raises(UsageError, match="is no verdict"):
        act_named(evidence, "v6")


def test_an_act_is_refused_where_the_row_is_not_what_was_shown() -> None:
    desk = Desk("cc")
    evidence, shown = desk.evidence, desk.facts.row(1)
    old = desk.facts.data[0]
    desk.facts.data[0] = replace(old, passes=row(1, "bb").passes)
    with pytest.raises(RefusedError, match="This row has changed"):
        act(
            desk.facts, evidence, evaluate(evidence), evidence.rows[0], Act.CONFIRM,
            Said("kim", AT), Seeing(shown),
        )  # fmt: skip


def test_an_act_rests_on_the_row_as_it_is_by_now_however_old_the_evidence() -> None:
    desk = Desk("cc")
    evidence = desk.evidence
    desk.facts.data[0] = replace(desk.facts.data[0], passes=row(1, "bb").passes)
    body = act(desk.facts, evidence, evaluate(evidence), evidence.rows[0], Act.CONFIRM, Said("kim", AT))
    assert (body["verdict"], body["judge_said"]) == ("baseline", "baseline")


def test_a_decision_is_refused_where_the_facts_are_not_those_that_were_shown() -> None:
    seen = Desk("cc").evidence
    with pytest.raises(RefusedError, match="The facts have changed"):
        decide(seen, evaluate(seen), reviewer="kim", at=AT, shown="others")


def test_what_a_blind_vote_was_stands_in_its_record() -> None:
    desk = Desk("cc").does(Act.BASELINE, reason="", blind=True, left="candidate")
    body = desk.last.body
    assert (body["blind"], body["left"], body["look"], body["changed_mind"]) == (True, "candidate", 1, False)
    assert desk.standing is not None
    assert desk.standing.blind


def test_an_act_that_was_not_blind_needs_its_reason_whatever_the_spec_says() -> None:
    desk = Desk("cc", blind=True)
    with pytest.raises(RefusedError, match="needs a reason"):
        desk.does(Act.BASELINE, reason="")
    assert desk.does(Act.BASELINE, reason="", blind=True).verdict == "baseline"


def test_what_is_hidden_cannot_be_confirmed_and_is_not_told_in_the_refusal() -> None:
    with pytest.raises(RefusedError, match="no verdict to confirm") as refused:
        Desk("cb").does(Act.CONFIRM, blind=True)
    assert "flip" not in str(refused.value.cause)


def test_saying_otherwise_after_the_reveal_is_a_change_of_mind_and_no_blind_vote() -> None:
    desk = Desk("cc").does(Act.BASELINE, blind=True)
    assert desk.does(Act.BASELINE).last.body["changed_mind"] is False
    assert desk.does(Act.CANDIDATE).last.body["changed_mind"] is True
    assert desk.does(Act.TIE, blind=True).last.body["blind"] is False
    assert desk.does(Act.BOTH_BAD).last.body["changed_mind"] is True


def test_taking_a_blind_vote_back_does_not_unsee_what_it_revealed() -> None:
    desk = Desk("cc").does(Act.BASELINE, blind=True).does(Act.UNDO)
    assert desk.does(Act.CANDIDATE, blind=True).last.body["changed_mind"] is True
    assert desk.last.body["blind"] is False


def test_a_slip_that_was_taken_back_is_no_change_of_mind() -> None:
    assert Desk("cc").does(Act.BASELINE, Act.UNDO, Act.CANDIDATE).last.body["changed_mind"] is False


def test_what_somebody_else_said_is_no_change_of_ones_own_mind() -> None:
    desk = Desk("cc").does(Act.BASELINE, by="kim").does(Act.TIE, by="lee", blind=True)
    assert (desk.last.body["changed_mind"], desk.last.body["blind"]) == (False, True)


def test_a_second_look_changes_no_verdict_and_can_be_taken_back() -> None:
    desk = Desk("cc").does(Act.BASELINE)
    before = desk.standing
    desk.does(Act.CANDIDATE, blind=True, look=2, reason="")
    assert (desk.standing, desk.last.body["look"], desk.last.body["changed_mind"]) == (before, 2, False)
    assert desk.does(Act.UNDO).standing == before
    assert desk.does(Act.UNDO).verdict is None


def test_a_second_look_does_not_stand_in_the_way_of_clearing_the_first() -> None:
    desk = Desk("cc").does(Act.BASELINE).does(Act.CANDIDATE, blind=True, look=2)
    assert desk.does(Act.CLEAR).verdict is None
    with pytest.raises(RefusedError, match="no verdict of yours to clear"):
        desk.does(Act.CLEAR)


@pytest.mark.parametrize(
    ("what", "blind", "title"),
    [
        (Act.CANDIDATE, False, "A second look is blind"),
        (Act.CONFIRM, False, "A second look changes nothing"),
        (Act.CLEAR, True, "A second look changes nothing"),
    ],
)
def test_what_would_spoil_a_second_look_is_refused(what: Act, blind: bool, title: str) -> None:
    desk = Desk("cc").does(Act.CANDIDATE)
    with pytest.raises(RefusedError, match=title):
        desk.does(what, blind=blind, look=2)


@pytest.mark.parametrize("before", [(), (Act.CANDIDATE, Act.CLEAR), (Act.CANDIDATE, Act.UNDO)])
def test_there_is_no_second_look_without_a_first(before: tuple[Act, ...]) -> None:
    desk = Desk("cc").does(*before)
    with pytest.raises(RefusedError, match="no second look"):
        desk.does(Act.CANDIDATE, blind=True, look=2)
