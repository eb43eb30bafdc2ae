"""`bothways review`: the desk on one experiment, or line by line without it."""

from __future__ import annotations

import shlex

import click

from bothways.app.cli.desk import open_desk
from bothways.app.cli.options import comparison, db_path, reviewer_option, subcommand
from bothways.engine.errors import UsageError

__all__ = ["command"]


@subcommand(
    "review",
    "bothways review refund-flow --reviewer kim",
    "bothways review refund-flow --plain --reviewer kim",
    "bothways review refund-flow --blind --reviewer kim",
)
@comparison
@reviewer_option
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, pipes and small terminals.")
@click.option("--blind", is_flag=True, help="Names and judge are hidden until you vote; remembered.")
def command(
    experiment: str, candidate: str | None, judge: str | None, reviewer: str | None, plain: bool, blind: bool
) -> None:
    """Read the queued rows of EXPERIMENT, worst first, and say what you think."""
    if not plain:
        open_desk(
            headless=f"bothways review {shlex.quote(experiment)} --plain --reviewer NAME",
            experiment=experiment, candidate=candidate, judge=judge, reviewer=reviewer,
            blind=blind,
        )  # fmt: skip
        return
    from contextlib import closing
    from functools import partial

    from bothways.app.cli.database import opened
    from bothways.app.cli.line_by_line import walk
    from bothways.app.desk.editor import edit
    from bothways.app.desk.keys import remap
    from bothways.app.desk.settings import read_settings, settings_path
    from bothways.app.desk.sitting import Pairing, Sitting
    from bothways.app.desk.state import Memory
    from bothways.app.streams import say

    settings, problem = read_settings(settings_path())
    if problem is not None:
        say(f"These settings do not count: {problem}")
    remap(settings.keys)
    reviewer = reviewer or settings.reviewer
    if not reviewer:
        raise UsageError("Who reviews?", "a review is signed", "Add --reviewer NAME.")

    editor = partial(edit, asked=settings.editor)
    with opened() as store, closing(Sitting(db_path(), Memory.read(), reviewer, editor=editor)) as sitting:
        if blind:
            sitting.set_blind(experiment, on=True)
        walk(store, sitting, Pairing(experiment, candidate, judge))
