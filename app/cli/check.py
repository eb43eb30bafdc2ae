"""`bothways check`: would this spec do what you mean, and what would it take?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.options import db_path, json_option, subcommand
from bothways.app.cli.streams import put, put_json

if TYPE_CHECKING:
    from bothways.engine.facts import JsonObject
    from bothways.engine.spec.estimate import Estimate
    from bothways.engine.spec.model import Experiment

__all__ = ["command"]


@subcommand("check", "bothways check experiment.yaml", "bothways check experiment.yaml --json")
@click.argument("spec", type=click.Path(path_type=Path))
@json_option
def command(spec: Path, as_json: bool) -> None:
    """Validate SPEC and its data; show the one-change check, calls, cost, time and what the cases can detect.

    No model is called, and nothing is stored.
    """
    from bothways.engine.models.prices import price
    from bothways.engine.spec.change import one_change
    from bothways.engine.spec.estimate import estimate
    from bothways.engine.spec.load import load_spec

    experiment, cases = load_spec(spec)
    found = estimate(experiment, cases, price, _power)
    changes = {c.name: one_change(experiment.baseline, c) for c in experiment.candidates}
    tried = _tried_today(experiment)
    if as_json:
        told: JsonObject = {
            "experiment": experiment.name,
            "cases": len(cases),
            "changes": {
                name: {"count": change.count, "sentence": change.sentence} for name, change in changes.items()
            },
            "calls": found.calls,
            "answers": found.answers,
            "passes": found.passes,
            "at_least": found.at_least,
            "cost_usd": found.cost_usd,
            "unpriced": list(found.unpriced),
            "seconds": found.seconds,
            "detectable_win_rate": found.detectable,
            "tried_today": list(tried),
        }
        put_json(told)
        return
    lines = [f"{experiment.name}: {len(cases)} cases, all valid"]
    lines += [f"{name}: {change.sentence}" for name, change in changes.items()]
    put("\n".join([*lines, *_estimated(found), *(f"tried today already: {name}" for name in tried)]))


def _power(cases: int, rate: float) -> float:
    """Return the power that is known for a true win rate: 80 % from so many cases on, else less."""
    from bothways.engine.analysis.stats import cases_for

    needed = cases_for(rate)
    return 0.8 if needed is not None and needed <= cases else 0.0


def _estimated(found: Estimate) -> list[str]:
    least = "at least " if found.at_least else ""
    unpriced = f" (no price known for {', '.join(found.unpriced)})" if found.unpriced else ""
    detect = (
        f"can show a true win rate of {found.detectable:.0%} or more, four times in five"
        if found.detectable
        else "too few cases to show anything"
    )
    return [
        f"calls: {least}{found.calls} ({found.answers} answers, {found.passes} passes)",
        f"cost: about {found.cost_usd:.2f} USD{unpriced}",
        f"time: about {_minutes(found.seconds)}",
        f"cases: {detect}",
    ]


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _tried_today(experiment: Experiment) -> tuple[str, ...]:
    """Name what was judged today against the same frozen answers: every further try needs more luck."""
    from bothways.app.cli.database import newest, opened
    from bothways.app.clock import now

    if not db_path().exists():
        return ()
    with opened() as store:
        if experiment.name not in store.experiments():
            return ()
        info = newest(store, experiment.name)
        base = experiment.baseline.name
        digests = [a.digest for a in store.answers(info.id) if a.variant == base and a.answer_id is not None]
        today = now()[:10]
        return tuple(
            f"{name}, {candidate}" for name, candidate, at in store.pairings(digests) if at[:10] == today
        )
