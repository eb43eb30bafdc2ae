"""What a spec or its cases ask for and this version does not do: said before anything is paid for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bothways.engine.experiment import Experiment
from bothways.engine.facts import Case
from bothways.engine.text import counted

__all__ = ["unused"]

_SCRIPT = "no conversation is played; the first message is asked alone"
_RUBRIC = "kept; no rubric is judged"
_FIELDS = {
    "persona": _SCRIPT,
    "max_turns": _SCRIPT,
    "expected_outcomes": _RUBRIC,
    "anti_patterns": _RUBRIC,
    "key_dimensions": _RUBRIC,
}


def unused(experiment: Experiment, cases: Iterable[Case] = ()) -> tuple[str, ...]:
    """Name each setting and each field of the cases that has no effect yet, with what happens instead.

    A script of several turns is not refused: whoever keeps a persona beside each question, as a remark,
    has asked for nothing else. Columns that nobody knows are named too: one of them may be a slip.
    """
    return (*_settings(experiment), *_fields(cases))


def _settings(experiment: Experiment) -> Iterable[str]:
    judge = experiment.judge
    if judge is not None and judge.shuffle is not None:
        yield "judge.shuffle has no effect yet: a pair is judged in both orders, or in the first"


def _fields(cases: Iterable[Case]) -> Iterable[str]:
    counts: Counter[str] = Counter()
    checked = 0
    for case in cases:
        counts.update(case.extra.keys())
        checked += bool(case.checks)
    if checked:
        yield f"checks ({counted(checked, 'case')}): the desk shows whether they pass; the gate does not ask"
    for name, instead in _FIELDS.items():
        if counts[name]:
            yield f"{name} ({counted(counts[name], 'case')}) has no effect yet: {instead}"
    unknown = [f"{name} ({counted(count, 'case')})" for name, count in counts.items() if name not in _FIELDS]
    if unknown:
        yield f"fields that nothing reads, kept as they are: {', '.join(unknown)}"
