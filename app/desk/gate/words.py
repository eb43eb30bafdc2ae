"""The gate in words and rows: what the gate screen and the line below the review say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bothways.app.desk.keys import press
from bothways.engine.analysis.stats import percent, share
from bothways.engine.decisions import Checked, Validity
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import Condition, Decision, GateResult
from bothways.engine.ledger import Record
from bothways.engine.text import agreeing, counted
from bothways.widgets.pages.conditions import ConditionView
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = [
    "condition_view", "count_of", "decision_run", "decisions_page", "flip_rate", "gate_line", "number_words",
    "object_of", "outcome_line", "record_page", "signature", "tally", "win_rate",
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
    missing = len(set(result.missing) | set(result.tool_diffs_unsigned))
    waits = f" · {counted(missing, 'required row')} {agreeing(missing, 'waits', 'wait')}" if missing else ""
    standing = f" · final {tally(figures, 'final')} · win rate {win_rate(figures)}"
    return (Run(" "), decision_run(result.decision), Run(waits), *signed, Run(standing))


def win_rate(figures: JsonObject) -> str:
    """Return wins of decided rows, the percentage, and the threshold."""
    rate = object_of(figures.get("win_rate"))
    wins, of = count_of(rate.get("wins")), count_of(rate.get("of"))
    threshold = Fraction(str(rate.get("threshold")))
    return f"{wins} of {of} ({percent(share(wins, of), threshold)}, {percent(threshold, threshold)} needed)"


def flip_rate(figures: JsonObject) -> str:
    """Return the share of flips among the rows with two readable passes, as the gate compares it."""
    flips, of = count_of(object_of(figures["outcomes"])["flip"]), count_of(figures["flip_rate_of"])
    return percent(share(flips, of), Fraction(str(figures["max_flip_rate"])))


def tally(figures: JsonObject, name: str) -> str:
    """Return candidate–baseline–tie, and how many are undecided."""
    counts = object_of(figures.get(name))
    undecided = counts.get("undecided")
    words = f"{counts.get('candidate')}–{counts.get('baseline')}–{counts.get('tie')}"
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
    record = last.record
    by = f"signed by {record.body.get('reviewer')} on {record.at[:10]}, {record.hash[:12]}"
    if last.validity is Validity.STANDS:
        return (Run(f" · {by}", "good"),)
    words = Decision(str(record.body["decision"])).words
    return (Run(f" · {last.validity}: {words}, {by}", _TONES[last.validity]),)


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


def object_of(value: JsonValue | None) -> Mapping[str, JsonValue]:
    """Return a figure that is a table of others; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def count_of(value: JsonValue | None) -> int:
    """Return a figure that is a count; 0 where it is none."""
    return value if isinstance(value, int) else 0


def number_words(value: JsonValue) -> str:
    """Return a figure with four digits that matter."""
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    counts = object_of(result.figures.get("outcomes"))
    flips = f"{counted(count_of(counts.get('flip')), 'flip')} ({flip_rate(result.figures)})"
    alone = tally(result.figures, "judge_alone")
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
