"""`bothways review`: the desk on one experiment, or line by line without it."""

from __future__ import annotations

import shlex

import click

from bothways.app.cli.desk import open_desk
from bothways.app.cli.options import comparison, reviewer_option, subcommand
from bothways.engine.errors import UsageError

__all__ = ["command"]


@subcommand(
    "review",
    "bothways review refund-flow --reviewer kim",
    "bothways review refund-flow --plain --reviewer kim",
)
@comparison
@reviewer_option
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, pipes and small terminals.")
def command(
    experiment: str, candidate: str | None, judge: str | None, reviewer: str | None, plain: bool
) -> None:
    """Read the queued rows of EXPERIMENT, worst first, and say what you think."""
    if not plain:
        open_desk(
            headless=f"bothways review {shlex.quote(experiment)} --plain --reviewer NAME",
            experiment=experiment, candidate=candidate, judge=judge, reviewer=reviewer,
        )  # fmt: skip
        return
    from functools import partial

    from bothways.app.cli.database import opened
    from bothways.app.cli.line_by_line import walk
    from bothways.app.desk.editor import edit
    from bothways.app.desk.keys import remap
    from bothways.app.desk.settings import read_settings, settings_path
    from bothways.app.streams import say

    settings, problem = read_settings(settings_path())
    if problem is not None:
        say(f"These settings do not count: {problem}")
    remap(settings.keys)
    reviewer = reviewer or settings.reviewer
    if not reviewer:
        raise UsageError("Who reviews?", "a review is signed", "Add --reviewer NAME.")

    with opened() as store:
        editor = partial(edit, asked=settings.editor)
        walk(store, experiment, candidate=candidate, judge=judge, reviewer=reviewer, editor=editor)
