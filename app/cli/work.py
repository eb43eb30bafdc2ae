"""The work of one run in this process, and what is said before and after it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from bothways.app.cli.options import command_line
from bothways.app.exits import STOPPED_EARLY
from bothways.app.streams import put_json, say
from bothways.engine.text import counted, usd

if TYPE_CHECKING:
    from bothways.engine.run.options import RunOptions, RunSummary
    from bothways.store import Store

__all__ = ["work"]


def work(
    store: Store, spec_id: int, options: RunOptions, *, events: bool = False, as_json: bool = False
) -> int:
    """Run to the end or to where it stops, say how it went, and return the exit code."""
    from bothways.app.runs import run_here

    name = store.spec(spec_id).name
    _say_what_was_interrupted(store, name, spec_id)
    summary = run_here(store, spec_id, options, events=events)
    if as_json:
        put_json({"experiment": name, **asdict(summary)})
    _tell(summary, _state(store, spec_id, summary), name, freeze=options.freeze)
    _say_what_counts_no_longer(store, spec_id)
    return 0 if summary.state == "complete" else STOPPED_EARLY


def _tell(summary: RunSummary, state: str, name: str, *, freeze: bool) -> None:
    say(
        f"{state}: {counted(summary.answered, 'answer')}, {counted(summary.judged, 'pass', 'passes')}, "
        f"{counted(summary.calls, 'call')}, "
        f"{usd(summary.cost_usd, 4)} spent so far" + _beside(summary.unknown_costs)
    )
    if summary.state != "complete":
        say(f"{summary.reason}. Go on with: {command_line('run', name)}")
    elif freeze or summary.missing:
        say(f"Next: {command_line('run', name)}")
    else:
        say(f"Next: {command_line('review', name)}, {command_line('gate', name)}")


def _state(store: Store, spec_id: int, summary: RunSummary) -> str:
    """Say how the run ended; one that was asked for a part says of how many rows nothing is missing."""
    if not summary.missing:
        return summary.state
    rows = len(store.row_ids(spec_id))
    return f"{summary.state} ({rows - summary.missing} of {counted(rows, 'row')})"


def _say_what_was_interrupted(store: Store, name: str, spec_id: int) -> None:
    """Say what is there of a run that died, before going on with it."""
    runs = store.runs(name)
    if not runs or runs[0].state != "interrupted":
        return
    found = store.progress(spec_id)
    there, asked = found.answers.done + found.passes.done, found.expected_answers + found.expected_passes
    lost = f", {counted(found.possibly_billed, 'call')} possibly billed" if found.possibly_billed else ""
    say(f"interrupted run: {there} of {counted(asked, 'unit')} there{lost}; going on")


def _say_what_counts_no_longer(store: Store, spec_id: int) -> None:
    from bothways.engine.analysis.outdated import outdated, outdated_words

    with store.view():
        rows = len({case for _, case in outdated(store, spec_id)})
    if rows:
        say(f"Note: {outdated_words(rows)}; bothways gate --json names them as reviews.outdated")


def _beside(unknown: int) -> str:
    return f", and {counted(unknown, 'call')} whose cost is unknown" if unknown else ""
