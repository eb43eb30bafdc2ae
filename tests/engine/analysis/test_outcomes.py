"""What a row's answers and passes add up to: mapped first, compared after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bothways.engine.analysis.outcomes import Asked, Judged, judged
from bothways.engine.facts import Failure, FailureKind
from bothways.engine.ledger import AnswerFact, PassFact
from bothways.engine.verdicts import Outcome

ASKED = Asked("old", "new")
BROKEN = Failure(FailureKind.TIMEOUT, "no reply")


def answer(variant: str, *, night: int = 1, failure: Failure | None = None, tried: bool = True) -> AnswerFact:
    there = 1 if tried and failure is None else None
    slot = 0 if variant == "old" else 1
    return AnswerFact(1, variant, slot, night, 1, there, failure, "d", "t", "")


def one_pass(
    first: str, choice: int | None, *, night: int = 1, take: int = 1, tried: bool = True
) -> PassFact:
    shown = ("old", "new") if first == "old" else ("new", "old")
    return PassFact(1, "j", shown, 1 if first == "old" else 2, night, 1, take, tried, choice, None)


def both(first: str, second: str, *, night: int = 1, take: int = 1) -> list[PassFact]:
    """Two passes as letters: o(ld), n(ew), t(ie), u(nreadable), - (not tried)."""
    place = {"t": -1, "u": None, "-": None}
    return [
        one_pass("old", {"o": 0, "n": 1, **place}[first], night=night, take=take, tried=first != "-"),
        one_pass("new", {"n": 0, "o": 1, **place}[second], night=night, take=take, tried=second != "-"),
    ]


def of(passes: list[PassFact], asked: Asked = ASKED) -> Judged:
    nights = sorted({fact.night for fact in passes} | {1})
    return judged([answer("old")], [answer("new", night=night) for night in nights], passes, asked)


@pytest.mark.parametrize(
    ("first", "second", "outcome", "winner"),
    [
        ("n", "n", Outcome.WIN, "candidate"),
        ("o", "o", Outcome.WIN, "baseline"),
        ("t", "t", Outcome.TIE, None),
        ("n", "o", Outcome.FLIP_HARD, None),
        ("o", "n", Outcome.FLIP_HARD, None),
        ("n", "t", Outcome.FLIP_SOFT, None),
        ("t", "o", Outcome.FLIP_SOFT, None),
        ("u", "n", Outcome.UNANSWERED, None),
        ("u", "u", Outcome.UNANSWERED, None),
        ("n", "-", Outcome.PENDING, None),
    ],
)
def test_two_passes(first: str, second: str, outcome: Outcome, winner: str | None) -> None:
    found = of(both(first, second))
    assert (found.outcome, found.winner) == (outcome, winner)


def test_the_first_place_both_times_is_a_flip_and_no_agreement() -> None:
    """The bug to fear: both passes said “first”, which names different variants."""
    found = of([one_pass("old", 0), one_pass("new", 0)])
    assert found.outcome is Outcome.FLIP_HARD
    assert (found.first, found.second) == ("baseline", "candidate")


def test_the_order_of_arrival_does_not_matter() -> None:
    assert of(both("n", "t")[::-1]) == of(both("n", "t"))


@pytest.mark.parametrize(
    ("old", "new", "outcome", "failed"),
    [
        (BROKEN, None, Outcome.ERROR, ("baseline",)),
        (None, BROKEN, Outcome.ERROR, ("candidate",)),
        (BROKEN, BROKEN, Outcome.ERROR, ("baseline", "candidate")),
    ],
)
def test_a_missing_answer_is_an_error_with_its_side(
    old: Failure | None, new: Failure | None, outcome: Outcome, failed: tuple[str, ...]
) -> None:
    found = judged([answer("old", failure=old)], [answer("new", failure=new)], [], ASKED)
    assert (found.outcome, found.failed) == (outcome, failed)


def test_what_was_not_tried_is_pending() -> None:
    assert judged([answer("old")], [answer("new", tried=False)], [], ASKED).outcome is Outcome.PENDING
    assert judged([answer("old")], [], [], ASKED).outcome is Outcome.PENDING
    assert of([]).outcome is Outcome.PENDING


def test_one_order_alone() -> None:
    single = [one_pass("old", 1)]
    assert of(single).outcome is Outcome.PENDING
    assert of(single, replace(ASKED, both_orders=False)).outcome is Outcome.ONE_PASS
    assert of(single, replace(ASKED, imported=True)).outcome is Outcome.ONE_PASS
    unread = [one_pass("old", None)]
    assert of(unread, replace(ASKED, imported=True)).outcome is Outcome.UNANSWERED


def test_an_import_without_this_judge_has_nothing_to_wait_for() -> None:
    assert of([], replace(ASKED, imported=True)).outcome is Outcome.UNANSWERED


def test_the_newest_complete_take_counts() -> None:
    asked = replace(ASKED, takes=2)
    older, newer = both("n", "n"), both("o", "o", take=2)
    assert of([*older, *newer], asked).winner == "baseline"
    half = of([*older, *both("o", "-", take=2)], asked)
    assert (half.winner, half.take) == ("candidate", 1)


@pytest.mark.parametrize(
    ("nights", "outcome", "winner"),
    [
        (["nn", "nn", "oo"], Outcome.WIN, "candidate"),
        (["nn", "oo"], Outcome.FLIP_NIGHTS, None),
        (["nn", "oo", "tt"], Outcome.FLIP_NIGHTS, None),
        (["no", "no", "nn"], Outcome.FLIP_HARD, None),
        (["nn", "uu", "nn"], Outcome.WIN, "candidate"),
        (["nn", "uu"], Outcome.UNANSWERED, None),
        (["nn", "--"], Outcome.PENDING, None),
    ],
)
def test_several_nights_count_once(nights: list[str], outcome: Outcome, winner: str | None) -> None:
    passes = [fact for night, said in enumerate(nights, 1) for fact in both(said[0], said[1], night=night)]
    found = of(passes, replace(ASKED, nights=len(nights)))
    assert (found.outcome, found.winner) == (outcome, winner)


@pytest.mark.parametrize(
    ("silent", "outcome", "failed"),
    [
        ([2], Outcome.WIN, ()),
        ([1, 2], Outcome.ERROR, ("candidate",)),
        ([1, 2, 3], Outcome.ERROR, ("candidate",)),
    ],
)
def test_a_side_failed_only_where_the_nights_add_up_to_an_error(
    silent: list[int], outcome: Outcome, failed: tuple[str, ...]
) -> None:
    said = {night: None if night not in silent else BROKEN for night in (1, 2, 3)}
    new = [answer("new", night=night, failure=failure) for night, failure in said.items()]
    passes = [fact for night in (1, 2, 3) if night not in silent for fact in both("n", "n", night=night)]
    found = judged([answer("old")], new, passes, replace(ASKED, nights=3))
    assert (found.outcome, found.failed) == (outcome, failed)


def test_a_night_that_is_asked_for_and_has_nothing_yet_is_pending() -> None:
    found = of(both("n", "n"), replace(ASKED, nights=2))
    assert found.outcome is Outcome.PENDING


def test_passes_over_other_variants_are_not_looked_at() -> None:
    other = one_pass("old", 0)._replace(shown=("old", "third"))
    assert of(ASKED.over([*both("n", "n"), other])).winner == "candidate"
