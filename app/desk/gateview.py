"""The gate in words and rows: what the gate screen and the line below the review say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.stats import percent_at, share
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import Condition, Decision, GateResult
from bothways.engine.ledger import Record
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
    shown = percent_at(share(wins, of), threshold)
    return f"{wins} of {of} ({shown}, {_percent(rate.get('threshold'))} needed)"


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
    if evidence.one_change[1]:
        lines += [(), (Run("What changed: ", "muted"), Run(evidence.one_change[1]))]
    return [*lines, *(line(f"! {warning}", "warn") for warning in evidence.warnings)]


def _decided_alone(alone: Mapping[str, JsonValue]) -> str:
    decision = alone.get("decision")
    return f"  → {Decision(str(decision)).words}" if decision is not None else ""


_HONEST = {
    "flip_rate": "flip rate",
    "first_shown_rate": "named what was shown first",
    "sign_test_p": "exact sign test, p",
    "e_value": "e-value (20 is strong)",
    "false_ship_chance": "two equal prompts would pass",
    "joint_false_ship_chance": "… with all that was tried on this snapshot",
}


def _figures(figures: JsonObject) -> Iterator[Line]:
    rates = ("flip_rate", "first_shown_rate", "false_ship_chance", "joint_false_ship_chance")
    for name, words in _HONEST.items():
        if name in figures:
            value = figures[name]
            shown = "unknown" if value is None else _percent(value) if name in rates else _number(value)
            yield (Run(f"{words}: ", "muted"), Run(shown))
    interval = _object(figures.get("win_rate")).get("wilson95")
    if isinstance(interval, list) and len(interval) == 2:
        close = " · close" if figures.get("close") else ""
        yield (
            Run("95 % interval of the win rate: ", "muted"),
            Run(f"{_percent(interval[0])} to {_percent(interval[1])}{close}"),
        )


def signature(records: Sequence[Record], facts_hash: str) -> Line:
    """Return who signed last, when and which record; a signature under other facts says what it was for."""
    if not records:
        return ()
    body, record = records[-1].body, records[-1]
    by = f"signed by {body.get('reviewer')} on {record.at[:10]}, {record.hash[:12]}"
    if body.get("facts_hash") == facts_hash:
        return (Run(f" · {by}", "good"),)
    words = Decision(str(body["decision"])).words
    return (Run(f" · superseded: {words}, {by}", "warn"),)


def decisions_page(records: Sequence[Record], facts_hash: str) -> list[Line]:
    """Return the decisions on record, newest first; one that later facts overtook is marked."""
    if not records:
        return [line("nothing is signed yet", "muted")]
    lines: list[Line] = [line("Decisions on record", "title")]
    for record in reversed(records):
        body = record.body
        old = body.get("facts_hash") != facts_hash
        mark = Run(" superseded: facts came after it", "warn") if old else Run(" stands", "good")
        lines.append((decision_run(Decision(str(body["decision"]))), mark))
        lines.append(
            line(f"  {record.at} · {body.get('reviewer')} · record {record.seq} · {record.hash[:12]}")
        )
        if body.get("note"):
            lines.append(line(f"  {body['note']}"))
    return lines


def _object(value: JsonValue | None) -> Mapping[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def _percent(value: JsonValue) -> str:
    return f"{float(value) * 100:.1f} %" if isinstance(value, int | float | str) else "unknown"


def _number(value: JsonValue) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    counts = _object(result.figures.get("outcomes"))
    rate = result.figures.get("flip_rate")
    flips = f"{counts.get('flip')} flips" + (f" ({_percent(rate)})" if rate is not None else "")
    alone = tally(result.figures, "judge_alone")
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
