"""What an act asks for first, and what it leads to, without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.shop import AT, fill

from bothways.app.desk.review.book import Book
from bothways.app.desk.review.conduct import Conduct, Words
from bothways.app.desk.review.look import load
from bothways.app.desk.review.session import ReviewSession
from bothways.engine.errors import ReasonWanted
from bothways.engine.review import Act
from bothways.store import Store, open_store

AGREED = "r-00000"  # both passes name the candidate


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(fill(tmp_path / "desk.db", 24)) as store:
        yield store


def at(store: Store, case: str, *, blind: bool = False) -> tuple[ReviewSession, Conduct]:
    session = ReviewSession(load(store, "plain line", None, None, "kim", blind=blind))
    assert session.work.reach(case)
    return session, Conduct(session, Book(store, session, lambda: AT))


@pytest.mark.parametrize(
    ("what", "wants"),
    [(Act.BASELINE, "reason"), (Act.CANDIDATE, None), (Act.CONFIRM, None), (Act.SKIP, "skip"),
     (Act.NOTE, "note")],
)  # fmt: skip
def test_an_act_asks_for_the_words_that_it_cannot_do_without(
    store: Store, what: Act, wants: Words | None
) -> None:
    assert at(store, AGREED)[1].wants(what) == wants


def test_a_blind_reader_overrides_nothing_that_they_know_of(store: Store) -> None:
    assert at(store, AGREED, blind=True)[1].wants(Act.BASELINE) is None


@pytest.mark.parametrize(
    ("what", "words", "written"),
    [(Act.BASELINE, "wrong date", ("", "wrong date")), (Act.CANDIDATE, "kinder", ("kinder", "")),
     (Act.SKIP, "ask Ann", ("", "ask Ann")), (Act.NOTE, "look", ("look", ""))],
)  # fmt: skip
def test_words_are_the_reason_where_one_is_wanted_and_a_note_else(
    store: Store, what: Act, words: str, written: tuple[str, str]
) -> None:
    body = at(store, AGREED)[1].say(what, words).record.body
    assert (body["note"], body["reason"]) == written


@pytest.mark.parametrize("what", [Act.BASELINE, Act.SKIP])
def test_without_a_reason_that_is_wanted_nothing_is_put_on_record(store: Store, what: Act) -> None:
    session, conduct = at(store, AGREED)
    with pytest.raises(ReasonWanted):
        conduct.say(what)
    assert session.records_on(AGREED) == []


@pytest.mark.parametrize(
    ("what", "blind", "then"),
    [(Act.CANDIDATE, False, "onwards"), (Act.SKIP, True, "onwards"), (Act.NOTE, True, "stay"),
     (Act.TIE, True, "reveal")],
)  # fmt: skip
def test_what_comes_next_follows_the_act(store: Store, what: Act, blind: bool, then: str) -> None:
    assert at(store, AGREED, blind=blind)[1].say(what, "words").then == then


def test_a_blind_vote_reveals_whose_answers_they_were(store: Store) -> None:
    session, conduct = at(store, AGREED, blind=True)
    conduct.say(Act.TIE)
    assert "left is v" in session.told
