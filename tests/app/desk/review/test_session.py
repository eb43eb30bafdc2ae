from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.app.shop import AT, fill

from bothways.app.desk.review.book import Book
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.look import load
from bothways.app.desk.review.order import ORDERS, Order
from bothways.app.desk.review.rowline import headline, progress, to_do
from bothways.app.desk.review.session import ReviewSession
from bothways.engine.analysis.model import ToolState
from bothways.engine.errors import RefusedError
from bothways.engine.lots import sides
from bothways.engine.review import Act
from bothways.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(fill(tmp_path / "desk.db", 24)) as store:
        yield store


@pytest.fixture
def session(store: Store) -> ReviewSession:
    return opened(store)


def opened(store: Store, reviewer: str = "kim", *, blind: bool = False) -> ReviewSession:
    return ReviewSession(load(store, "plain line", None, None, reviewer, blind=blind))


def book(session: ReviewSession, store: Store) -> Book:
    return Book(store, session, lambda: AT)


def say(session: ReviewSession, store: Store, what: Act, *, reason: str = "") -> None:
    book(session, store).say(what, reason=reason)


def test_the_worst_row_comes_first(session: ReviewSession) -> None:
    assert session.work.item is not None
    assert (session.work.item.case_id, session.work.item.reason) == ("r-00009", "required")


def test_an_act_shows_at_once_and_is_in_the_evidence(session: ReviewSession, store: Store) -> None:
    say(session, store, Act.CANDIDATE)
    row = session.work.current
    assert row.final == "candidate"
    assert session.work.item is not None
    assert not session.work.knows(session.work.item).open
    assert next(r for r in session.work.snapshot().rows if r.row_id == row.row_id).final == "candidate"


def test_what_the_session_thinks_is_what_the_store_says(session: ReviewSession, store: Store) -> None:
    for what in (Act.CANDIDATE, Act.TIE, Act.BOTH_BAD, Act.UNDO, Act.REDO, Act.SKIP):
        if what is Act.UNDO or what is Act.REDO:
            book(session, store).retrace("undo" if what is Act.UNDO else "redo")
        else:
            say(session, store, what, reason="ask Ann" if what is Act.SKIP else "")
            session.work.advance()
    fresh = load(store, "plain line", None, None, "kim")
    assert list(session.work.snapshot().rows) == list(fresh.evidence.rows)
    judged = session.work.question().answer()
    result = judged.result
    assert replace(result.figures, facts_hash=fresh.evidence.facts_hash) == fresh.result.figures
    assert (result.decision, result.conditions) == (fresh.result.decision, fresh.result.conditions)
    assert session.work.settle(judged)
    assert sum(session.work.tally.left.values()) == sum(not item.done for item in fresh.items)


def test_what_is_said_while_the_gate_is_asked_changes_no_question_and_is_counted_with_its_answer(
    session: ReviewSession, store: Store
) -> None:
    question = session.work.question()
    said = session.work.current
    say(session, store, Act.CANDIDATE)
    assert next(row for row in question.evidence.rows if row.row_id == said.row_id).standing is None
    assert session.work.settle(question.answer())
    fresh = load(store, "plain line", None, None, "kim")
    assert sum(session.work.tally.left.values()) == sum(not item.done for item in fresh.items)


def test_the_next_undecided_row_is_never_a_decided_one(session: ReviewSession, store: Store) -> None:
    seen = []
    for _ in range(3):
        seen.append(session.work.current.case_id)
        say(session, store, Act.CANDIDATE)
        assert session.work.advance()
    assert len(set(seen)) == 3
    assert session.work.current.case_id not in seen
    assert session.work.walk.step(-1, undecided=True) is False


def test_swapped_sides_mean_the_other_variant(session: ReviewSession) -> None:
    assert (session.meant("left"), session.meant("right")) == (Act.BASELINE, Act.CANDIDATE)
    session.swap()
    assert (session.meant("left"), session.meant("right")) == (Act.CANDIDATE, Act.BASELINE)


def test_only_a_verdict_against_the_judge_overrides(session: ReviewSession) -> None:
    assert not session.overrides(Act.BASELINE)  # a flip: the judge decided nothing
    session.work.walk.seek("r-00003")
    assert session.work.current.judged == "baseline"
    assert session.overrides(Act.CANDIDATE)
    assert session.overrides(Act.BOTH_BAD)
    assert not session.overrides(Act.BASELINE)
    assert not session.overrides(Act.SKIP)


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("is:flip", 6),
        ("judge:flip tag:refund", 2),
        ("r-0000", 10),
        ("is:done", 0),
        ("tag:path:order", 8),
        ("nothing such", 0),
    ],
)
def test_a_filter_keeps_rows_that_have_every_word(session: ReviewSession, words: str, rows: int) -> None:
    assert session.work.show_only(Filter.of(words)) == rows


def test_an_empty_queue_refuses_every_act_and_says_why(session: ReviewSession, store: Store) -> None:
    session.work.show_only(Filter.of("nothing such"))
    assert session.row is None
    assert not session.work.walk.step(1, undecided=False)
    with pytest.raises(RefusedError, match="no row here"):
        say(session, store, Act.TIE)


def test_other_peoples_reviews_come_in_without_moving_the_reader(
    session: ReviewSession, store: Store
) -> None:
    session.work.walk.seek("r-00021")
    order = [item.case_id for item in session.work.items]
    say(opened(store, "ann"), store, Act.CANDIDATE)
    fresh = session.refreshed(load(store, "plain line", None, None, "kim"))
    fresh.follow(session)
    assert fresh.work.current.case_id == "r-00021"
    assert [item.case_id for item in fresh.work.items] == order
    assert not fresh.work.knows(fresh.work.items[0]).open


def test_the_texts_of_a_filter_are_looked_for_in_the_rows_that_are_there_by_now(
    session: ReviewSession, store: Store
) -> None:
    assert session.work.show_only(Filter.of('"order 17?"')) == 0
    session.work.search(store)
    assert session.work.current.case_id == "r-00017"


def test_before_their_vote_nobody_knows_what_others_said(store: Store) -> None:
    say(opened(store, "ann"), store, Act.CANDIDATE)
    kim = opened(store)
    kim.work.reach("r-00009")
    known = kim.known
    assert known is not None
    assert (known.voices, known.final, known.mine, known.others) == ((), None, None, 1)
    for words in ("final:candidate", "by:ann", "is:mine", "is:override", "is:disputed"):
        assert kim.work.show_only(Filter.of(words)) == 0
    kim.work.show_only(Filter())
    kim.work.reach("r-00009")
    say(kim, store, Act.BASELINE)
    known = kim.known
    assert known is not None
    assert [(voice.reviewer, voice.verdict) for voice in known.voices] == [
        ("ann", "candidate"), ("kim", "baseline"),
    ]  # fmt: skip
    assert known.disputed


def test_a_blind_reader_knows_no_verdict_no_name_and_no_reason_that_tells(store: Store) -> None:
    session = opened(store, blind=True)
    known = [session.work.knows(item) for item in session.work.items]
    assert {row.reason for row in known} <= {"required", "tools", "to read"}
    assert {(row.judge, row.outcome, row.judged, row.final, row.decides) for row in known} == {
        ("", "", None, None, False)
    }
    assert [row.position for row in known if row.high_stakes] == sorted(
        row.position for row in known if row.high_stakes
    )


def test_blind_sides_are_drawn_by_lot_and_recorded(store: Store) -> None:
    session = opened(store, blind=True)
    lefts = set()
    for _ in range(8):
        left = session.sides[0]
        assert left == sides("plain line", "v5", session.work.current.case_id, "kim")[0]
        say(session, store, session.meant("left"))
        body = store.records("plain line", "review")[-1].body
        assert (body["left"], body["verdict"], body["blind"]) == (left, left, True)
        lefts.add(left)
        session.work.advance()
    assert lefts == {"baseline", "candidate"}


def test_once_revealed_a_row_stays_revealed_and_another_vote_is_a_change_of_mind(store: Store) -> None:
    session = opened(store, blind=True)
    case_id = session.work.current.case_id
    say(session, store, session.meant("left"))
    book(session, store).retrace("undo")
    session.work.reach(case_id)
    assert session.known is not None
    assert not session.known.veiled
    say(session, store, session.meant("right"), reason="now that I see")
    body = store.records("plain line", "review")[-1].body
    assert (body["blind"], body["changed_mind"]) == (False, True)


def test_agreed_rows_are_confirmed_at_once_and_taken_back_at_once(store: Store) -> None:
    session = opened(store)
    bulk = book(session, store).bulk()
    agreed = [
        row
        for row in session.evidence.rows
        if row.judged and not row.high_stakes and row.tools is ToolState.SAME
    ]
    assert {row.case_id for row in bulk.rows} == {row.case_id for row in agreed}
    assert sum(bulk.left_out.values()) + len(bulk.rows) == 24
    for record in book(session, store).confirm(bulk):
        session.took(record)
    assert session.work.tally.done == len(bulk.rows)
    assert len(book(session, store).retrace("undo")) == len(bulk.rows)
    assert session.work.tally.done == 0
    assert len(book(session, store).retrace("redo")) == len(bulk.rows)
    assert session.work.tally.done == len(bulk.rows)
    fresh = load(store, "plain line", None, None, "kim")
    assert list(session.work.snapshot().rows) == list(fresh.evidence.rows)


def test_nothing_is_confirmed_at_once_where_one_row_has_changed(store: Store) -> None:
    session = opened(store)
    bulk = book(session, store).bulk()
    other = opened(store, "ann")
    other.work.reach(bulk.rows[2].case_id)
    say(other, store, Act.CONFIRM)
    with pytest.raises(RefusedError, match=f"{bulk.rows[2].case_id} is not as it was"):
        book(session, store).confirm(bulk)
    assert len(store.records("plain line", "review")) == 1


def test_what_was_said_while_the_question_stood_there_is_not_overruled_once_the_screen_knows_it(
    store: Store,
) -> None:
    asked = opened(store)
    bulk = book(asked, store).bulk()
    other = opened(store, "ann")
    other.work.reach(bulk.rows[2].case_id)
    say(other, store, Act.BOTH_BAD, reason="neither answers")
    refreshed = asked.refreshed(load(store, "plain line", None, None, "kim"))
    with pytest.raises(RefusedError, match="is not as it was"):
        book(refreshed, store).confirm(bulk)
    assert len(store.records("plain line", "review")) == 1


def test_the_audit_is_not_confirmed_unread(tmp_path: Path) -> None:
    with open_store(fill(tmp_path / "audit.db", 24, audit=0.5)) as store:
        session = opened(store)
        bulk = book(session, store).bulk()
        assert session.evidence.audit
        assert not session.evidence.audit & {row.case_id for row in bulk.rows}
        assert bulk.left_out["drawn for the audit: read one by one"] > 0


def test_a_vote_is_not_blind_on_a_row_that_was_shown_with_names_and_judge(store: Store) -> None:
    session = opened(store)
    assert session.sides == ("baseline", "candidate")  # as the screen lays them out
    session.work.set_blind(True)
    assert session.known is not None
    assert session.known.veiled
    say(session, store, session.meant("left"))
    assert session.work.advance()
    say(session, store, session.meant("left"))
    assert [one.body["blind"] for one in store.records("plain line", "review")] == [False, True]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_keeps_the_row_and_every_row(session: ReviewSession, order: Order) -> None:
    session.work.walk.seek("r-00012")
    before = {item.case_id for item in session.work.items}
    session.work.set_order(order)
    assert session.work.current.case_id == "r-00012"
    assert {item.case_id for item in session.work.items} == before


def test_orders_are_what_they_are_called(session: ReviewSession) -> None:
    session.work.set_order("file order")
    assert [session.work.row_of(item).position for item in session.work.items] == list(range(24))
    session.work.set_order("by tag")
    tags = [session.work.row_of(item).tags["path"] for item in session.work.items]
    assert tags == sorted(tags)


def test_a_filter_that_hides_the_row_leads_to_the_first_that_waits(
    session: ReviewSession, store: Store
) -> None:
    session.work.show_only(Filter.of("judge:cand"))
    first, second = (item.case_id for item in session.work.items[:2])
    session.work.reach(first)
    say(session, store, Act.CONFIRM)
    session.work.show_only(Filter.of("judge:tie"))
    session.work.show_only(Filter.of("judge:cand"))
    assert session.work.current.case_id == second


def test_a_filter_that_shows_the_row_stays_at_it(session: ReviewSession) -> None:
    here = session.work.items[7].case_id
    session.work.reach(here)
    session.work.show_only(Filter.of("r-"))
    assert session.work.current.case_id == here


def test_the_counts_tell_all_rows_from_those_that_a_filter_shows(
    session: ReviewSession, store: Store
) -> None:
    session.work.show_only(Filter.of("tag:refund is:hard"))
    assert len(session.work.items) == 1
    say(session, store, Act.TIE)
    assert progress(session) == "1/24 decided (filter shows 1)"
    assert to_do(session) == "none left here, 23 elsewhere"


def test_what_is_left_to_do_comes_before_how_the_rows_are_looked_at(session: ReviewSession) -> None:
    session.work.show_only(Filter.of("tag:refund"))
    progressed, left, wanted, *_ = headline(session)
    assert (progressed, left) == (progress(session), to_do(session))
    assert wanted == "filter tag:refund"


def test_notes_alone_decide_nothing(session: ReviewSession, store: Store) -> None:
    book(session, store).say(Act.NOTE, note="hm")
    assert session.work.tally.done == 0
    assert session.work.show_only(Filter.of("note:hm -is:done")) == 1
