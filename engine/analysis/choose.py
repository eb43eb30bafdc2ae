"""Which spec, candidate and judge are meant: the only one, or the one that was named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment
from bothways.engine.ledger import Facts, SpecInfo

__all__ = ["Choice", "choose", "choose_judge", "judges_of"]


class Choice(NamedTuple):
    """What is compared. The experiment's baseline is the one that is meant here, whatever the file said."""

    spec_id: int
    experiment: Experiment
    candidate: str
    judge: str


def choose(
    facts: Facts,
    experiment: str,
    *,
    candidate: str | None = None,
    judge: str | None = None,
    baseline: str | None = None,
) -> Choice:
    """Resolve names against the newest spec; UsageError, listing the choices, where one has to be named."""
    versions = facts.specs(experiment)
    if not versions:
        raise UsageError(f"There was no spec of {experiment} at that time")
    info = versions[0]
    spec = facts.spec(info.id)
    if baseline is not None:
        spec = _with_baseline(spec, _one("variant", baseline, [v.name for v in spec.variants], "--baseline"))
    named = _one("candidate", candidate, [v.name for v in spec.candidates], "--candidate")
    return Choice(info.id, spec, named, choose_judge(info, spec, judge))


def choose_judge(info: SpecInfo, spec: Experiment, judge: str | None) -> str:
    """Return the judge that is meant; "" where an import has none at all."""
    judges = judges_of(info, spec)
    return _one("judge", judge, judges, "--judge") if judges or judge else ""


def judges_of(info: SpecInfo, spec: Experiment) -> list[str]:
    """Return the judges there are: the one that the spec asks, and those who came in with a file."""
    return list(dict.fromkeys([*([spec.judge.name] if spec.judge else []), *info.judges]))


def _one(what: str, wanted: str | None, names: Sequence[str], option: str) -> str:
    if wanted is not None and wanted in names:
        return wanted
    if wanted is None and len(names) == 1:
        return names[0]
    listed = ", ".join(names) or "none"
    title = f"There is no {what} “{wanted}”" if wanted is not None else f"Which {what} is meant?"
    raise UsageError(title, f"there are: {listed}", f"name one with {option}")


def _with_baseline(spec: Experiment, name: str) -> Experiment:
    others = tuple(variant for variant in spec.variants if variant.name != name)
    return spec.model_copy(update={"baseline": spec.variant(name), "candidates": others})
