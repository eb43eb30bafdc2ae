"""`bothways judges`: how each judge has been doing, over all experiments of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bothways.app.cli.database import opened
from bothways.app.cli.options import json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.streams import put, put_json, say
from bothways.engine.text import visible_line

if TYPE_CHECKING:
    from bothways.engine.analysis.judges import JudgeHistory, Judging

__all__ = ["command"]

_HEAD = ("EXPERIMENT", "DATE", "ROWS", "FLIPS", "UNREADABLE", "1ST SHOWN", "PEOPLE", "MODEL")


@subcommand("judges", "bothways judges", "bothways judges --json")
@json_option
def command(as_json: bool) -> None:
    """Show every judge's experiments by the date of its passes, the oldest first.

    ROWS were judged both ways; FLIPS is the share of them on which the two verdicts differ, UNREADABLE that
    of passes without a verdict, 1ST SHOWN that of decisive verdicts for the answer shown first (0.5 is even),
    PEOPLE how often a decided row has the verdict of the people who read it, and how many were confirmed in
    bulk, which nobody read. A judge that flips more often than in all its earlier experiments, or that has
    changed under its name, is pointed out.
    """
    from bothways.engine.analysis.judges import judge_history

    with opened() as store, store.view():
        found = judge_history(store)
    if as_json:
        put_json({"judges": [one.as_json() for one in found]})
    elif found:
        put("\n\n".join(map(_text, found)))
    else:
        say("No judge has judged anything yet. Run a spec that has one, or import pairs that were judged.")


def _text(history: JudgeHistory) -> str:
    rows = table(_HEAD, [_cells(one) for one in history.judgings])
    said = (visible_line(f"! {remark}") for remark in history.remarks)
    return "\n".join([visible_line(history.judge), rows, *said])


def _cells(one: Judging) -> tuple[object, ...]:
    return (
        one.experiment,
        one.until[:10],
        one.rows,
        _share(one.flips, one.rows),
        _share(one.unreadable, one.passes),
        _share(*one.first_shown),
        _people(one),
        ", ".join(one.models) or "–",
    )


def _people(one: Judging) -> str:
    agree = f"{_share(one.people.agree, one.people.n)} of {one.people.n}" if one.people.n else "–"
    return f"{agree}, {one.unread} in bulk, unread" if one.unread else agree


def _share(part: int, of: int) -> str:
    return f"{part / of:.3f}" if of else "–"
