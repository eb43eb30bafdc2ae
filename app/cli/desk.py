"""The way from the command line into the desk, where there is a terminal to show it on."""

from __future__ import annotations

import os

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import db_path
from bothways.app.streams import at_terminal
from bothways.engine.errors import UsageError
from bothways.store.glance import glance

__all__ = ["open_desk"]


def open_desk(
    *,
    headless: str,
    experiment: str | None = None,
    candidate: str | None = None,
    judge: str | None = None,
    reviewer: str | None = None,
    blind: bool = False,
) -> None:
    """Open the desk, in the review of `experiment` where one is named, which may be read `blind`.

    Raises UsageError naming the command to use instead where stdin or stdout is no terminal, or one
    without a screen; and where there is no such experiment, as every other command does.
    """
    if not at_terminal():
        raise UsageError(f"The desk needs a terminal; without one: {headless}")
    if os.environ.get("TERM") in ("dumb", "unknown"):
        cause = f"TERM={os.environ['TERM']} says that this one has no cursor to move"
        raise UsageError("The desk needs a screen", cause, f"Line by line: {headless}")
    if experiment and all(one.experiment != experiment for one in glance(db_path())):
        with opened() as store:  # slower than a glance, and it knows why
            newest(store, experiment)
    from bothways.app.shell.run import run_desk

    run_desk(
        db_path(),
        screen="review" if experiment else "experiments",
        experiment=experiment,
        candidate=candidate,
        judge=judge,
        reviewer=reviewer,
        blind=blind,
    )
