"""Three-valued conditions against brute force over every completion, and what the gate never does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.engine.gate import definitions
from tests.engine.gate.rows import TRIED, evidence_of, figure, reviewed, rows, specs
from tests.engine.shop import experiment

from bothways.engine.analysis.model import RowEvidence, ToolState
from bothways.engine.analysis.tally import Ties, Votes
from bothways.engine.change import Change
from bothways.engine.experiment import Experiment
from bothways.engine.gate.completions import OpenPasses, OpenVotes, unanimous
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.impact import impact
from bothways.engine.gate.model import Decision, GateResult, State
from bothways.engine.gate.queue import queue
from bothways.engine.standing import Standing
from bothways.engine.text import counted
from bothways.engine.verdicts import Outcome, Side

VERDICTS: tuple[Literal["candidate", "baseline", "tie"], ...] = ("candidate", "baseline", "tie")


def agree(found: list[RowEvidence], spec: Experiment, changes: int | None = 1) -> None:
    """Compare each condition with its definition over every completion, and its words with what is so now."""
    evidence = replace(evidence_of(found, spec), change=Change(changes, "what differs"))
    result = evaluate(evidence)
    seen: dict[str, set[State]] = {}
    for full in definitions.completions(found, spec):
        for name, state in definitions.states(full, spec, changes).items():
            seen.setdefault(name, set()).add(state)
    untried = [row for row in found if definitions.pending(row)]
    seen["complete"] = {State.PASS if found and not untried else State.UNKNOWN}
    assert set(seen) == {condition.name for condition in result.conditions}
    for condition in result.conditions:
        assert condition.state is unanimous(seen[condition.name]), condition
    says_what_is_so_now(found, spec, result)


def says_what_is_so_now(found: list[RowEvidence], spec: Experiment, result: GateResult) -> None:
    read = sum(not definitions.unread(row) for row in found)
    decided = sum(row.final is not None for row in found)
    flips = sum(row.outcome in definitions.FLIPS for row in found)
    twice = sum(row.outcome in definitions.READ_TWICE for row in found)
    assert result.condition("coverage").figures["readable"] == read
    assert result.condition("enough_evidence").figures["decided"] == decided
    assert result.condition("enough_evidence").detail.startswith(
        f"{counted(decided, 'row is', 'rows are')} decided"
    )
    health = result.condition("judge_health")
    assert (health.figures["flips"], health.figures["of"]) == (flips, twice)
    everybody = bool(found) and all(definitions.person(row) for row in found)
    assert ("people decided every row" in health.detail) is everybody
    if result.condition("coverage").state is State.PASS:
        assert result.condition("coverage").detail.startswith(f"{read} of {counted(len(found), 'row')} ")
    reviews = figure(result, "reviews")
    assert (reviews["done"], reviews["required"]) == definitions.done(found, spec)


@settings(max_examples=150, deadline=None)
@given(rows(most=8), specs(), st.sampled_from([1, 1, 0, 2, None]))
def test_every_condition_agrees_with_its_definition_over_all_completions(
    found: list[RowEvidence], spec: Experiment, changes: int | None
) -> None:
    untried = sum(definitions.pending(row) for row in found)
    assume(not (untried and spec.review.require == "when_close"))  # what is close moves with what is tried
    missing = sum(definitions.lacks_verdict(row) for row in found)
    assume(3**missing * len(TRIED) ** untried <= 7_000)
    agree(found, spec, changes)


@pytest.mark.parametrize("outcome", [Outcome.UNANSWERED, Outcome.FLIP_HARD, Outcome.ERROR])
def test_eight_missing_reviews_agree_with_brute_force(outcome: Outcome) -> None:
    agree([stakes(number, outcome) for number in range(8)], experiment(min_decided=8, max_errors=8))


def stakes(number: int, outcome: Outcome) -> RowEvidence:
    """A high-stakes row that nobody has reviewed."""
    return RowEvidence(number, f"c{number}", number, {}, True, outcome, None, None, None)


def test_what_reviews_will_settle_passes_and_says_what_is_so_now() -> None:
    result = evaluate(evidence_of([stakes(number, Outcome.UNANSWERED) for number in range(12)]))
    said = {c.name: (c.state, c.detail) for c in result.conditions}
    owed = "; the 12 reviews outstanding would settle it"
    assert said["coverage"] == (
        State.PASS, f"0 of 12 rows have a readable verdict (0.0 %), 90 % needed{owed}",
    )  # fmt: skip
    assert said["judge_health"] == (State.PASS, f"no row was read both ways{owed}")
    assert said["enough_evidence"] == (State.PASS, f"0 rows are decided, 10 needed{owed}")
    assert result.decision is Decision.NEEDS_REVIEW


def test_rows_without_any_answer_wait_for_the_run_and_not_for_people() -> None:
    """A verdict between two failures is refused: asking for one would wait for ever."""
    failed = [
        stakes(number, Outcome.ERROR)._replace(failed=("baseline", "candidate")) for number in range(12)
    ]
    result = evaluate(evidence_of(failed))
    assert result.decision is Decision.INCONCLUSIVE
    assert (figure(result, "reviews")["done"], figure(result, "reviews")["required"]) == (0, 0)
    money = next(c for c in result.conditions if c.name == "money_paths")
    assert (money.state, money.resolve) == (State.UNKNOWN, "retry what failed, and review these rows")


def test_no_review_is_done_before_anything_ran() -> None:
    result = evaluate(evidence_of([stakes(number, Outcome.PENDING) for number in range(12)]))
    assert (figure(result, "reviews")["done"], figure(result, "reviews")["required"]) == (0, 12)


def test_one_flip_at_the_start_of_a_run_condemns_no_judge() -> None:
    first = RowEvidence(0, "c0", 0, {}, False, Outcome.FLIP_HARD, None, "candidate", "baseline")
    rest = [RowEvidence(n, f"c{n}", n, {}, False, Outcome.PENDING, None, None, None) for n in range(1, 1000)]
    result = evaluate(evidence_of([first, *rest]))
    assert result.condition("judge_health").state is State.UNKNOWN
    assert evaluate(evidence_of([first])).condition("judge_health").state is State.FAIL


@pytest.mark.parametrize(
    ("tools", "signed", "state", "says"),
    [
        (ToolState.NONE, None, State.PASS, "no tool is called"),
        (ToolState.SAME, None, State.PASS, "the tool calls of 3 rows keep their rules"),
        (ToolState.CHANGED, "ok", State.PASS, "3 changed tool uses were signed as right, by kim, lee"),
        (ToolState.CHANGED, None, State.UNKNOWN, "3 cases call other tools"),
        (ToolState.CHANGED, "bad", State.FAIL, "3 tool differences were signed as bad"),
    ],
)
def test_tool_discipline_says_what_was_found_and_who_signed_it(
    tools: ToolState, signed: Literal["ok", "bad"] | None, state: State, says: str
) -> None:
    people = ("kim", "lee", "kim")
    found = [
        row._replace(tools=tools, standing=Standing(tools=signed, signed_by=who) if signed else None)
        for row, who in zip(won_by("candidate", "candidate", "candidate"), people, strict=True)
    ]
    condition = evaluate(evidence_of(found)).condition("tool_discipline")
    assert condition.state is state
    assert condition.detail.startswith(says)


@pytest.mark.parametrize("signed", ["ok", "bad"])
def test_the_judge_alone_signs_no_tool_difference(signed: Literal["ok", "bad"]) -> None:
    sides: list[Side] = ["candidate"] * 12
    found = won_by(*sides)
    unsigned = [found[0]._replace(tools=ToolState.CHANGED), *found[1:]]
    people = [unsigned[0]._replace(standing=Standing(tools=signed, signed_by="kim")), *found[1:]]
    without, beside = (evaluate(evidence_of(one)) for one in (unsigned, people))
    assert without.figures.alone == beside.figures.alone
    assert without.judge_alone is beside.judge_alone is Decision.INCONCLUSIVE


counts = st.integers(0, 6)


@settings(max_examples=300, deadline=None)
@given(
    st.builds(Votes, counts, counts, counts),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["0.60", "0.5", "0", "1", "0.333"]),
    st.sampled_from(["count", "exclude"]),
    st.integers(0, 2),
)
def test_votes_agree_with_brute_force_where_untried_rows_may_stay_undecided(
    votes: Votes, missing: int, untried: int, threshold: str, ties: Ties, margin: int
) -> None:
    bar, open_votes = Fraction(threshold), OpenVotes(votes, missing, untried)
    rates: set[State] = set()
    margins: set[State] = set()
    for said in product(*[VERDICTS] * missing, *[(*VERDICTS, None)] * untried):
        wins = votes.candidate + said.count("candidate")
        of = wins + votes.baseline + said.count("baseline")
        of += votes.tie + said.count("tie") if ties == "count" else 0
        rates.add(State.UNKNOWN if not of else State.PASS if Fraction(wins, of) >= bar else State.FAIL)
        margins.add(State.UNKNOWN if abs(wins - bar * of) <= margin else State.PASS)
    assert open_votes.win_rate(bar, ties) is unanimous(rates)
    assert open_votes.margin(bar, ties, margin) is unanimous(margins)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(-3, 3),
    st.integers(-3, 3),
    st.integers(0, 3),
    st.sampled_from(["0", "0.30", "0.5", "1"]),
)
def test_a_judges_health_agrees_with_brute_force_over_untried_rows(
    flips: int, agreed: int, first: int, second: int, untried: int, most: str
) -> None:
    one_pass = {"candidate": 1, "baseline": -1, "tie": 0, None: 0}
    found: set[State] = set()
    for said in product(product(one_pass, repeat=2), repeat=untried):
        read = [pair for pair in said if None not in pair]
        flipped = flips + sum(a != b for a, b in read)
        ahead = (first + sum(one_pass[a] for a, _ in said), second + sum(one_pass[b] for _, b in said))
        of = flips + agreed + len(read)
        if min(ahead) < 0 < max(ahead) or (of and Fraction(flipped, of) > Fraction(most)):
            found.add(State.FAIL)
        else:
            found.add(State.PASS if of else State.UNKNOWN)
    passes = OpenPasses(flips, flips + agreed, first, second, untried)
    assert passes.health(Fraction(most)) is unanimous(found)


def test_thousands_of_missing_reviews_are_no_trouble() -> None:
    """Whoever went through 3 to the power of 20,000 completions would not come back."""
    votes = Votes(30_000, 20_000, 1_000)
    assert OpenVotes(votes, 20_000).margin(Fraction("0.60"), "count", 1) is State.UNKNOWN
    assert OpenVotes(votes, 20_000).margin(Fraction("0.99"), "count", 1) is State.PASS


@settings(max_examples=100, deadline=None)
@given(rows(), specs(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(
    found: list[RowEvidence], spec: Experiment, shuffle: Random
) -> None:
    other = list(found)
    shuffle.shuffle(other)
    one, two = evaluate(evidence_of(found, spec)), evaluate(evidence_of(other, spec))
    assert one.decision is two.decision
    assert [c.state for c in one.conditions] == [c.state for c in two.conditions]
    assert replace(one.figures, reviews=two.figures.reviews) == two.figures


@settings(max_examples=150, deadline=None)
@given(rows(), specs())
def test_one_more_unreadable_row_never_ships_anything(found: list[RowEvidence], spec: Experiment) -> None:
    extra = RowEvidence(99, "c99", 99, {}, False, Outcome.UNANSWERED, None, None, None)
    after = evaluate(evidence_of([*found, extra], spec)).decision
    assert after is not Decision.SHIP or evaluate(evidence_of(found, spec)).decision is Decision.SHIP


@settings(max_examples=150, deadline=None)
@given(rows(), specs(), st.sampled_from(VERDICTS))
def test_a_review_never_undecides_and_never_saves_what_nothing_could_save(
    found: list[RowEvidence], spec: Experiment, verdict: Literal["candidate", "baseline", "tie"]
) -> None:
    before = evaluate(evidence_of(found, spec))
    assume(before.missing)
    case = before.missing[0]
    after = evaluate(evidence_of([reviewed(r, verdict) if r.case_id == case else r for r in found], spec))
    assert figure(after, "final")["undecided"] <= figure(before, "final")["undecided"]
    assert set(after.missing) == set(before.missing) - {case}
    if before.decision is Decision.DO_NOT_SHIP:
        assert after.decision is Decision.DO_NOT_SHIP


@settings(max_examples=60, deadline=None)
@given(rows(most=7), specs())
def test_impact_names_every_row_whose_review_alone_changes_the_decision(
    found: list[RowEvidence], spec: Experiment
) -> None:
    evidence = evidence_of(found, spec)
    result = evaluate(evidence)
    named, waiting = impact(evidence, result), {*result.missing, *result.tool_diffs_unsigned}
    for row in found:
        said = [] if definitions.person(row) else [reviewed(row, verdict) for verdict in VERDICTS]
        if row.case_id in result.tool_diffs_unsigned:
            said += [signed(row, "ok"), signed(row, "bad")]
        others = [[one if r is row else r for r in found] for one in said]
        if any(evaluate(evidence_of(rows, spec)).decision is not result.decision for rows in others):
            assert row.row_id in named
        elif row.case_id not in waiting:
            assert row.row_id not in named


def signed(row: RowEvidence, signature: Literal["ok", "bad"]) -> RowEvidence:
    return row._replace(standing=(row.standing or Standing())._replace(tools=signature))


def test_the_queue_marks_the_rows_that_could_still_decide() -> None:
    sides: list[Side] = ["candidate"] * 11
    found = [*won_by(*sides), stakes(11, Outcome.FLIP_HARD)]
    evidence = evidence_of(found)
    result = evaluate(evidence)
    marked = queue(evidence, result, impact(evidence, result))
    assert {item.case_id for item in marked if item.decides} == {"c11"}


def won_by(*sides: Side) -> list[RowEvidence]:
    return [
        RowEvidence(i, f"c{i}", i, {}, False, Outcome.WIN, side, side, side) for i, side in enumerate(sides)
    ]


def test_swapping_the_sides_swaps_the_figures() -> None:
    one = evaluate(evidence_of(won_by("candidate", "candidate", "baseline")))
    two = evaluate(evidence_of(won_by("baseline", "baseline", "candidate")))
    assert figure(one, "final") == {"candidate": 2, "baseline": 1, "tie": 0, "undecided": 0}
    assert figure(two, "final") == {"candidate": 1, "baseline": 2, "tie": 0, "undecided": 0}
    assert one.figures.strength == two.figures.strength


def test_everything_reviewed_makes_any_judge_healthy() -> None:
    found = [
        RowEvidence(i, f"c{i}", i, {}, False, Outcome.FLIP_HARD, None, "candidate", "baseline")
        for i in range(12)
    ]
    assert evaluate(evidence_of(found)).condition("judge_health").state is State.FAIL
    people = [reviewed(row, "candidate") for row in found]
    result = evaluate(evidence_of(people))
    assert result.condition("judge_health").state is State.PASS
    assert result.decision is Decision.SHIP


def test_an_empty_data_set_never_ships() -> None:
    result = evaluate(evidence_of([]))
    assert result.decision is Decision.INCONCLUSIVE
    assert result.figures.strength.sign_test_p is None
    assert result.condition("complete").state is State.UNKNOWN


def test_a_run_in_progress_is_not_decided_by_what_it_has_so_far() -> None:
    lost = won_by("baseline", "baseline", "baseline")
    open_rows = [
        RowEvidence(i, f"c{i}", i, {}, False, Outcome.PENDING, None, None, None) for i in range(3, 40)
    ]
    result = evaluate(evidence_of([*lost, *open_rows]))
    assert result.decision is Decision.INCONCLUSIVE
    assert result.condition("complete").rows == tuple(row.case_id for row in open_rows)


def test_rows_that_wait_for_the_newest_take_keep_the_gate_open() -> None:
    sides: list[Side] = ["candidate"] * 20
    won = won_by(*sides)
    assert evaluate(evidence_of(won)).decision is Decision.SHIP
    assert evaluate(replace(evidence_of(won), waiting=3)).decision is Decision.INCONCLUSIVE


def test_a_signed_tool_difference_leaves_a_flip_to_be_decided() -> None:
    signed = Standing(tools="ok", signed_by="kim")
    flipped = RowEvidence(
        1, "c001", 1, {}, False, Outcome.FLIP_HARD, None, "candidate", "baseline", (),
        ToolState.CHANGED, signed,
    )  # fmt: skip
    evidence = evidence_of([flipped])
    (item,) = queue(evidence, evaluate(evidence))
    assert (item.reason, item.done) == ("flipped hard", False)
