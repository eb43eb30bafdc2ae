"""`bothways demo`: the whole job on the sample project, without a key and without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened
from bothways.app.cli.desk import open_desk
from bothways.app.cli.options import subcommand, suggest_db
from bothways.app.cli.work import work
from bothways.app.streams import at_terminal, put, say
from bothways.engine.clock import now

if TYPE_CHECKING:
    from bothways.store import Store

__all__ = ["command"]


@subcommand("demo", "bothways demo", "bothways demo shop --headless")
@click.argument(
    "folder", metavar="[DIR]", default="bothways-demo", type=click.Path(path_type=Path, file_okay=False)
)
@click.option("--headless", is_flag=True, help="Print the reports instead of opening the desk.")
def command(folder: Path, headless: bool) -> None:
    """Lay out the sample project in DIR, run its experiments from recordings, and open the review.

    The recordings go through the same engine as a real run. Without a terminal the reports are printed.
    """
    from bothways.engine.run.options import RunOptions
    from bothways.engine.spec.load import load_spec
    from bothways.sample_data import EXPERIMENTS, lay_out

    lay_out(folder)
    suggest_db(folder / "bothways.db")
    with opened(create=True) as store:
        names = []
        for spec in EXPERIMENTS:
            experiment, cases = load_spec(folder / spec)
            say(f"{experiment.name}: {experiment.hypothesis}")
            work(store, store.add(experiment, cases, now()), RunOptions())
            names.append(experiment.name)
        if headless or not at_terminal():
            for name in names:
                put(_report(store, name))
            return
    open_desk(headless="bothways demo --headless", experiment=names[0])


def _report(store: Store, name: str) -> str:
    from bothways.app.reading import reading
    from bothways.engine.report.render import render

    with reading(store, name) as (evidence, result, at):
        return render(evidence, result, store, "text", at=at).rstrip("\n") + "\n"
