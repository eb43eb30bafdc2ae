"""Sentences for people about what the figures rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from bothways.engine.experiment import Experiment
from bothways.engine.judging.family import same_family
from bothways.engine.text import counted

__all__ = ["identical_warning", "model_warnings", "snapshot_warning"]


def snapshot_warning(oldest: str, today: str) -> tuple[str, ...]:
    """Say how old the baseline's answers are; `oldest` and `today` are ISO dates or times."""
    if not oldest or oldest[:10] >= today[:10]:
        return ()
    days = (date.fromisoformat(today[:10]) - date.fromisoformat(oldest[:10])).days
    return (f"the baseline's answers are from {oldest[:10]}, {days} day{'s' if days > 1 else ''} ago",)


def identical_warning(rows: int) -> tuple[str, ...]:
    """Say on how many rows the judge named a winner between two answers that are the same text."""
    if not rows:
        return ()
    return (f"on {counted(rows, 'row')} the judge named a winner between two equal texts",)


def model_warnings(
    experiment: Experiment, candidate: str, returned: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Compare the models that answered with those asked for; `returned` is by baseline, candidate, judge."""
    variants = {"baseline": experiment.baseline, "candidate": experiment.variant(candidate)}
    asked = {side: variant.model for side, variant in variants.items()}
    asked["judge"] = experiment.judge.model if experiment.judge else None
    found: list[str] = []
    for side, names in returned.items():
        if len(names) > 1:
            found.append(f"more than one model answered for the {side}: {', '.join(names)}")
        found.extend(
            f"the {side} asked for {asked[side]} and {name} answered"
            for name in names
            if not _is(asked.get(side), name)
        )
    if same_family(asked["judge"], asked["candidate"]):
        found.append(
            f"the judge {asked['judge']} is of the same family as the candidate's {asked['candidate']}"
        )
    before, after = (tuple(returned.get(side, ())) for side in ("baseline", "candidate"))
    if asked["baseline"] == asked["candidate"] and before and after and set(before) != set(after):
        found.append(
            f"the snapshot came from {', '.join(before)}, the candidate's answers from {', '.join(after)}"
        )
    return tuple(found)


def _is(asked: str | None, returned: str) -> bool:
    """A provider drops its own prefix and adds a date; any other name is another model."""
    if asked is None:
        return True
    return returned == asked or returned.rpartition("/")[2].startswith(asked.rpartition("/")[2])
