"""What a snapshot was used for before: every further try on the same frozen answers needs more luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import Case
from bothways.engine.ledger import Facts
from bothways.engine.run.plan import answer_key

__all__ = ["Tried", "tried"]

_PROBES = 64


class Tried(NamedTuple):
    """One candidate that was judged against the snapshot on `day`, an ISO date.

    `itself` marks a candidate of the experiment that asks, as it is now: running it again is to go on with
    the same try. After an edit it is another one, under the same name.
    """

    experiment: str
    candidate: str
    day: str
    itself: bool


def tried(facts: Facts, experiment: Experiment, cases: Sequence[Case]) -> tuple[Tried, ...]:
    """Return what was judged against this experiment's frozen baseline, whatever experiment asked for it.

    The baseline is known by its answers, not by its name, so that an experiment that is not stored yet
    finds them too. A snapshot is used whole: a few dozen cases, evenly chosen, tell.
    """
    probes = cases[:: -(-len(cases) // _PROBES) or 1]
    frozen = [ref.digest for ref in facts.answers_by_key(_keys(experiment.baseline, probes)).values()]
    if not frozen:
        return ()
    own = {
        (experiment.name, candidate.name)
        for candidate in experiment.candidates
        if facts.answers_by_key(_keys(candidate, probes))
    }
    return tuple(
        Tried(name, candidate, day, itself=(name, candidate) in own)
        for name, candidate, day in facts.pairings(frozen)
    )


def _keys(variant: Variant, cases: Sequence[Case]) -> list[str]:
    return [answer_key(case, variant) for case in cases]
