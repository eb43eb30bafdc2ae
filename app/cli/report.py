"""`bothways report`: everything about one comparison, to read or to file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened, warn_of_broken
from bothways.app.cli.options import comparison, out_option, subcommand
from bothways.app.cli.output import writing_to
from bothways.app.streams import say
from bothways.engine.report.formats import FORMATS

if TYPE_CHECKING:
    from bothways.engine.report.formats import Format

__all__ = ["command"]


@subcommand(
    "report",
    "bothways report refund-flow",
    "bothways report refund-flow --format html -o refund-flow.html",
)
@comparison
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@out_option
def command(
    experiment: str, candidate: str | None, judge: str | None, form: Format, output: Path | None
) -> None:
    """Write the report of EXPERIMENT: figures, conditions, and what was said of the rows that matter.

    `html` is one page with charts that needs nothing else; `junit` passes only where the gate says SHIP.
    """
    from bothways.app.reading import reading
    from bothways.engine.report.render import render

    with (
        opened() as store,
        reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, at),
    ):
        warn_of_broken(store)
        text = render(evidence, result, store, form, at=at)
    with writing_to(output) as out:
        out.write(text)
    if output:
        say(f"Written to {output}")
