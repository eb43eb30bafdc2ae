"""`bothways verdict`: one review from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import no_case, opened
from bothways.app.cli.options import comparison, json_option, reviewer_option, subcommand
from bothways.app.streams import put, put_json, say
from bothways.engine.errors import ReasonWanted, RefusedError, UsageError

if TYPE_CHECKING:
    from bothways.engine.analysis.model import Evidence, RowEvidence

__all__ = ["command"]


@subcommand(
    "verdict",
    "bothways verdict refund-flow refund-missing-spork confirm --reviewer kim",
    "bothways verdict refund-flow refund-gift-card-split tie --reviewer kim --note 'both give it back'",
)
@comparison
@click.argument("case")
@click.argument("verdict", required=False)
@click.option("--tools", type=click.Choice(["ok", "bad"]), help="Sign the row's tool diff.")
@reviewer_option
@click.option("--note", default="", help="What you saw.")
@click.option(
    "--reason", default="", help="Why the judge is wrong; the note stands for it where it is left out."
)
@json_option
def command(
    experiment: str,
    case: str,
    verdict: str | None,
    candidate: str | None,
    judge: str | None,
    tools: str | None,
    reviewer: str | None,
    note: str,
    reason: str,
    as_json: bool,
) -> None:
    """Say who won CASE: baseline, candidate, tie, both-bad, or a variant's NAME.

    `both-bad` counts as a tie and joins the fix list; `confirm` agrees with the judge, on an agreed row.

    Other acts: `clear` takes your verdict away, `skip` (with --reason) leaves the row to others, `note`
    (with --note) says something without a verdict, `tools-ok` and `tools-bad` are as --tools, `undo` takes
    back your last act on the row and `redo` brings it back. --note alone is a note.
    """
    if not reviewer:
        raise UsageError("Who says so?", "a review is signed", "Add --reviewer NAME.")
    from bothways.app.reading import reading
    from bothways.engine.review import Act, Said, act, act_named, taken_for

    with (
        opened() as store,
        reading(store, experiment, candidate=candidate, judge=judge, to_write=True) as (evidence, result, at),
    ):
        acts = [act_named(evidence, verdict)] if verdict else []
        if tools:
            acts.append(Act.TOOLS_OK if tools == "ok" else Act.TOOLS_BAD)
        if not acts:
            if not note:
                raise UsageError("Nothing to record", "neither a verdict nor --tools nor --note was given")
            acts.append(Act.NOTE)
        row = _row(evidence, case)
        doubt = taken_for(reviewer, evidence.experiment.review, store.records(experiment, "review"))
        try:
            bodies = [
                act(store, evidence, result, row, what, Said(reviewer, at, note, reason=reason or note))
                for what in acts
            ]  # fmt: skip
        except ReasonWanted as error:
            raise RefusedError(error.title, error.cause, "Add --reason TEXT.") from error
        records = [store.append("review", body, at) for body in bodies]
    if doubt:
        say(doubt)
    if as_json:
        put_json([{"seq": record.seq, "hash": record.hash, **record.body} for record in records])
        return
    for what, record in zip(acts, records, strict=True):
        put(f"{case}: {what.value} by {reviewer}, record {record.seq} of this file")


def _row(evidence: Evidence, case: str) -> RowEvidence:
    found = next((row for row in evidence.rows if row.case_id == case), None)
    if found is None:
        raise no_case(evidence.experiment.name, case, [row.case_id for row in evidence.rows])
    return found
