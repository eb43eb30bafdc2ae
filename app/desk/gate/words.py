"""The gate in words and rows: its conditions, who signed, and what was decided before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bothways.app.desk.gateline import decision_run
from bothways.app.desk.keys import press
from bothways.engine.decisions import Checked, Validity
from bothways.engine.gate.model import Condition, Decision
from bothways.engine.ledger import Record
from bothways.widgets.pages.conditions import ConditionView
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = ["condition_view", "decisions_page", "record_page", "signature"]


def condition_view(condition: Condition) -> ConditionView:
    """Return one condition as the list and the page show it."""
    figures = tuple((name.replace("_", " "), str(value)) for name, value in condition.figures.items())
    return ConditionView(
        condition.name,
        condition.state.value,
        condition.detail,
        len(condition.rows),
        figures,
        condition.resolve,
    )


def signature(decisions: Sequence[Checked]) -> Line:
    """Return who signed last, when, and which record; what no longer holds says what it was for."""
    if not decisions:
        return (Run(" · nothing is signed yet", "muted"),)
    last = decisions[-1]
    said = last.signed if last.validity is Validity.STANDS else f"{last.validity}: {last.words}"
    return (Run(f" · {said}, {last.record.hash[:12]}", _TONES[last.validity]),)


_TONES: Mapping[Validity, Tone] = {
    Validity.STANDS: "good",
    Validity.SUPERSEDED: "warn",
    Validity.DOES_NOT_FOLLOW: "bad",
}


def decisions_page(decisions: Sequence[Checked]) -> list[Line]:
    """Return the decisions on record, newest first, with whether they still follow from the facts."""
    if not decisions:
        return [line(f"No decision is on record; {press('gate.sign')} signs the one that stands.", "muted")]
    lines: list[Line] = [line("Decisions on record, the newest first", "title")]
    for record, validity, why in reversed(decisions):
        lines += [(), *record_page(record), (Run(f"  {validity}: {why}", _TONES[validity]),)]
    return lines


def record_page(record: Record) -> list[Line]:
    """Return one decision on record: what was decided, by whom, when, with what note, and its whole hash."""
    body = record.body
    note = [(Run("  note  ", "muted"), Run(str(body["note"])))] if body.get("note") else []
    return [
        (decision_run(Decision(str(body["decision"]))), Run(f"  signed by {body.get('reviewer')}")),
        line(f"  record {record.seq} · {record.at}", "muted"),
        *note,
        line("  with this hash:", "muted"),
        line(record.hash),
    ]
