"""How few acts it takes until a row stands otherwise: compared with trying all that anybody can do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bothways.engine.gate.price import STANDS, VERDICTS, Stand, price
from bothways.engine.standing import Rule, Voice
from bothways.engine.verdicts import Verdict

RULES = [Rule(), Rule("majority"), Rule("adjudicator", "ada")]
PEOPLE = ["ada", "kim", "lee", "bo"]
MOST = 3

_said = st.lists(
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(VERDICTS)), max_size=3, unique_by=lambda one: one[0]
)


@settings(max_examples=40, deadline=None)
@given(_said, st.sampled_from(RULES))
def test_no_fewer_acts_lead_anywhere(said: list[tuple[str, Verdict]], rule: Rule) -> None:
    voices = tuple(Voice(who, verdict) for who, verdict in said)
    fewest = by_brute_force(voices, rule)
    assert {stand: price(rule, voices, stand) for stand in STANDS} == {
        stand: fewest.get(stand) for stand in STANDS
    }


def by_brute_force(voices: tuple[Voice, ...], rule: Rule) -> dict[Stand, int]:
    """Whoever is there, the adjudicator and newcomers speak, or take back what they said."""
    fewest: dict[Stand, int] = {}
    seen, newest = {voices}, {voices}
    for acts in range(MOST + 1):
        for one in newest:
            fewest.setdefault(_left_as(one, rule), acts)
        newest = {then for one in newest for then in _next(one)} - seen
        seen |= newest
    return fewest


def _left_as(voices: tuple[Voice, ...], rule: Rule) -> Stand:
    return rule.settle(voices) or ("split" if voices else "silent")


def _next(voices: tuple[Voice, ...]) -> Iterator[tuple[Voice, ...]]:
    for who in {*(voice.reviewer for voice in voices), "ada", f"new {len(voices)}"}:
        others = tuple(voice for voice in voices if voice.reviewer != who)
        yield others
        yield from ((*others, Voice(who, verdict)) for verdict in VERDICTS)


@pytest.mark.parametrize(
    ("votes", "wanted", "acts"),
    [
        (["baseline"], "candidate", 1),
        (["baseline", "baseline"], "candidate", 2),
        (["baseline", "baseline", "candidate"], "candidate", 1),
        (["baseline", "tie"], "tie", 1),
        (["baseline", "tie"], "candidate", 2),
        (["baseline", "baseline"], "split", 1),
        (["baseline"] * 5, "candidate", 3),
    ],
    ids=str,
)
def test_a_majority_is_turned_by_those_who_change_their_minds(
    votes: list[Verdict], wanted: Stand, acts: int
) -> None:
    """Worked out by hand: each takes a verdict from one side and gives it to the other."""
    voices = [Voice(f"r{n}", vote) for n, vote in enumerate(votes)]
    assert price(Rule("majority"), voices, wanted) == acts
