"""`bothways export`: rows with every pass and review."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from bothways.app.cli.atomic import writing
from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import experiment_argument, out_option, subcommand
from bothways.app.cli.streams import say
from bothways.engine.errors import UsageError

__all__ = ["command"]


@subcommand(
    "export",
    "bothways export refund-flow -o pairs.jsonl",
    "bothways export refund-flow --format csv -o refund-flow.csv",
    "bothways export refund-flow --without-reviews -o queue-for-lee.jsonl",
)
@experiment_argument
@click.option("--format", "form", type=click.Choice(["pairs", "csv"]), default="pairs", show_default=True)
@click.option("--without-reviews", is_flag=True, help="Keep what people said: a queue for another reviewer.")
@out_option
def command(experiment: str, form: str, without_reviews: bool, output: Path | None) -> None:
    """Write every row of EXPERIMENT with its answers, passes, votes and reviews.

    `pairs` imports again without loss. In `csv` a cell that a spreadsheet would run begins with a quote mark.
    Another reviewer imports the pairs, reviews and exports them; `bothways merge` brings the reviews home.
    """
    from bothways.engine.exchange.csv import write_csv
    from bothways.engine.exchange.writing import write_pairs

    if without_reviews and form != "pairs":
        raise UsageError("--without-reviews is for pairs", f"{form} is no queue that anybody imports")
    write = partial(write_pairs, reviews=not without_reviews) if form == "pairs" else write_csv
    with opened() as store:
        spec = newest(store, experiment)
        with writing(output) if output else nullcontext(sys.stdout) as out:
            count = write(store, spec.id, out)
            out.flush()
    say(f"{count} pairs" + (f" in {output}" if output else ""))
    if not count:
        say("No row has both answers yet.")
