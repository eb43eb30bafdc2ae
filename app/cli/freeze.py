"""`bothways freeze`: the baseline's answers, before any candidate exists."""

from __future__ import annotations

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.run import (
    announce,
    concurrency_option,
    events_option,
    read_spec,
    refuse_both,
)  # fmt: skip
from bothways.app.cli.work import work
from bothways.engine.clock import now

__all__ = ["command"]


@subcommand("freeze", "bothways freeze refund-flow.yaml")
@click.argument("spec", metavar="SPEC")
@concurrency_option
@events_option
@json_option
@click.pass_context
def command(ctx: click.Context, spec: str, concurrency: int | None, events: bool, as_json: bool) -> None:
    """Get the answers of the baseline of SPEC, once; every later candidate is measured against them."""
    from bothways.engine.run.options import RunOptions

    refuse_both(events, as_json)
    asked = read_spec(spec)
    announce(*asked)
    with opened(create=True) as store:
        spec_id = store.add(*asked, now())
        options = RunOptions(concurrency=concurrency, freeze=True)
        ctx.exit(work(store, spec_id, options, events=events, as_json=as_json))
