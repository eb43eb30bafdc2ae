"""What an experiment asks for and the store already has: found by key, so under whatever name it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bothways.engine.experiment import Experiment
from bothways.engine.facts import Case
from bothways.engine.ledger import AnswerRef, Facts
from bothways.engine.methods.base import Row
from bothways.engine.methods.open import open_method
from bothways.engine.run.plan import answer_key
from bothways.engine.spec.estimate import Work, is_live

__all__ = ["lacking_work"]

_AT_ONCE = 500
"""Cases whose answers are looked up together."""


def lacking_work(facts: Facts, experiment: Experiment, cases: Sequence[Case]) -> Work:
    """Return what a first night of this experiment still has to do.

    Cases that ask the same share one answer, and are counted as one, as a run does them.
    """
    answers: dict[str, list[Case]] = {v.name: [] for v in experiment.variants if is_live(v)}
    passes: list[Case] = []
    counted: set[str] = set()
    for start in range(0, len(cases), _AT_ONCE):
        some = cases[start : start + _AT_ONCE]
        keys = [{v.name: answer_key(case, v) for v in experiment.variants} for case in some]
        known = facts.answers_by_key([key for by_variant in keys for key in by_variant.values()])
        for case, by_variant in zip(some, keys, strict=True):
            for name, lacking in answers.items():
                if (key := by_variant[name]) not in known and key not in counted:
                    counted.add(key)
                    lacking.append(case)
        if experiment.judge is not None and is_live(experiment.judge):
            passes += _passes(facts, experiment, some, keys, known)
    return Work(answers, passes)


def _passes(
    facts: Facts,
    experiment: Experiment,
    cases: Sequence[Case],
    keys: Sequence[Mapping[str, str]],
    known: Mapping[str, AnswerRef],
) -> Iterator[Case]:
    """Yield a case for each pass that is not there; one whose answers are not there cannot be."""
    method = open_method(experiment)
    units: list[tuple[str, Case]] = []
    for case, by_variant in zip(cases, keys, strict=True):
        for comparison in method.comparisons(1):
            refs = tuple(known[key] for name in comparison.variants if (key := by_variant[name]) in known)
            if len(refs) < len(comparison.variants):
                yield from (case for _ in method.orders(comparison))
            else:
                units += [(unit.key, case) for unit in method.passes(Row(0, case, comparison, refs))]
    done = facts.passes_done([key for key, _ in units])
    yield from (case for key, case in units if key not in done)
