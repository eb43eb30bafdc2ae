"""The recordings add up to the published figures of the three experiments, and the fourth ships."""

from __future__ import annotations

import pytest
from tests.sample_data.recorded import CANDIDATES, cases, lines, stakes, tally, verdicts

# candidate, baseline, tie of the first pass, of the second, of the stable rows; hard and soft flips
FIGURES = {
    "plain-text-line": ((14, 20, 6), (11, 22, 7), (10, 18, 4), (3, 5)),
    "shipping-tool": ((27, 8, 5), (26, 9, 5), (24, 7, 3), (2, 4)),
    "refund-flow": ((21, 18, 1), (11, 20, 9), (11, 18, 1), (2, 8)),
    "plain-text-narrow": ((27, 7, 6), (26, 7, 7), (25, 6, 5), (1, 3)),
}


@pytest.mark.parametrize("experiment", FIGURES)
def test_the_passes_add_up(experiment: str) -> None:
    both = verdicts(experiment)
    first, second = zip(*both.values(), strict=True)
    stable = [one for one, other in both.values() if one == other]
    flips = [pair for pair in both.values() if pair[0] != pair[1]]
    hard = sum("tie" not in pair for pair in flips)
    assert (tally(first), tally(second), tally(stable), (hard, len(flips) - hard)) == FIGURES[experiment]


@pytest.mark.parametrize("experiment", FIGURES)
def test_each_case_is_judged_once_in_either_order(experiment: str) -> None:
    judged = sorted(
        (line["case"], line["shown_first"]) for line in lines(f"recordings/judge-{experiment}.jsonl")
    )
    assert judged == sorted((case, first) for case in cases() for first in ("baseline", "candidate"))


@pytest.mark.parametrize("experiment", FIGURES)
def test_the_judge_agrees_with_itself_where_it_counts(experiment: str) -> None:
    both = verdicts(experiment)
    assert [case for case in stakes() if both[case][0] != both[case][1]] == []


def lost(experiment: str) -> set[str]:
    both = verdicts(experiment)
    return {case for case in stakes() if both[case] == ("baseline", "baseline")}


def test_money_is_lost_where_the_experiment_does_not_ship() -> None:
    assert {name for name in CANDIDATES if lost(name)} == {"plain-text-line", "refund-flow"}


@pytest.mark.parametrize("experiment", ["plain-text-line", "refund-flow"])
def test_reviews_could_still_save_what_they_will_not(experiment: str) -> None:
    both = verdicts(experiment)
    others = [one for case, (one, other) in both.items() if one == other and case not in stakes()]
    wins, decided = others.count("candidate") + len(stakes()), len(others) + len(stakes())
    assert 5 * (wins - 1) >= 3 * decided


def test_the_refund_flow_leads_in_one_pass_only() -> None:
    first, second = zip(*verdicts("refund-flow").values(), strict=True)
    assert tally(first)[0] > tally(first)[1]
    assert tally(second)[0] < tally(second)[1]


def test_a_hard_flip_of_the_refund_flow_turns_from_new_to_old() -> None:
    flips = {pair for pair in verdicts("refund-flow").values() if pair[0] != pair[1]}
    assert flips == {("candidate", "baseline"), ("candidate", "tie")}
