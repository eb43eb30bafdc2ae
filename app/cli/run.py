"""`bothways run`: do what the spec asks for and the database has not."""

from __future__ import annotations

import shlex
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import newest, now, opened
from bothways.app.cli.options import subcommand
from bothways.app.cli.streams import say
from bothways.engine.errors import UsageError

if TYPE_CHECKING:
    from bothways.engine.facts import Case
    from bothways.engine.run.options import RunOptions, RunSummary
    from bothways.engine.spec.model import Experiment
    from bothways.store import Store

__all__ = ["command", "concurrency_option", "events_option", "read_spec", "work"]

concurrency_option = click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Calls in flight, in all."
)
events_option = click.option(
    "--events", is_flag=True, help="One JSON line on stdout for everything that happens."
)


@subcommand(
    "run",
    "bothways run experiment.yaml",
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
) -> None:
    """Run SPEC (a file), or an EXPERIMENT that is in the database: whatever is missing, nothing twice.

    Exit 0 complete, 5 stopped early (budget, Ctrl-C, errors left), 2 usage or data error.
    """
    from bothways.engine.run.options import RunOptions

    asked = read_spec(what) if _is_file(what) else None
    with opened(create=asked is not None) as store:
        spec_id = store.add(*asked, now()) if asked else _known(store, what)
        _check_cases(store, spec_id, only)
        extend = (*(("take",) if rejudge else ()), *(("night",) if again else ()))
        options = RunOptions(concurrency, budget, limit, frozenset(only), retry_failed, extend=extend)
        ctx.exit(work(store, spec_id, options, events=events))


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
            near = get_close_matches(case, known)
            hint = f"Did you mean {', '.join(near)}?" if near else ""
            raise UsageError(f"There is no case {case!r}", f"the {len(known)} cases have other ids", hint)


def work(store: Store, spec_id: int, options: RunOptions, *, events: bool) -> int:
    """Run to the end or to where it stops, say how it went, and return the exit code."""
    from bothways.app.runs import run_here

    name = store.spec(spec_id).name
    _say_what_was_interrupted(store, name, spec_id)
    summary = run_here(store, spec_id, options, events=events)
    state = _state(store, spec_id, summary)
    say(
        f"{state}: {summary.answered} answers, {summary.judged} passes, {summary.calls} calls, "
        f"{summary.cost_usd:.4f} USD spent so far" + _beside(summary.unknown_costs)
    )
    name = shlex.quote(name)
    if summary.state != "complete":
        say(f"{summary.reason}. Go on with: bothways run {name}")
        return STOPPED
    say(
        f"Next: bothways run {name}"
        if options.freeze or summary.missing
        else f"Next: bothways review {name}, bothways gate {name}"
    )
    return 0


def _state(store: Store, spec_id: int, summary: RunSummary) -> str:
    """Say how the run ended; one that was asked for a part says of how many rows nothing is missing."""
    if not summary.missing:
        return summary.state
    rows = len(store.row_ids(spec_id))
    return f"{summary.state} ({rows - summary.missing} of {rows} rows)"


def _say_what_was_interrupted(store: Store, name: str, spec_id: int) -> None:
    """Say what is there of a run that died, before going on with it."""
    runs = store.runs(name)
    if not runs or runs[0].state != "interrupted":
        return
    found = store.progress(spec_id)
    there, asked = found.answers.done + found.passes.done, found.expected_answers + found.expected_passes
    lost = f", {found.possibly_billed} calls possibly billed" if found.possibly_billed else ""
    say(f"interrupted run: {there} of {asked} units there{lost}; going on")


def _beside(unknown: int) -> str:
    return f", and {unknown} calls whose cost is unknown" if unknown else ""


STOPPED = 5
"""Exit code of a run that ended early."""


def _is_file(what: str) -> bool:
    return Path(what).suffix.lower() in (".yaml", ".yml", ".json") or Path(what).is_file()
