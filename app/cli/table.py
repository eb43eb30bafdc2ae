"""The commands there are: name, module, and the line that `bothways --help` shows. Imports nothing."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "Entry"]


class Entry(NamedTuple):
    """One command: its module in `bothways.app.cli` holds it under the name `command`."""

    name: str
    module: str
    help: str


COMMANDS = {
    entry.name: entry
    for entry in (
        Entry("demo", "demo", "The sample project: run it by replay, then open the review."),
        Entry("init", "init", "Scaffold a project: spec, cases and prompt, with comments that teach."),
        Entry("check", "check", "Validate a spec and show what it would take; calls no model."),
        Entry("freeze", "freeze", "Get the baseline's answers alone, before any candidate exists."),
        Entry("run", "run", "Do what the spec asks for and the database has not."),
        Entry("import", "take", "Take pairs that were answered or judged elsewhere."),
        Entry("list", "listing", "The experiments in the database."),
        Entry("show", "show", "One experiment in full."),
        Entry("rows", "rows", "Its rows with their outcomes, and why each is in the queue."),
        Entry("review", "review", "Read the pairs that matter and say what you think."),
        Entry("verdict", "verdict", "One review from a script."),
        Entry("gate", "gate", "The gate as it stands; --decide signs the decision."),
        Entry("report", "report", "The report."),
        Entry("export", "export", "Rows with every pass and review."),
        Entry("merge", "merge", "Bring in the reviews that others made on a copy."),
        Entry("snapshot", "snapshot", "A dated folder of one variant's answers and tool logs."),
        Entry("agreement", "agreement", "The judge against people, people among themselves."),
        Entry("judges", "judges", "Each judge over all experiments: is it as steady as it was?"),
        Entry("verify", "verify", "Check the append-only records and their hashes."),
        Entry("doctor", "doctor", "Terminal, settings, database, keys and providers."),
    )
}
