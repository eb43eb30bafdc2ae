"""`bothways check`: would this spec do what you mean, and what would it take?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import db_path, json_option, subcommand
from bothways.app.cli.streams import put, put_json, say
from bothways.engine.clock import now

if TYPE_CHECKING:
    from bothways.engine.change import Change
    from bothways.engine.experiment import Experiment
    from bothways.engine.facts import Case, JsonObject
    from bothways.engine.spec.estimate import Estimate
    from bothways.engine.spec.tried import Tried

__all__ = ["command"]

SHORT = 40
"""Lines of a difference that are shown without being asked for."""


class Checked(NamedTuple):
    """One candidate against the baseline: the change in a sentence, and its lines."""

    change: Change
    lines: tuple[str, ...]


@subcommand("check", "bothways check refund-flow.yaml", "bothways check refund-flow.yaml --json")
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--diff", is_flag=True, help=f"Every line that differs, also where they are more than {SHORT}.")
@json_option
def command(spec: Path, diff: bool, as_json: bool) -> None:
    """Validate SPEC and its data; show the one-change check, calls, cost, time and what the cases can detect.

    No model is called, and nothing is stored.
    """
    from bothways.engine.change import differences, one_change
    from bothways.engine.models.prices import price
    from bothways.engine.spec.estimate import estimate
    from bothways.engine.spec.load import load_spec
    from bothways.engine.spec.unused import unused

    experiment, cases = load_spec(spec)
    base = experiment.baseline
    checked = {c.name: Checked(one_change(base, c), differences(base, c)) for c in experiment.candidates}
    estimated, today = estimate(experiment, cases, price), _tried_today(experiment, cases)
    no_effect = unused(experiment, cases)
    for sentence in no_effect:
        say(sentence)
    if as_json:
        put_json(_object(experiment, len(cases), checked, estimated, today, no_effect))
        return
    put(f"{experiment.name}: {_count(len(cases), 'case')}, all valid")
    for name, found in checked.items():
        put("\n".join([f"{name}: {found.change.sentence}", *_shown(found.lines, diff)]))
    put("\n".join([*_estimated(estimated, len(cases)), *_told(today)]))


def _tried_today(experiment: Experiment, cases: Sequence[Case]) -> list[Tried]:
    from bothways.engine.spec.tried import tried

    if not db_path().exists():
        return []
    with opened() as store:
        return [one for one in tried(store, experiment, cases) if one.day == now()[:10]]


def _object(
    experiment: Experiment,
    cases: int,
    checked: dict[str, Checked],
    found: Estimate,
    today: list[Tried],
    no_effect: tuple[str, ...],
) -> JsonObject:
    return {
        "experiment": experiment.name,
        "cases": cases,
        "changes": {
            name: {
                "count": one.change.count,
                "sentence": one.change.sentence,
                "places": list(one.change.places),
                "diff": list(one.lines),
            }
            for name, one in checked.items()
        },
        "calls": found.calls,
        "answers": found.answers,
        "passes": found.passes,
        "at_least": found.at_least,
        "cost_usd": found.cost_usd,
        "unpriced": list(found.unpriced),
        "seconds": found.seconds,
        "detectable_win_rate": found.detectable,
        "tried_today": [
            {"experiment": one.experiment, "candidate": one.candidate, "itself": one.itself} for one in today
        ],
        "no_effect": list(no_effect),
    }


def _shown(lines: tuple[str, ...], whole: bool) -> Iterator[str]:
    if whole or len(lines) <= SHORT:
        yield from (f"  {line}" for line in lines)
    else:
        yield f"  {len(lines)} lines of difference: --diff shows them"


def _estimated(found: Estimate, cases: int) -> Iterator[str]:
    if found.calls:
        least = "at least " if found.at_least else ""
        answers, passes = _count(found.answers, "answer"), _count(found.passes, "pass", "passes")
        yield f"calls: {least}{found.calls} ({answers}, {passes}) in all; what is there is not done again"
        yield f"cost: {_cost(found)}"
        yield f"time: about {_minutes(found.seconds)}"
    else:
        yield "calls: none; everything is recorded"
    if found.detectable is None:
        yield f"cases: {cases} are too few; even winning all of them could be luck"
    else:
        yield f"cases: can show a true win rate of about {found.detectable:.0%} or more, four times in five"


def _cost(found: Estimate) -> str:
    unpriced = f"no price known for {', '.join(found.unpriced)}"
    if found.cost_usd is None:
        return f"unknown ({unpriced})"
    if found.unpriced:
        return f"at least {found.cost_usd:.2f} USD ({unpriced})"
    return f"about {found.cost_usd:.2f} USD"


def _told(today: list[Tried]) -> Iterator[str]:
    others = [f"{one.candidate} ({one.experiment})" for one in today if not one.itself]
    itself = [f"{one.candidate} (this experiment itself)" for one in today if one.itself]
    if today:
        yield f"this snapshot was tried today by: {', '.join([*others, *itself])}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
