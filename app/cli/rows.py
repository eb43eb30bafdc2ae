"""`bothways rows`: every row with its outcome, and why it is in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened
from bothways.app.cli.options import comparison, json_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.desk.review.signs import DECIDES, DONE
from bothways.app.streams import put, put_json

if TYPE_CHECKING:
    from bothways.engine.analysis.model import Evidence, RowEvidence
    from bothways.engine.facts import JsonObject
    from bothways.engine.gate.queue import QueueItem

__all__ = ["command"]

HEAD = ("CASE", "OUTCOME", "FIRST", "SECOND", "FINAL", "STAKES", "WHY")


@subcommand("rows", "bothways rows refund-flow --queue", "bothways rows refund-flow --judge claude --json")
@comparison
@click.option("--queue", "queued", is_flag=True, help="Worst first, and only what is still to be read.")
@json_option
def command(experiment: str, candidate: str | None, judge: str | None, queued: bool, as_json: bool) -> None:
    """Show the rows of EXPERIMENT: both passes, what they add up to, and why each is queued.

    ± marks a row on which a review could still change the decision.
    """
    from bothways.app.reading import reading
    from bothways.engine.gate.impact import impact
    from bothways.engine.gate.queue import queue

    with (
        opened() as store,
        reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, _),
    ):
        items = queue(evidence, result, impact(evidence, result))
    why = {item.row_id: item for item in items}
    rows = {row.row_id: row for row in evidence.rows}
    chosen = [rows[item.row_id] for item in items if not item.done] if queued else list(evidence.rows)
    if as_json:
        put_json([_object(row, why.get(row.row_id)) for row in chosen])
    else:
        put(table(HEAD, [_cells(evidence, row, why.get(row.row_id)) for row in chosen]))


def _object(row: RowEvidence, item: QueueItem | None) -> JsonObject:
    standing = row.standing
    return {
        "row": row.row_id,
        "position": row.position,
        "case": row.case_id,
        "outcome": row.outcome.value,
        "winner": row.winner,
        "first": row.first,
        "second": row.second,
        "judge_verdict": row.judged,
        "human_verdict": standing.verdict if standing else None,
        "final": row.final,
        "reviewer": standing.reviewer if standing and standing.verdict else None,
        "note": standing.note if standing else None,
        "high_stakes": row.high_stakes,
        "tags": dict(row.tags),
        "failed": list(row.failed),
        "tools": row.tools.value,
        "queue": {"reason": item.reason, "detail": item.detail, "done": item.done, "decides": item.decides}
        if item
        else None,
    }


def _cells(evidence: Evidence, row: RowEvidence, item: QueueItem | None) -> tuple[object, ...]:
    outcome = row.outcome.value.replace("_", " ") + (f" {evidence.said(row.winner)}" if row.winner else "")
    signs = ((DONE, item.done), (DECIDES, item.decides)) if item else ()
    why = " ".join([item.reason if item else "", *(one.sign for one, holds in signs if holds)])
    both_bad = row.standing is not None and row.standing.both_bad
    first, second = (evidence.said(one) if one else "–" for one in (row.first, row.second))
    final = evidence.said(row.final, both_bad=both_bad) if row.final else "–"
    stakes = "high" if row.high_stakes else ""
    return row.case_id, outcome, first, second, final, stakes, why
