"""`bothways run`: do what the spec asks for and the database has not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import newest, no_case, opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.work import work
from bothways.app.streams import say
from bothways.engine.clock import now
from bothways.engine.errors import UsageError

if TYPE_CHECKING:
    from bothways.engine.experiment import Experiment
    from bothways.engine.facts import Case
    from bothways.store import Store

__all__ = ["announce", "command", "concurrency_option", "events_option", "read_spec", "refuse_both"]

concurrency_option = click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Calls in flight, in all."
)
events_option = click.option(
    "--events", is_flag=True, help="One JSON line on stdout for everything that happens."
)


@subcommand(
    "run",
    "bothways run refund-flow.yaml",
    "bothways run refund-flow --retry-failed --budget 2",
)
@click.argument("what", metavar="SPEC|EXPERIMENT")
@concurrency_option
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    metavar="USD",
    help="Stop before the experiment has cost more than this, all its runs together. "
    "Calls whose price nobody knows are counted apart and not limited; the run says so.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N rows.")
@click.option("--only", multiple=True, metavar="CASE", help="Only this case; may be repeated.")
@click.option("--retry-failed", is_flag=True, help="Only what was tried in vain.")
@click.option("--rejudge", is_flag=True, help="Ask the judge again about everything, once all was tried.")
@click.option(
    "--again",
    is_flag=True,
    help="Another night, once all was tried: new answers of the candidates, new passes.",
)
@events_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    what: str,
    concurrency: int | None,
    budget: float | None,
    limit: int | None,
    only: tuple[str, ...],
    retry_failed: bool,
    rejudge: bool,
    again: bool,
    events: bool,
    as_json: bool,
) -> None:
    """Run SPEC (a file), or an EXPERIMENT that is in the database: whatever is missing, nothing twice.

    Exit 0 complete, 5 stopped early (budget, Ctrl-C, errors left), 2 usage or data error.
    """
    from bothways.engine.run.options import RunOptions

    refuse_both(events, as_json)
    asked = read_spec(what) if _is_file(what) else None
    if asked is not None:
        announce(*asked)
    with opened(create=asked is not None) as store:
        spec_id = store.add(*asked, now()) if asked else _known(store, what)
        _check_cases(store, spec_id, only)
        if asked is None:
            announce(store.spec(spec_id), ())
        extend = (*(("take",) if rejudge else ()), *(("night",) if again else ()))
        options = RunOptions(concurrency, budget, limit, frozenset(only), retry_failed, extend=extend)
        ctx.exit(work(store, spec_id, options, events=events, as_json=as_json))


def read_spec(path: str) -> tuple[Experiment, list[Case]]:
    """Read a spec with its cases, before any database is touched."""
    from bothways.engine.spec.load import load_spec

    return load_spec(Path(path))


def _known(store: Store, experiment: str) -> int:
    info = newest(store, experiment)
    if store.spec(info.id).imported:
        raise UsageError(f"{experiment} was imported", "there is nothing that could be run again")
    return info.id


def _check_cases(store: Store, spec_id: int, only: tuple[str, ...]) -> None:
    """Refuse a case that is not there: a run that finds nothing to do would call itself complete."""
    known = {row.case_id for row in store.rows(spec_id)} if only else set()
    for case in only:
        if case not in known:
            raise no_case(store.spec(spec_id).name, case, known)


def refuse_both(events: bool, as_json: bool) -> None:
    """Refuse two kinds of JSON on one stdout."""
    if events and as_json:
        raise UsageError("--events and --json both write to stdout", "one of them can", "Leave one out.")


def announce(experiment: Experiment, cases: Sequence[Case]) -> None:
    """Say what is asked for and not done, before anything is paid for or any database is touched."""
    from bothways.engine.spec.gaps import recording_gaps
    from bothways.engine.spec.unused import unused

    for sentence in (*recording_gaps(experiment, cases), *unused(experiment, cases)):
        say(sentence)


def _is_file(what: str) -> bool:
    return Path(what).suffix.lower() in (".yaml", ".yml", ".json") or Path(what).is_file()
