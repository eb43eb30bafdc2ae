"""Both orders, keys of what the judge sees, and what two verdicts add up to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import TIE, Answer, Case, Message, ToolCall
from bothways.engine.ledger import AnswerRef, PassUnit
from bothways.engine.methods.base import Comparison, Row
from bothways.engine.methods.pair import Pair, mapped
from bothways.engine.verdicts import Outcome, Side, Verdict

JUDGE = Judge(name="judge", model="test/judge")
CASE = Case("r-17", (Message("user", "Where is order 7?"),), "Left on Monday.", "On Monday.")
OLD, NEW = AnswerRef(1, Answer("On its way.").digest), AnswerRef(2, Answer("On Monday.").digest)
BOTH = Comparison(("v4", "v5"))


def method(judge: Judge | None = JUDGE, baseline: str = "v4", *candidates: str) -> Pair:
    others = tuple(Variant(name=name, model="m") for name in candidates or ("v5",))
    return Pair(
        Experiment(name="e", baseline=Variant(name=baseline, model="m"), candidates=others, judge=judge)
    )


def keys(
    case: Case = CASE,
    judge: Judge = JUDGE,
    answers: tuple[AnswerRef, AnswerRef] = (OLD, NEW),
    night: int = 1,
    **tries: int,
) -> set[str]:
    row = Row(1, case, replace(BOTH, night=night), answers, **tries)
    return {unit.key for unit in method(judge).passes(row)}


def test_every_candidate_is_compared_with_the_baseline_on_every_night() -> None:
    assert method(JUDGE, "v4", "v5", "v6").comparisons(2) == (
        Comparison(("v4", "v5"), 1), Comparison(("v4", "v5"), 2),
        Comparison(("v4", "v6"), 1), Comparison(("v4", "v6"), 2),
    )  # fmt: skip
    assert method(None).comparisons(2) == ()


def test_a_row_needs_both_orders_the_baseline_first_at_first() -> None:
    row = Row(7, CASE, Comparison(("v4", "v5"), night=2), (OLD, NEW), take=4, repeat=3)
    first, second = method().passes(row)
    assert first == PassUnit(first.key, 7, "judge", ("v4", "v5"), 1, 2, 3, 4)
    assert second == PassUnit(second.key, 7, "judge", ("v5", "v4"), 2, 2, 3, 4)
    assert first.key != second.key


def test_without_swapping_there_is_the_first_pass_alone() -> None:
    alone = method(JUDGE.model_copy(update={"swap": False}))
    (only,) = alone.passes(Row(1, CASE, BOTH, (OLD, NEW)))
    assert (only.order, only.shown) == (1, ("v4", "v5"))


def test_equal_answers_still_make_two_passes() -> None:
    assert len(keys(answers=(OLD, OLD))) == 2


def test_names_tags_stakes_and_rules_buy_nothing_again() -> None:
    edited = replace(
        CASE, id="other", tags={"path": "refund"}, high_stakes=True, tool_rules=({"forbid": "x"},)
    )
    assert keys(edited) == keys()
    renamed = method(JUDGE, "a", "b").passes(Row(2, CASE, Comparison(("a", "b")), (OLD, NEW)))
    assert {unit.key for unit in renamed} == keys()
    assert keys(judge=JUDGE.model_copy(update={"name": "renamed"})) == keys()


def test_tool_logs_are_not_in_the_key() -> None:
    logged = Answer("On Monday.", tool_calls=(ToolCall("get_order"),)).digest
    assert keys(answers=(OLD, AnswerRef(3, logged))) == keys()


def test_swapping_and_shuffling_buy_nothing_again() -> None:
    assert keys(judge=JUDGE.model_copy(update={"shuffle": False})) == keys()
    assert keys(judge=JUDGE.model_copy(update={"swap": False})) < keys()


def test_cost_and_duration_are_in_the_key_where_the_judge_sees_them() -> None:
    cheap, dear = replace(NEW, cost_usd=0.001, duration_s=1.0), replace(NEW, cost_usd=9.0, duration_s=60.0)
    assert keys(answers=(OLD, cheap)) == keys(answers=(OLD, dear))
    for what in ("cost", "duration"):
        judge = JUDGE.model_copy(update={"show": (what,)})
        assert not keys(judge=judge, answers=(OLD, cheap)) & keys(judge=judge, answers=(OLD, dear))


def test_whatever_the_judge_sees_is_in_the_key() -> None:
    others = [
        keys(replace(CASE, messages=(Message("user", "Where is order 8?"),))),
        keys(replace(CASE, context="Left on Tuesday.")),
        keys(replace(CASE, reference="On Tuesday.")),
        keys(judge=JUDGE.model_copy(update={"prompt": "Be severe."})),
        keys(judge=JUDGE.model_copy(update={"model": "test/other"})),
        keys(answers=(NEW, OLD)),
        keys(night=2),
        keys(repeat=2),
        keys(take=2),
    ]
    assert len(set().union(keys(), *others)) == 2 * (len(others) + 1)


def test_asking_for_the_other_order_later_buys_that_one_alone() -> None:
    first = keys(judge=JUDGE.model_copy(update={"swap": False}))
    assert len(first) == 1
    assert first < keys()
    assert keys(judge=JUDGE.model_copy(update={"shuffle": True})) == keys()


def test_a_reference_that_is_kept_back_is_not_in_the_key() -> None:
    merits = JUDGE.model_copy(update={"golden": "none"})
    assert keys(replace(CASE, reference="changed"), merits) == keys(CASE, merits)


@pytest.mark.parametrize(
    ("choice", "shown", "variant"),
    [(0, ("v4", "v5"), "v4"), (0, ("v5", "v4"), "v5"), (1, ("v5", "v4"), "v4"), (TIE, ("v5", "v4"), "tie"),
     (None, ("v4", "v5"), None), (2, ("v4", "v5", "v6"), "v6")],
)  # fmt: skip
def test_a_choice_is_mapped_by_the_order_shown(
    choice: int | None, shown: tuple[str, ...], variant: str | None
) -> None:
    assert mapped(choice, shown, {name: name for name in shown}) == variant


def test_a_tie_is_told_by_its_choice_also_where_a_variant_has_that_name() -> None:
    shown = ("tie", "v5")
    assert mapped(TIE, shown, {"tie": "baseline", "v5": "candidate"}) == "tie"
    assert mapped(0, shown, {"tie": "baseline", "v5": "candidate"}) == "baseline"


@pytest.mark.parametrize(
    ("first", "second", "adds_up_to"),
    [
        ("candidate", "candidate", (Outcome.WIN, "candidate")),
        ("baseline", "baseline", (Outcome.WIN, "baseline")),
        ("tie", "tie", (Outcome.TIE, None)),
        ("candidate", "baseline", (Outcome.FLIP_HARD, None)),
        ("candidate", "tie", (Outcome.FLIP_SOFT, None)),
        ("baseline", "tie", (Outcome.FLIP_SOFT, None)),
        (None, "candidate", (Outcome.UNANSWERED, None)),
        (None, "tie", (Outcome.UNANSWERED, None)),
        (None, None, (Outcome.UNANSWERED, None)),
    ],
)
def test_two_verdicts_add_up_in_either_order(
    first: Verdict | None, second: Verdict | None, adds_up_to: tuple[Outcome, Side | None]
) -> None:
    assert Pair.outcome((first, second)) == adds_up_to
    assert Pair.outcome((second, first)) == adds_up_to


@pytest.mark.parametrize(
    ("only", "outcome"),
    [("candidate", Outcome.ONE_PASS), ("tie", Outcome.ONE_PASS), (None, Outcome.UNANSWERED)],
)
def test_one_pass_alone_decides_nothing(only: Verdict | None, outcome: Outcome) -> None:
    assert Pair.outcome((only,)) == (outcome, None)
