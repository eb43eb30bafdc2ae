from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.desk.shop import AT, fill

from bothways.app.desk.session import ReviewSession, judge_again, load
from bothways.engine.errors import RefusedError
from bothways.engine.review import Act
from bothways.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(fill(tmp_path / "desk.db", 24)) as store:
        yield store


@pytest.fixture
def session(store: Store) -> ReviewSession:
    return ReviewSession(load(store, "plain line", None, None))


def say(session: ReviewSession, store: Store, what: Act, *, reason: str = "") -> None:
    row = session.current
    body = session.body(store, what, reviewer="kim", note="", reason=reason, at=AT)
    session.took(store.append("review", body, AT), store.row(row.row_id))


def test_the_worst_row_comes_first(session: ReviewSession) -> None:
    assert session.item is not None
    assert (session.item.case_id, session.item.reason) == ("r-00009", "required")


def test_an_act_shows_at_once_and_is_in_the_evidence(session: ReviewSession, store: Store) -> None:
    say(session, store, Act.CANDIDATE)
    row = session.current
    assert row.final == "candidate"
    assert session.item is not None
    assert session.item.done
    assert next(r for r in session.snapshot()[0].rows if r.row_id == row.row_id).final == "candidate"


def test_what_the_session_thinks_is_what_the_store_says(session: ReviewSession, store: Store) -> None:
    for what in (Act.CANDIDATE, Act.TIE, Act.BOTH_BAD, Act.UNDO, Act.REDO, Act.SKIP):
        if what is Act.UNDO or what is Act.REDO:
            session.retrace(store, what, "kim")
        say(session, store, what)
        if what not in (Act.UNDO, Act.REDO):
            session.advance()
    fresh = load(store, "plain line", None, None)
    assert list(session.snapshot()[0].rows) == list(fresh.evidence.rows)
    result, changed = judge_again(*session.snapshot())
    assert {**result.figures, "facts_hash": fresh.evidence.facts_hash} == fresh.result.figures
    assert (result.decision, result.conditions) == (fresh.result.decision, fresh.result.conditions)
    session.settle(result, changed)
    assert sum(session.left_over.values()) == sum(not item.done for item in fresh.items)


def test_the_next_undecided_row_is_never_a_decided_one(session: ReviewSession, store: Store) -> None:
    seen = []
    for _ in range(3):
        seen.append(session.current.case_id)
        say(session, store, Act.CANDIDATE)
        assert session.advance()
    assert len(set(seen)) == 3
    assert session.current.case_id not in seen
    assert session.step(-1, undecided=True) is False


def test_swapped_sides_mean_the_other_variant(session: ReviewSession) -> None:
    assert (session.meant("left"), session.meant("right")) == (Act.BASELINE, Act.CANDIDATE)
    session.swapped = True
    assert (session.meant("left"), session.meant("right")) == (Act.CANDIDATE, Act.BASELINE)


def test_only_a_verdict_against_the_judge_overrides(session: ReviewSession) -> None:
    assert not session.overrides(Act.BASELINE)  # a flip: the judge decided nothing
    session.seek("r-00003")
    assert session.current.judged == "baseline"
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
    assert session.set_filter(words) == rows


def test_an_empty_queue_refuses_every_act_and_says_why(session: ReviewSession, store: Store) -> None:
    session.set_filter("nothing such")
    assert session.row is None
    assert not session.step(1, undecided=False)
    with pytest.raises(RefusedError, match="no row here"):
        session.body(store, Act.TIE, reviewer="kim", note="", reason="", at=AT)


def test_other_peoples_reviews_come_in_without_moving_the_reader(
    session: ReviewSession, store: Store
) -> None:
    session.seek("r-00021")
    order = [item.case_id for item in session.items]
    other = ReviewSession(load(store, "plain line", None, None))
    say(other, store, Act.CANDIDATE)
    session.refresh(load(store, "plain line", None, None))
    assert session.current.case_id == "r-00021"
    assert [item.case_id for item in session.items] == order
    assert session.items[0].done
