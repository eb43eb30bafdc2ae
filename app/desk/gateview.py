"""The gate in words and rows: what the gate screen and the line below the review say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.stats import percent, share
from bothways.engine.decisions import Checked, Validity
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import Condition, Decision, GateResult
from bothways.widgets.pages.conditions import ConditionView
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = ["condition_view", "decision_run", "decisions_page", "gate_line", "honest_page", "signature"]

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
    words = [f"final {tally(figures, 'final')}"]
    if missing:
        words.append(f"{missing:,} required {'row waits' if missing == 1 else 'rows wait'}")
    words.append(f"win rate {win_rate(figures)}")
    return (Run(" "), decision_run(result.decision), *signed, Run("".join(f" · {word}" for word in words)))


def win_rate(figures: JsonObject) -> str:
    """Return wins of decided rows, the percentage, and the threshold."""
    rate = _object(figures.get("win_rate"))
    wins, of = _count(rate.get("wins")), _count(rate.get("of"))
    threshold = Fraction(str(rate.get("threshold")))
    return f"{wins} of {of} ({percent(share(wins, of), threshold)}, {percent(threshold, threshold)} needed)"


def flip_rate(figures: JsonObject) -> str:
    """Return the share of flips among the rows with two readable passes, as the gate compares it."""
    flips, of = _count(_object(figures["outcomes"])["flip"]), _count(figures["flip_rate_of"])
    return percent(share(flips, of), Fraction(str(figures["max_flip_rate"])))


def tally(figures: JsonObject, name: str) -> str:
    """Return candidate–baseline–tie, and how many are undecided."""
    counts = _object(figures.get(name))
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


def honest_page(evidence: Evidence, result: GateResult) -> list[Line]:
    """Return the decision with its reasons, judge alone beside final, and the figures that keep it honest."""
    figures = result.figures
    alone = _object(figures.get("judge_alone"))
    lines: list[Line] = [
        (Run("Decision: "), decision_run(result.decision)),
        *((Run("  · "), Run(reason)) for reason in result.reasons),
        (),
        line(f"{evidence.candidate} – {evidence.experiment.baseline.name} – equal", "muted"),
        (Run("final        "), Run(tally(figures, "final"), "strong")),
        (Run("judge alone  "), Run(tally(figures, "judge_alone"), "strong"), Run(_decided_alone(alone))),
        (Run("win rate     "), Run(win_rate(figures), "strong")),
        *_figures(figures),
    ]
    lines += [(), (Run("What changed: ", "muted"), Run(evidence.change.sentence))]
    warnings = figures["warnings"]
    assert isinstance(warnings, list)
    return [*lines, *(line(f"! {warning}", "warn") for warning in warnings)]


def _decided_alone(alone: Mapping[str, JsonValue]) -> str:
    decision = alone.get("decision")
    return f"  → {Decision(str(decision)).words}" if decision is not None else ""


_HONEST = {
    "first_shown_rate": "named what was shown first",
    "sign_test_p": "exact sign test, p",
    "e_value": "e-value (20 is strong)",
    "false_ship_chance": "two equal prompts would pass",
    "joint_false_ship_chance": "… with all that was tried on this snapshot",
}


_RATES = ("first_shown_rate", "false_ship_chance", "joint_false_ship_chance")


def _figures(figures: JsonObject) -> Iterator[Line]:
    yield (Run("flip rate: ", "muted"), Run(flip_rate(figures)))
    for name, words in _HONEST.items():
        value = figures[name]
        rate = percent(value) if isinstance(value, float) and name in _RATES else _number(value)
        yield (Run(f"{words}: ", "muted"), Run("unknown" if value is None else rate))
    interval = _object(figures["win_rate"])["wilson95"]
    if isinstance(interval, list):
        threshold = Fraction(str(_object(figures["win_rate"])["threshold"]))
        low, high = (percent(bound, threshold) for bound in interval if isinstance(bound, float))
        close = " · close" if figures["close"] else ""
        yield (Run("95 % interval of the win rate: ", "muted"), Run(f"{low} to {high}{close}"))


def signature(decisions: Sequence[Checked]) -> Line:
    """Return who signed last, when, and which record; what no longer holds says what it was for."""
    if not decisions:
        return ()
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
        return [line("nothing is signed yet", "muted")]
    lines: list[Line] = [line("Decisions on record", "title")]
    for record, validity, why in reversed(decisions):
        body = record.body
        mark = Run(f" {validity}: {why}", _TONES[validity])
        lines.append((decision_run(Decision(str(body["decision"]))), mark))
        by = f"{record.at} · {body.get('reviewer')} · record {record.seq} · {record.hash[:12]}"
        lines.append(line(f"  {by}"))
        if body.get("note"):
            lines.append(line(f"  {body['note']}"))
    return lines


def _object(value: JsonValue | None) -> Mapping[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def _number(value: JsonValue) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    counts = _object(result.figures.get("outcomes"))
    flips = f"{counts.get('flip')} flips ({flip_rate(result.figures)})"
    alone = tally(result.figures, "judge_alone")
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
