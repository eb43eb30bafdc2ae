"""Everything that can be said of an experiment before anything is spent: one report, for every reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bothways.engine.change import Change, differences, one_change
from bothways.engine.experiment import Experiment, ReviewSettings
from bothways.engine.facts import Case
from bothways.engine.judging.family import same_family
from bothways.engine.ledger import Facts
from bothways.engine.spec.estimate import Estimate, Price, estimate, whole_work
from bothways.engine.spec.gaps import absent_keys, recording_gaps
from bothways.engine.spec.power import Power, power
from bothways.engine.spec.reuse import lacking_work
from bothways.engine.spec.tried import Tried, tried
from bothways.engine.spec.unused import unused
from bothways.engine.text import agreeing, counted, tag_words

__all__ = ["CasesSeen", "Changed", "Report", "check", "see_cases"]


@dataclass(frozen=True, slots=True)
class Changed:
    """One candidate against the baseline: what it changes, and the lines of a unified diff."""

    candidate: str
    change: Change
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CasesSeen:
    """A data set at a glance; `tags` counts the cases by `name: value`, the most frequent first."""

    count: int
    high_stakes: int
    tags: Mapping[str, int]
    first: Case


@dataclass(frozen=True, slots=True)
class Report:
    """What an experiment is and would take.

    `whole` is all of it, `left` what the store has not. `tried` is who else was judged against this baseline
    today. `gaps` is what a run would stumble over, `no_effect` names what the spec asks for in vain,
    `warnings` what makes its result worth less.
    """

    experiment: Experiment
    cases: CasesSeen
    changes: tuple[Changed, ...]
    whole: Estimate
    left: Estimate
    power: Power
    tried: tuple[Tried, ...]
    gaps: tuple[str, ...]
    no_effect: tuple[str, ...]
    warnings: tuple[str, ...]


def check(
    experiment: Experiment, cases: Sequence[Case], facts: Facts | None, price: Price, today: str
) -> Report:
    """Look at an experiment and its cases, which are at least one; no model is called, nothing is stored.

    `facts` is what is known already, None where there is no database yet; `today` is an ISO date or time.
    """
    work = whole_work(experiment, cases)
    warnings = [*_warnings(experiment, len(cases)), *_following(experiment, facts)]
    left = work if facts is None else lacking_work(facts, experiment, cases)
    used = () if facts is None else tried(facts, experiment, cases)
    base = experiment.baseline
    return Report(
        experiment=experiment,
        cases=see_cases(cases, experiment.review),
        changes=tuple(
            Changed(one.name, one_change(base, one), differences(base, one)) for one in experiment.candidates
        ),
        whole=estimate(experiment, work, price),
        left=estimate(experiment, left, price),
        power=power(len(cases), len(experiment.candidates), Fraction(experiment.gate.threshold)),
        tried=tuple(one for one in used if one.day == today[:10]),
        gaps=(*absent_keys(experiment), *recording_gaps(experiment, cases)),
        no_effect=unused(experiment, cases),
        warnings=tuple(warnings),
    )


def see_cases(cases: Sequence[Case], review: ReviewSettings) -> CasesSeen:
    """Sum a data set of at least one case up, under these rules of what is high stakes."""
    tags: Counter[str] = Counter()
    stakes = 0
    for case in cases:
        tags.update(tag_words(name, value) for name, value in case.tags.items())
        marked = any(review.marks(tag) for tag in case.tags.items())
        stakes += marked if case.high_stakes is None else case.high_stakes
    return CasesSeen(len(cases), stakes, dict(tags.most_common()), cases[0])


def _warnings(experiment: Experiment, cases: int) -> list[str]:
    judge, found = experiment.judge, []
    if not experiment.candidates:
        found.append("there is no candidate: the baseline is frozen, and nothing is compared")
    if judge is None:
        found.append("nobody judges: people compare the pairs")
    elif not judge.swap:
        found.append("the judge sees one order only: such rows serve the board, never the gate")
    for one in experiment.candidates:
        if judge and same_family(judge.model, one.model):
            found.append(f"the judge {judge.model} is of the same family as {one.model} of {one.name}")
    for one in experiment.variants:
        if one.kind in ("http", "function", "command") and one.version is None:
            found.append(f"{one.name} has no version: its answers are reused although it may have changed")
    if cases < (needed := experiment.gate.min_decided):
        found.append(
            f"the gate asks for {counted(needed, 'decided row')}, and there {agreeing(cases, 'is', 'are')} "
            f"{counted(cases, 'case')}"
        )
    return found


def _following(experiment: Experiment, facts: Facts | None) -> list[str]:
    follows = experiment.follows
    if follows is None or facts is None or follows in facts.experiments():
        return []
    return [f"it follows {follows}, which is not in this database"]
