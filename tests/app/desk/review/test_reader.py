"""Whose rows wait for whom, under every rule of what counts where reviewers differ."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from tests.app.shop import AT, EXPERIMENT, row

from bothways.app.desk.review.book import Book
from bothways.app.desk.review.filter import Filter
from bothways.app.desk.review.known import Known
from bothways.app.desk.review.look import load
from bothways.app.desk.review.rowline import progress, to_do
from bothways.app.desk.review.session import ReviewSession
from bothways.app.desk.review.told import told_after, told_of_retrace
from bothways.engine.experiment import ReviewSettings
from bothways.engine.review import Act
from bothways.store import Store, open_store

CASE = "r-00001"  # a hard flip, of no high stakes


def filled(tmp_path: Path, settings: ReviewSettings) -> Store:
    store = open_store(tmp_path / "desk.db")
    store.take(EXPERIMENT.model_copy(update={"review": settings}), map(row, range(8)), AT)
    return store


def seen(store: Store, reviewer: str) -> tuple[ReviewSession, Known]:
    session = ReviewSession(load(store, "plain line", None, None, reviewer))
    session.work.reach(CASE)
    assert session.known is not None
    return session, session.known


def says(store: Store, reviewer: str, what: Act) -> None:
    session, _ = seen(store, reviewer)
    Book(store, session, lambda: AT).say(what)


@pytest.mark.parametrize(
    ("settings", "waits"),
    [
        (ReviewSettings(policy="latest"), {"ann": False, "ben": False, "kim": False}),
        (ReviewSettings(policy="majority"), {"ann": False, "ben": True, "kim": True}),
        (ReviewSettings(policy="adjudicator", adjudicator="kim"), {"ann": False, "ben": True, "kim": False}),
    ],
    ids=["latest", "majority", "adjudicator"],
)
def test_after_one_verdict_a_row_waits_for_those_whose_own_still_counts(
    tmp_path: Path, settings: ReviewSettings, waits: dict[str, bool]
) -> None:
    with filled(tmp_path, settings) as store:
        says(store, "ann", Act.CANDIDATE)
        assert {name: seen(store, name)[1].open for name in waits} == waits


@pytest.mark.parametrize(
    ("settings", "waits", "told"),
    [
        (ReviewSettings(policy="latest"), {"kim": False, "eve": False}, {"ann", "ben"}),
        (ReviewSettings(policy="majority"), {"kim": True, "eve": True}, {"ann", "ben"}),
        (
            ReviewSettings(policy="adjudicator", adjudicator="kim"),
            {"kim": True, "eve": True},
            {"ann", "ben", "kim"},
        ),
    ],
    ids=["latest", "majority", "adjudicator"],
)
def test_a_dispute_is_told_to_those_who_voted_and_to_the_adjudicator(
    tmp_path: Path, settings: ReviewSettings, waits: dict[str, bool], told: set[str]
) -> None:
    with filled(tmp_path, settings) as store:
        says(store, "ann", Act.CANDIDATE)
        says(store, "ben", Act.BASELINE)
        for name in ("ann", "ben", "kim", "eve"):
            session, known = seen(store, name)
            assert known.disputed is (name in told)
            assert (known.reason == "disputed") is (name in told)
            assert session.work.show_only(Filter.of("is:disputed")) == (name in told)
            assert bool(known.voices) is (name in ("ann", "ben"))
        assert {name: seen(store, name)[1].open for name in waits} == waits


def test_the_adjudicators_verdict_settles_a_dispute(tmp_path: Path) -> None:
    with filled(tmp_path, ReviewSettings(policy="adjudicator", adjudicator="kim")) as store:
        says(store, "ann", Act.CANDIDATE)
        says(store, "ben", Act.BASELINE)
        says(store, "kim", Act.BASELINE)
        _, known = seen(store, "kim")
        assert (known.open, known.final, known.disputed) == (False, "baseline", False)


def test_what_others_noted_is_not_known_before_the_vote(tmp_path: Path) -> None:
    with filled(tmp_path, ReviewSettings()) as store:
        session, _ = seen(store, "ann")
        Book(store, session, lambda: AT).say(Act.NOTE, note="v5 is kinder")
        session, known = seen(store, "kim")
        assert known.note == ""
        assert session.work.show_only(Filter.of("note:kinder")) == 0


def test_where_the_latest_verdict_counts_a_second_reader_walks_what_others_have_decided(
    tmp_path: Path,
) -> None:
    with filled(tmp_path, ReviewSettings()) as store:
        says(store, "ann", Act.CANDIDATE)
        lee, _ = seen(store, "lee")
        assert progress(lee) == "1/8 decided, 0 by you"
        lee.work.show_only(Filter.of(CASE))
        assert to_do(lee) == "none left here, 7 elsewhere"
        assert lee.work.left() == [CASE]
        record = Book(store, lee, lambda: AT).say(Act.BASELINE)[0]
        assert progress(lee) == "1/8 decided (filter shows 1)"
        assert lee.work.left() == []
        assert record.body["reviewer"] == "lee"


LATEST, MAJORITY = ReviewSettings(policy="latest"), ReviewSettings(policy="majority")
EVE_DECIDES = ReviewSettings(policy="adjudicator", adjudicator="eve")
C, B, TIE, BAD = Act.CANDIDATE, Act.BASELINE, Act.TIE, Act.BOTH_BAD
MAJORITY_DECIDES = "differ, and nothing counts until a majority decides."


@pytest.mark.parametrize(
    ("settings", "votes", "told"),
    [
        (LATEST, [("ann", C), ("lee", B)], "ann said v5; yours counts now."),
        (LATEST, [("ann", BAD), ("lee", TIE)], "ann said both bad (counts as a tie); yours counts now."),
        (LATEST, [("ann", C), ("lee", C)], ""),
        (LATEST, [("ann", C), ("lee", B), ("lee", TIE)], ""),
        (LATEST, [("ann", C), ("lee", B), ("lee", Act.CLEAR)], "lee said v4; that of ann counts now."),
        (MAJORITY, [("ann", C), ("lee", B)], f"ann said v5; the two of you {MAJORITY_DECIDES}"),
        (MAJORITY, [("ann", C), ("lee", C), ("lee", B)], f"ann said v5; the two of you {MAJORITY_DECIDES}"),
        (MAJORITY, [("ann", C), ("kim", B), ("ben", C), ("lee", B)],
         f"ben said v5; reviewers {MAJORITY_DECIDES}"),
        (MAJORITY, [("ann", C), ("ben", B), ("lee", C), ("lee", Act.CLEAR)],
         f"ann said v5; reviewers {MAJORITY_DECIDES}"),
        (MAJORITY, [("ann", C), ("ben", B), ("lee", B)], ""),
        (MAJORITY, [("ann", C), ("ben", C), ("lee", B)], ""),
        (MAJORITY, [("ann", C), ("ben", B), ("lee", C), ("lee", B)], "ann said v5; yours counts now."),
        (MAJORITY, [("ann", BAD), ("kim", BAD), ("ben", TIE), ("lee", TIE)],
         "kim said both bad (counts as a tie); yours counts now."),
        (EVE_DECIDES, [("ann", C), ("lee", B)],
         "ann said v5; the two of you differ, and nothing counts until eve decides."),
        (EVE_DECIDES, [("ann", C), ("ben", C), ("lee", B)],
         "ben said v5; reviewers differ, and nothing counts until eve decides."),
        (EVE_DECIDES, [("ann", C), ("eve", B)], "ann said v5; yours counts now."),
        (EVE_DECIDES, [("ann", BAD), ("eve", TIE)],
         "ann said both bad (counts as a tie); yours counts now."),
        (EVE_DECIDES, [("eve", TIE), ("ann", BAD)], ""),
        (EVE_DECIDES, [("ann", C), ("ben", B), ("eve", B)], ""),
    ],
)  # fmt: skip
def test_whose_verdict_no_longer_counts_is_told_after_the_vote_and_who_settles_it(
    tmp_path: Path, settings: ReviewSettings, votes: list[tuple[str, Act]], told: str
) -> None:
    with filled(tmp_path, settings) as store:
        *before, (reader, what) = votes
        for who, said in before:
            says(store, who, said)
        session, _ = seen(store, reader)
        stood = session.work.current.standing
        (record,) = Book(store, session, lambda: AT).say(what)
        assert told_after(session, stood, record).removeprefix("r-00001: ") == told


def test_a_skip_tells_nothing_of_what_others_say_meanwhile(tmp_path: Path) -> None:
    with filled(tmp_path, LATEST) as store:
        says(store, "ann", Act.CANDIDATE)
        lee, _ = seen(store, "lee")
        stood = lee.work.current.standing
        says(store, "ben", Act.BASELINE)
        (record,) = Book(store, lee, lambda: AT).say(Act.SKIP, reason="ask them")
        assert told_after(lee, stood, record) == ""


@pytest.mark.parametrize(
    ("what", "words"),
    [(Act.CANDIDATE, "the verdict “v5”"), (Act.BOTH_BAD, "the verdict “both bad (counts as a tie)”"),
     (Act.NOTE, "the note"), (Act.SKIP, "the skip")],
)  # fmt: skip
def test_what_was_taken_back_and_done_again_is_told(tmp_path: Path, what: Act, words: str) -> None:
    with filled(tmp_path, ReviewSettings()) as store:
        session, _ = seen(store, "ann")
        book = Book(store, session, lambda: AT)
        book.say(what, note="look", reason="why")
        ways: tuple[Literal["undo", "redo"], ...] = ("undo", "redo", "undo")
        told = [told_of_retrace(session, back, book.retrace(back)) for back in ways]
        assert told == [f"{done}: {words} on r-00001." for done in ("Taken back", "Done again", "Taken back")]
