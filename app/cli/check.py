"""`bothways check`: would this spec do what you mean, and what would it take?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import db_path, json_option, subcommand
from bothways.app.streams import put, put_json, say
from bothways.engine.clock import now
from bothways.engine.text import counted

if TYPE_CHECKING:
    from bothways.engine.facts import JsonObject
    from bothways.engine.spec.check import Report

__all__ = ["command"]

SHORT = 40
"""Lines of a difference that are shown without being asked for."""


@subcommand("check", "bothways check refund-flow.yaml", "bothways check refund-flow.yaml --json")
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--diff", is_flag=True, help=f"Every line that differs, also where they are more than {SHORT}.")
@json_option
def command(spec: Path, diff: bool, as_json: bool) -> None:
    """Validate SPEC and its data; show the one-change check, calls, cost, time and what the cases can detect.

    No model is called, and nothing is stored.
    """
    from bothways.engine.spec.told import told

    report = _report(spec)
    for sentence in (*report.gaps, *report.no_effect, *report.warnings):
        say(sentence)
    if as_json:
        put_json(_object(report))
        return
    valid = "a run would not get through, see above" if report.gaps else "all valid"
    put(f"{report.experiment.name}: {counted(report.cases.count, 'case')}, {valid}")
    for one in report.changes:
        put("\n".join([f"{one.candidate}: {one.change.sentence}", *_shown(one.lines, diff)]))
    put("\n".join(f"{said.about}: {said.sentence}" for said in told(report)))


def _report(spec: Path) -> Report:
    from bothways.engine.models.prices import price
    from bothways.engine.spec.check import check
    from bothways.engine.spec.load import load_spec

    experiment, cases = load_spec(spec)
    if not db_path().exists():
        return check(experiment, cases, None, price, now())
    with opened() as store:
        return check(experiment, cases, store, price, now())


def _object(report: Report) -> JsonObject:
    whole, left = report.whole, report.left
    return {
        "experiment": report.experiment.name,
        "cases": report.cases.count,
        "high_stakes": report.cases.high_stakes,
        "changes": {
            one.candidate: {
                "count": one.change.count,
                "sentence": one.change.sentence,
                "places": list(one.change.places),
                "diff": list(one.lines),
            }
            for one in report.changes
        },
        "calls": whole.calls,
        "answers": whole.answers,
        "passes": whole.passes,
        "at_least": whole.at_least,
        "cost_usd": whole.cost_usd,
        "unpriced": list(whole.unpriced),
        "seconds": whole.seconds,
        "left": {"calls": left.calls, **asdict(left), "unpriced": list(left.unpriced)},
        "detectable_win_rate": report.power.detectable,
        "equal_pass_chance": report.power.luck,
        "tried_today": [
            {"experiment": one.experiment, "candidate": one.candidate, "itself": one.itself}
            for one in report.tried
        ],
        "gaps": list(report.gaps),
        "no_effect": list(report.no_effect),
        "warnings": list(report.warnings),
    }


def _shown(lines: tuple[str, ...], whole: bool) -> Iterator[str]:
    if whole or len(lines) <= SHORT:
        yield from (f"  {line}" for line in lines)
    else:
        yield f"  {counted(len(lines), 'line')} of difference: --diff shows them"
