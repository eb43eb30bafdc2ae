"""`bothways gate`: the conditions, the decision, and its signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bothways.app.cli.database import opened, warn_of_broken
from bothways.app.cli.options import comparison, json_option, reviewer_option, subcommand
from bothways.app.cli.plain import table
from bothways.app.streams import put, put_json, say
from bothways.engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bothways.engine.analysis.model import Evidence
    from bothways.engine.decisions import Checked
    from bothways.engine.gate.model import GateResult

__all__ = ["command"]


@subcommand(
    "gate",
    "bothways gate refund-flow --json",
    "bothways gate refund-flow --decide --reviewer kim --note 'as discussed'",
)
@comparison
@click.option("--decide", is_flag=True, help="Record the decision as it stands, signed.")
@reviewer_option
@click.option("--note", default="", help="What the record should say beside the decision.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    experiment: str,
    candidate: str | None,
    judge: str | None,
    decide: bool,
    reviewer: str | None,
    note: str,
    as_json: bool,
) -> None:
    """Show the gate of EXPERIMENT as it stands.

    Exit 0 ship, 1 do not ship, 3 needs review, 4 inconclusive, 2 usage or data error.
    """
    from bothways.app.reading import reading
    from bothways.engine.decisions import decide as decision_body
    from bothways.engine.decisions import on_record
    from bothways.engine.gate.json import as_json as gate_json

    if decide and not reviewer:
        raise UsageError("Who decides?", "a decision is signed", "Add --reviewer NAME.")
    with (
        opened() as store,
        reading(store, experiment, candidate=candidate, judge=judge, to_write=decide) as (
            evidence,
            result,
            at,
        ),
    ):
        warn_of_broken(store)
        record = None
        if decide:
            body = decision_body(evidence, result, reviewer=reviewer or "", note=note, at=at)
            record = store.append("decision", body, at)
        signed = on_record(store, evidence, result)
    if record is not None:
        say(f"Signed by {reviewer}: record {record.seq} of this file, hash {record.hash[:12]}")
    if as_json:
        put_json({**gate_json(result), "on_record": [one.as_json() for one in signed]})
    else:
        put(_text(evidence, result, signed))
    ctx.exit(result.decision.exit_code)


def _text(evidence: Evidence, result: GateResult, signed: Iterable[Checked]) -> str:
    from bothways.engine.analysis.outdated import outdated_words

    against = f"{evidence.candidate} against {evidence.experiment.baseline.name}"
    judged = f"by {evidence.judge}" if evidence.judge else "judged by nobody"
    head = f"{result.decision.words}: {against}, {judged}"
    conditions = table(
        ("STATE", "CONDITION", ""),
        [(c.state.value.upper(), c.words, c.detail) for c in result.conditions],
    )
    reasons = "\n".join(f"- {reason}" for reason in result.reasons)
    outdated = f"Note: {outdated_words(len(evidence.outdated))}" if evidence.outdated else ""
    records = "\n".join(f"On record: {one.words}: {one.validity.value}; {one.why}" for one in signed)
    return "\n\n".join(part for part in (head, conditions, reasons, outdated, records) if part)
