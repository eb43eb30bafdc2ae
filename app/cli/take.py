"""`bothways import`: pairs that were answered or judged elsewhere."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.streams import put, put_json, say
from bothways.engine.clock import now
from bothways.engine.text import counted, visible_line

if TYPE_CHECKING:
    from bothways.engine.exchange.tally import Tally
    from bothways.engine.experiment import Experiment
    from bothways.engine.facts import JsonObject

__all__ = ["command"]


@subcommand(
    "import",
    "bothways import pairs.jsonl --name elsewhere",
    'bothways import pairs.jsonl --name attested --baseline v4 --attest one_change="only the prompt"',
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What the experiment is called.")
@click.option("--baseline", metavar="VARIANT", help="The variant to measure against, where it is not `a`.")
@click.option("--attest", metavar="one_change=REASON", help="Answer for what cannot be checked.")
@click.option(
    "--writes", multiple=True, metavar="TOOL", help="A tool that changes the world; may be repeated."
)
@click.option("--as-reviews", is_flag=True, help="People's votes decide rows, instead of being labels.")
@json_option
def command(
    file: Path,
    name: str,
    baseline: str | None,
    attest: str | None,
    writes: tuple[str, ...],
    as_reviews: bool,
    as_json: bool,
) -> None:
    """Take FILE: pairs of answers with or without judge passes and people's votes.

    Where one line is wrong, nothing is stored. Nights, takes and reviews of an export come in as they
    were; thresholds and who must review what are not in the file.
    """
    from bothways.engine.exchange.doubts import Doubts
    from bothways.engine.exchange.readers import read_file
    from bothways.engine.exchange.tally import Tally
    from bothways.engine.spec.imported import read_attestation, with_writing

    attested = read_attestation(attest) if attest is not None else None
    experiment, rows = read_file(file, name=name, baseline=baseline, as_reviews=as_reviews)
    experiment = with_writing(experiment, writes)
    if attested is not None:
        experiment = experiment.model_copy(update={"attest": attested})
    elif experiment.attest.one_change:
        say(f"one change, as the file attests: {visible_line(experiment.attest.one_change)}")
    at = now()
    tally, doubts = Tally(), Doubts(at)
    with opened(create=True) as store:
        store.take(experiment, tally.watch(doubts.watch(rows)), at)
    for doubt in doubts.told():
        say(doubt)
    for (variant, note), count in sorted(tally.notes.items()):
        say(f"{variant}: {note} ({counted(count, 'answer')})")
    if as_json:
        put_json(_object(experiment, tally))
    else:
        put(_text(experiment, tally))
    say(f"Next: bothways show {shlex.quote(name)}")


def _object(experiment: Experiment, tally: Tally) -> JsonObject:
    return {
        "experiment": experiment.name,
        "rows": tally.rows,
        "baseline": experiment.baseline.name,
        "candidates": [candidate.name for candidate in experiment.candidates],
        "judges": dict(sorted(tally.passes.items())),
        "labels": tally.labels,
        "reviews": tally.reviews,
    }


def _text(experiment: Experiment, tally: Tally) -> str:
    candidates = ", ".join(candidate.name for candidate in experiment.candidates)
    judges = ", ".join(sorted(tally.passes)) or "nobody"
    return (
        f"{experiment.name}: {counted(tally.rows, 'row')}, {experiment.baseline.name} against {candidates}\n"
        f"{counted(tally.passes.total(), 'pass', 'passes')} by {judges}; {counted(tally.labels, 'label')}; "
        f"{counted(tally.reviews, 'review')}"
    )
