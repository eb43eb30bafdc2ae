"""Several reviewers and an audit, at the gate and in the queue."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from tests.engine.people import Desk

from bothways.engine.analysis.consistency import second_looks
from bothways.engine.analysis.tally import Votes
from bothways.engine.facts import JsonObject
from bothways.engine.gate import honest
from bothways.engine.gate.impact import impact
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import Decision, State
from bothways.engine.gate.queue import QueueItem, queue
from bothways.engine.review import Act

WON = ["cc"] * 20
POLICIES: list[tuple[str, dict[str, object], str]] = [
    ("latest", {"policy": "latest"}, "reviewers differ on 1 row: the latest counts"),
    ("majority", {"policy": "majority"},
     "reviewers differ on 1 row: the majority counts, which leaves 1 undecided"),
    ("adjudicator", {"policy": "adjudicator", "adjudicator": "ada"},
     "reviewers differ on 1 row: ada's verdict counts, which leaves 1 undecided"),
]  # fmt: skip


def reviews(desk: Desk) -> JsonObject:
    return cast("JsonObject", as_json(desk.result)["reviews"])


def items(desk: Desk) -> dict[str, QueueItem]:
    return {item.case_id: item for item in queue(desk.evidence, desk.result)}


@pytest.mark.parametrize(("policy", "settings", "said"), POLICIES)
def test_the_gate_says_whose_verdict_counts(policy: str, settings: dict[str, object], said: str) -> None:
    desk = Desk(*WON, **settings)
    assert "differ" not in desk.result.condition("win_rate").detail
    desk.does(Act.BASELINE, by="kim").does(Act.TIE, by="lee")
    assert desk.result.condition("win_rate").detail.endswith(said)
    told = reviews(desk)
    assert (told["policy"], told["adjudicator"]) == (policy, settings.get("adjudicator"))
    assert (told["differing"], told["disputed"]) == (1, ["c001"])


@pytest.mark.parametrize(("policy", "settings", "said"), POLICIES[1:])
def test_the_judge_does_not_decide_between_people(
    policy: str, settings: dict[str, object], said: str
) -> None:
    desk = Desk(*WON, **settings).does(Act.CANDIDATE, by="kim").does(Act.TIE, by="lee")
    assert (desk.result.figures.final, desk.result.figures.rows) == (Votes(19), 20)
    assert desk.result.figures.alone.candidate == 20


def stakes(*said: str, **review: object) -> Desk:
    """The first row is high stakes."""
    desk = Desk(*said, **review)
    first = desk.facts.data[0]
    desk.facts.data[0] = replace(first, case=replace(first.case, high_stakes=True))
    return desk


def test_a_high_stakes_row_that_people_differ_on_lacks_its_review_until_it_is_settled() -> None:
    desk = stakes(*WON, policy="majority").does(Act.CANDIDATE, by="kim").does(Act.TIE, by="lee")
    assert desk.result.decision is Decision.NEEDS_REVIEW
    assert desk.result.missing == ("c001",)
    money = desk.result.condition("money_paths")
    assert money.state is State.UNKNOWN
    assert money.detail == "1 of 1 high-stakes row is not clear yet, 1 of them since reviewers differ"
    assert (items(desk)["c001"].reason, items(desk)["c001"].done) == ("required", False)
    assert "reviewers differ" in items(desk)["c001"].detail
    assert desk.does(Act.TIE, by="ann").result.decision is Decision.SHIP


def test_nothing_ships_over_a_dispute_on_a_high_stakes_row_that_nobody_had_to_read() -> None:
    desk = stakes(*WON, policy="majority", require="never")
    assert desk.result.decision is Decision.SHIP
    desk.does(Act.CANDIDATE, by="kim").does(Act.TIE, by="lee")
    assert desk.result.decision is not Decision.SHIP


def test_under_the_latest_a_dispute_is_told_and_settled() -> None:
    desk = stakes(*WON).does(Act.TIE, by="kim").does(Act.CANDIDATE, by="lee")
    assert desk.result.decision is Decision.SHIP
    assert reviews(desk)["disputed"] == ["c001"]
    assert (items(desk)["c001"].reason, items(desk)["c001"].done) == ("required", True)


def test_a_dispute_stands_in_the_queue_before_every_flip_and_after_signatures() -> None:
    desk = Desk("cb", "cc", "ct", policy="majority").does(Act.TIE, by="kim", row=2)
    assert [item.reason for item in queue(desk.evidence, desk.result)][-1] != "disputed"
    desk.does(Act.CANDIDATE, by="lee", row=2)
    first = queue(desk.evidence, desk.result)[0]
    assert (first.case_id, first.reason, first.done) == ("c002", "disputed", False)


def test_an_override_by_two_is_one_override() -> None:
    desk = Desk(*WON, policy="majority").does(Act.TIE, by="kim").does(Act.TIE, by="lee")
    assert (reviews(desk)["reviewed"], reviews(desk)["overrides"]) == (1, 1)


AUDITED = {"audit": 0.1, "high_stakes_tags": ()}


def test_a_share_of_the_rows_that_the_judge_decided_is_drawn() -> None:
    desk = Desk(*["cc"] * 15, *["tt"] * 6, *["cb"] * 9, **AUDITED)
    drawn = desk.evidence.audit
    assert len(drawn) == 3  # a tenth of 21, rounded up
    assert {row.outcome.value for row in desk.evidence.rows if row.case_id in drawn} <= {"win", "tie"}
    asked = {item.case_id for item in items(desk).values() if item.reason == "audit"}
    assert asked == drawn
    assert reviews(desk)["audit"] == {"asked": 3, "done": 0}


def test_nothing_is_drawn_unless_it_is_asked_for() -> None:
    assert Desk(*WON).evidence.audit == frozenset()


def test_the_sample_stays_while_people_review_and_is_done_by_anybodys_vote() -> None:
    desk = Desk(*WON, **AUDITED, policy="majority")
    drawn = desk.evidence.audit
    for number, case in enumerate(sorted(drawn)):
        row = int(case[1:])
        desk.does(Act.TIE, by="kim", row=row)
        if number == 0:
            desk.does(Act.CANDIDATE, by="lee", row=row)
    assert desk.evidence.audit == drawn
    assert reviews(desk)["audit"] == {"asked": 2, "done": 2}


def test_what_was_confirmed_unread_counts_neither_for_the_audit_nor_for_the_judge() -> None:
    desk = Desk(*WON, **AUDITED, second_look=1.0)
    first, second = sorted(desk.evidence.audit)
    for case in (first, second):
        desk.does(Act.CONFIRM, by="kim", row=int(case[1:]), bulk="confirm at once")
    assert reviews(desk)["audit"] == {"asked": 2, "done": 0}
    assert [items(desk)[case].done for case in (first, second)] == [False, False]
    accuracy = desk.result.figures.accuracy
    assert (accuracy.audit.n, accuracy.reviews.n) == (0, 0)
    assert second_looks(desk.evidence, desk.facts.log, "kim") == frozenset()
    desk.does(Act.CONFIRM, by="lee", row=int(first[1:]))
    assert reviews(desk)["audit"] == {"asked": 2, "done": 1}
    assert items(desk)[first].done


def test_rows_that_were_read_are_told_from_rows_that_were_confirmed_unread() -> None:
    desk = Desk(*WON)
    assert honest.read(desk.result.figures).value == f"none of {len(WON)} rows"
    desk.does(Act.CONFIRM, row=1, bulk="confirm at once").does(Act.CONFIRM, row=2, bulk="confirm at once")
    said = f"none of {len(WON)} rows, 2 confirmed in bulk, unread"
    assert honest.read(desk.result.figures).value == said
    desk.does(Act.CONFIRM, by="lee", row=2).does(Act.CONFIRM, by="lee", row=3)
    assert (reviews(desk)["reviewed"], reviews(desk)["read"], reviews(desk)["unread"]) == (3, 2, 1)


def test_the_audit_is_asked_for_and_not_required() -> None:
    desk = Desk(*WON, **AUDITED)
    assert (desk.result.decision, desk.result.missing) == (Decision.SHIP, ())


def test_the_audit_comes_before_rows_that_are_merely_close_and_keeps_the_judge_out_of_its_order() -> None:
    desk = Desk(*["bb", "cc"] * 20, **AUDITED)
    assert desk.result.figures.close
    reasons = [item.reason for item in queue(desk.evidence, desk.result)]
    assert reasons == ["audit"] * 4 + ["close"] * 36
    audited = [item.case_id for item in queue(desk.evidence, desk.result)[:4]]
    assert audited == sorted(audited)


def test_a_row_that_is_flagged_and_sampled_and_disputed_and_overridden_counts_once() -> None:
    desk = stakes(*["cc"] * 10, audit=1.0).does(Act.TIE, by="kim").does(Act.BASELINE, by="lee")
    told = reviews(desk)
    assert (told["reviewed"], told["overrides"], told["audit"]) == (1, 1, {"asked": 10, "done": 1})
    assert len(queue(desk.evidence, desk.result)) == 10
    accuracy = desk.result.figures.accuracy
    assert (accuracy.audit.n, accuracy.reviews.n) == (1, 1)
    assert accuracy.audit.right == 0


def test_settling_a_dispute_that_carries_the_decision_is_marked_in_the_queue() -> None:
    desk = Desk(*["cc"] * 10, policy="majority").does(Act.CANDIDATE, by="kim").does(Act.TIE, by="lee")
    result = desk.result
    assert result.condition("enough_evidence").detail == "9 rows are decided, 10 needed"
    assert impact(desk.evidence, result) == {1}
    assert desk.does(Act.CANDIDATE, by="ann").result.decision is Decision.SHIP
