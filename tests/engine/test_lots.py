"""What is drawn by lot is drawn the same again, and is fair."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bothways.engine.lots import pick, sample, sides

IDS = [f"c{number}" for number in range(3_000)]


@given(st.integers(0, 1_000), st.integers(0, 60))
def test_a_sample_is_exactly_its_share_rounded_up(thousandths: int, count: int) -> None:
    drawn = sample(thousandths / 1_000, IDS[:count], "seed")
    assert len(drawn) == math.ceil(Fraction(thousandths, 1_000) * count)
    assert drawn <= set(IDS[:count])


def test_the_same_seed_draws_the_same_whatever_the_order() -> None:
    assert sample(0.1, IDS, "seed") == sample(0.1, IDS[::-1], "seed")
    assert sample(0.1, IDS, "seed") != sample(0.1, IDS, "other")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_whoever_has_the_seed_draws_the_same_without_this_program() -> None:
    """By the hash that any language has: what was drawn once stays drawn, whatever becomes of the code."""
    seed = sha256('["pick","seed"]')
    by_hand = sorted(IDS, key=lambda one: sha256(seed + one))[:300]
    assert sample(0.1, IDS, "seed") == frozenset(by_hand)
    odd = int(sha256('["sides","exp","v5","c0","kim",1]'), 16) % 2
    assert sides("exp", "v5", "c0", "kim")[0] == ("baseline" if odd else "candidate")


def test_one_more_row_takes_the_place_of_one_at_most() -> None:
    drawn = pick(50, IDS[:500], "seed")
    for more in range(501, 600):
        after = pick(50, IDS[:more], "seed")
        assert len(drawn - after) <= 1
        drawn = after


def test_every_row_is_as_likely_as_another() -> None:
    """A tenth of 3,000 rows, 200 times: each is drawn 20 times on average; six standard errors are 26."""
    counts = dict.fromkeys(IDS, 0)
    for seed in range(200):
        for one in sample(0.1, IDS, str(seed)):
            counts[one] += 1
    assert sum(counts.values()) == 200 * 300
    assert max(counts.values()) < 20 + 26
    halves = [sum(counts[one] for one in half) for half in (IDS[:1500], IDS[1500:])]
    assert abs(halves[0] - halves[1]) < 6 * math.sqrt(200 * 3000 * 0.1 * 0.9)


def test_the_sides_are_a_fair_coin_of_row_and_reviewer_and_look() -> None:
    thrown = [sides("exp", "v5", case, "kim") for case in IDS]
    heads = thrown.count(("baseline", "candidate"))
    assert abs(heads - 1_500) < 6 * math.sqrt(3_000) / 2
    assert set(thrown) == {("baseline", "candidate"), ("candidate", "baseline")}
    assert thrown == [sides("exp", "v5", case, "kim") for case in IDS]
    for other in ([sides("exp", "v5", case, "lee") for case in IDS],
                  [sides("exp", "v5", case, "kim", 2) for case in IDS],
                  [sides("exp", "v6", case, "kim") for case in IDS]):  # fmt: skip
        same = sum(a == b for a, b in zip(thrown, other, strict=True))
        assert abs(same - 1_500) < 6 * math.sqrt(3_000) / 2
