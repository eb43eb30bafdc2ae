"""`bothways freeze`: the baseline's answers, before any candidate exists."""

from __future__ import annotations

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import subcommand
from bothways.app.cli.run import concurrency_option, events_option, read_spec, work
from bothways.app.clock import now

__all__ = ["command"]


@subcommand("freeze", "bothways freeze experiment.yaml")
@click.argument("spec", metavar="SPEC")
@concurrency_option
@events_option
@click.pass_context
def command(ctx: click.Context, spec: str, concurrency: int | None, events: bool) -> None:
    """Get the answers of the baseline of SPEC, once; every later candidate is measured against them."""
    from bothways.engine.run.options import RunOptions

    asked = read_spec(spec)
    with opened(create=True) as store:
        spec_id = store.add(*asked, now())
        ctx.exit(work(store, spec_id, RunOptions(concurrency=concurrency, freeze=True), events=events))
