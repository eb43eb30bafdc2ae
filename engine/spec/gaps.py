"""What a run would stumble over as things are: keys that are not set, cases that a recording lacks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Case
from bothways.engine.judging.base import JudgeAsk
from bothways.engine.judging.replay import ReplayJudging
from bothways.engine.methods.open import open_method
from bothways.engine.models.wanted import wanted_keys
from bothways.engine.targets.replay import ReplayTarget
from bothways.engine.text import counted

__all__ = ["absent_keys", "recording_gaps"]

_NAMED = 5
"""Cases of a recording's gap that are named."""


def absent_keys(experiment: Experiment) -> tuple[str, ...]:
    """Name each key that a model of the experiment needs and that the environment has not got."""
    asks: dict[tuple[str, ...], list[str]] = {}
    for who, one in _asked(experiment):
        if one.model is not None and one.replay is None:
            asks.setdefault(wanted_keys(one.model, one.endpoint), []).append(who)
    return tuple(
        f"{' or '.join(names)} is not set, and {' and '.join(who)} cannot be asked without it"
        for names, who in asks.items()
        if names and not any(os.environ.get(name, "").strip() for name in names)
    )


def recording_gaps(experiment: Experiment, cases: Sequence[Case]) -> tuple[str, ...]:
    """Name what is to be played back and was not recorded; DataError where a recording cannot be read."""
    return (*_answers(experiment, cases), *_passes(experiment, cases))


def _asked(experiment: Experiment) -> Iterator[tuple[str, Variant | Judge]]:
    yield from ((variant.name, variant) for variant in experiment.variants)
    if experiment.judge is not None:
        yield f"the judge {experiment.judge.name}", experiment.judge


def _answers(experiment: Experiment, cases: Sequence[Case]) -> Iterator[str]:
    for variant in experiment.variants:
        if variant.replay is not None:
            recording = ReplayTarget(variant)
            lacking = [case.id for case in cases if recording.lacks(case.id)]
            if lacking:
                yield f"the recording of {variant.name} lacks {_some(lacking, len(cases))}"


def _passes(experiment: Experiment, cases: Sequence[Case]) -> Iterator[str]:
    judge = experiment.judge
    if judge is None or judge.replay is None:
        return
    recording, method = ReplayJudging(judge), open_method(experiment)
    for comparison in method.comparisons(nights=1):
        orders = list(enumerate(method.orders(comparison), 1))
        lacking = [
            case.id
            for case in cases
            if any(recording.lacks(JudgeAsk(case, (), shown, order, "")) for order, shown in orders)
        ]
        if lacking:
            about = " and ".join(comparison.variants)
            yield f"the recording of {judge.name} lacks passes over {about} for {_some(lacking, len(cases))}"


def _some(lacking: Iterable[str], of: int) -> str:
    ids = list(lacking)
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{len(ids)} of {counted(of, 'case')}: {', '.join(ids[:_NAMED])}{more}"
