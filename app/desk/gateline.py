"""How the gate stands, in one line: below a review, above the conditions, beside a run."""

from __future__ import annotations

from collections.abc import Mapping

from bothways.engine.analysis.stats import percent
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.figures import Figures, WinRate
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.text import agreeing, counted
from bothways.widgets.plain import Line, Run, Tone

__all__ = ["decision_run", "gate_line", "outcome_line", "win_rate"]

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


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    figures = result.figures
    flips = f"{counted(figures.flips.number, 'flip')} ({figures.flips.percent})"
    alone = _tally(figures, figures.alone)
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
