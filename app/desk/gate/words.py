"""The gate in words and rows: what the gate screen and the line below the review say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bothways.app.desk.keys import press
from bothways.engine.analysis.stats import percent
from bothways.engine.analysis.tally import Votes
from bothways.engine.decisions import Checked, Validity
from bothways.engine.gate.figures import Figures, WinRate
from bothways.engine.gate.model import Condition, Decision, GateResult
from bothways.engine.ledger import Record
from bothways.engine.text import agreeing, counted
from bothways.widgets.pages.conditions import ConditionView
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = [
    "condition_view", "decision_run", "decisions_page", "gate_line", "outcome_line", "record_page",
    "signature", "win_rate",
]  # fmt: skip

_SIGNS: Mapping[Decision, tuple[str, Tone]] = {
    Decision.SHIP: ("✓", "good"),
    Decision.DO_NOT_SHIP: ("✗", "bad"),
    Decision.NEEDS_REVIEW: ("!", "warn"),
    Decision.INCONCLUSIVE: ("?", "warn"),
}


def decision_run(decision: Decision) -> Run:
    """Return a decision with its sign, its words and its colour."""
    sign, tone = _SIGNS[decision]
    return Run(f"{sign} {decision.words}", tone)


def gate_line(result: GateResult, signed: Line = ()) -> Line:
    """Return the gate in one line, what matters most in front: a narrow screen cuts the end."""
    figures = result.figures
    missing = len(result.waiting)
    waits = f" · {counted(missing, 'required row')} {agreeing(missing, 'waits', 'wait')}" if missing else ""
    standing = f" · final {_tally(figures, figures.final)} · win rate {win_rate(figures.win_rate)}"
    return (Run(" "), decision_run(result.decision), Run(waits), *signed, Run(standing))


def win_rate(rate: WinRate) -> str:
    """Return wins of decided rows, the percentage, and the threshold."""
    needed = percent(rate.threshold, rate.threshold)
    return f"{rate.wins} of {rate.of} ({rate.percent}, {needed} needed)"


def _tally(figures: Figures, votes: Votes) -> str:
    """Return candidate–baseline–tie, and how many are undecided."""
    undecided = figures.left(votes)
    words = "–".join(map(str, votes.named.values()))
    return f"{words}, {undecided} undecided" if undecided else words


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


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    figures = result.figures
    flips = f"{counted(figures.flips.number, 'flip')} ({figures.flips.percent})"
    alone = _tally(figures, figures.alone)
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
