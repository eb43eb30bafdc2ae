"""Three-valued conditions against brute force over every completion, and what the gate never does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Literal

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.engine.gate.rows import evidence_of, figure, reviewed, rows
from tests.engine.shop import experiment

from bothways.engine.analysis.model import Outcome, RowEvidence, Side
from bothways.engine.analysis.tally import Ties, Votes
from bothways.engine.gate.completions import OpenVotes, unanimous
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.impact import impact
from bothways.engine.gate.model import Decision, State
from bothways.engine.spec.model import Experiment, ReviewSettings

VERDICTS: tuple[Literal["candidate", "baseline", "tie"], ...] = ("candidate", "baseline", "tie")


@st.composite
def specs(draw: st.DrawFn) -> Experiment:
    spec = experiment(
        threshold=draw(st.sampled_from(["0.60", "0.5", "0.333", "1"])),
        ties=draw(st.sampled_from(["count", "exclude"])),
        rerun_margin=draw(st.integers(0, 2)),
        min_decided=draw(st.integers(0, 6)),
        max_errors=draw(st.integers(0, 2)),
        min_answered=draw(st.sampled_from(["0.90", "0.5"])),
    )
    require = draw(st.sampled_from(["always", "always", "when_close", "never"]))
    return spec.model_copy(update={"review": ReviewSettings.model_validate({"require": require})})


def slow_votes(found: list[RowEvidence]) -> list[str]:
    """The verdicts that count, read off the rows without any of the code under test."""
    said: list[str] = []
    for row in found:
        judge = row.winner if row.outcome is Outcome.WIN else "tie" if row.outcome is Outcome.TIE else None
        person = row.standing.verdict if row.standing else None
        said.append(person or judge or "")
    return said


def slow_states(found: list[RowEvidence], spec: Experiment) -> dict[str, State]:
    """The voting conditions of rows with nothing left open, straight from their definitions."""
    said, gate = slow_votes(found), spec.gate
    wins, losses, ties = (said.count(side) for side in ("candidate", "baseline", "tie"))
    of = wins + losses + (ties if gate.ties == "count" else 0)
    bar = Fraction(gate.threshold)
    money = [verdict for verdict, row in zip(said, found, strict=True) if row.high_stakes]
    met = State.UNKNOWN if of == 0 else State.PASS if Fraction(wins, of) >= bar else State.FAIL
    return {
        "win_rate": met,
        "margin": State.UNKNOWN if abs(wins - bar * of) <= gate.rerun_margin else State.PASS,
        "money_paths": State.FAIL if "baseline" in money else State.UNKNOWN if "" in money else State.PASS,
        "enough_evidence": State.PASS if wins + losses + ties >= gate.min_decided else State.UNKNOWN,
    }


@settings(max_examples=150, deadline=None)
@given(rows(most=9), specs())
def test_every_condition_agrees_with_brute_force_over_all_completions(
    found: list[RowEvidence], spec: Experiment
) -> None:
    result = evaluate(evidence_of(found, spec))
    missing = set(result.missing)
    assume(len(missing) <= 6)
    seen: dict[str, set[State]] = {condition.name: set() for condition in result.conditions}
    slow: dict[str, set[State]] = {}
    for completion in product(VERDICTS, repeat=len(missing)):
        verdicts = iter(completion)
        full = [reviewed(row, next(verdicts)) if row.case_id in missing else row for row in found]
        for condition in evaluate(evidence_of(full, spec)).conditions:
            seen[condition.name].add(condition.state)
        for name, state in slow_states(full, spec).items():
            slow.setdefault(name, set()).add(state)
    for condition in result.conditions:
        assert condition.state is unanimous(seen[condition.name]), condition.name
        if condition.name in slow:
            assert condition.state is unanimous(slow[condition.name]), condition.name


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
    assert {**one.figures, "reviews": None} == {**two.figures, "reviews": None}


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
    named = impact(evidence, result)
    for row in found:
        if row.standing is not None and row.standing.verdict is not None:
            assert row.row_id not in named
            continue
        changed = {
            evaluate(evidence_of([reviewed(r, v) if r is row else r for r in found], spec)).decision
            for v in VERDICTS
        }
        if changed != {result.decision}:
            assert row.row_id in named
        elif row.case_id not in result.missing:
            assert row.row_id not in named


def won_by(*sides: Side) -> list[RowEvidence]:
    return [
        RowEvidence(i, f"c{i}", i, {}, False, Outcome.WIN, side, side, side) for i, side in enumerate(sides)
    ]


def test_swapping_the_sides_swaps_the_figures() -> None:
    one = evaluate(evidence_of(won_by("candidate", "candidate", "baseline")))
    two = evaluate(evidence_of(won_by("baseline", "baseline", "candidate")))
    assert figure(one, "final") == {"candidate": 2, "baseline": 1, "tie": 0, "undecided": 0}
    assert figure(two, "final") == {"candidate": 1, "baseline": 2, "tie": 0, "undecided": 0}
    assert one.figures["sign_test_p"] == two.figures["sign_test_p"]


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
    assert result.figures["sign_test_p"] is None
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
