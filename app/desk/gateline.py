"""How the gate stands, in one line: below a review, above the conditions, beside a run."""

from __future__ import annotations

from collections.abc import Mapping

from bothways.engine.analysis.stats import as_set
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.figures import Figures, WinRate
from bothways.engine.gate.model import Decision, GateResult, State
from bothways.engine.text import agreeing, counted
from bothways.widgets.plain import Line, Run, Tone

__all__ = ["decision_run", "gate_lines", "outcome_line", "win_rate"]

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


def gate_lines(result: GateResult, signed: Line = ()) -> tuple[Line, ...]:
    """Return the gate in one line, in full and ever shorter; each tells what fails and what waits."""
    figures = result.figures
    rate, votes = figures.win_rate, figures.final
    counts = f"win rate {win_rate(rate)}" if rate.of else _NOTHING
    share = f"win rate {_against(rate)}" if rate.of else _NOTHING
    final = f"final {_tally(figures, votes)}"
    full = _failing(result), _waiting(result, "required row"), signed
    brief = _failing(result, named=False), _waiting(result, "row"), signed
    return (
        _line(result, *full, counts, final),
        _line(result, *brief, counts, final),
        _line(result, *brief, share, f"final {_named(votes)}"),
        _line(result, *brief, share),
        _line(result, *brief),
    )


_NOTHING = "nothing is decided"


def _line(result: GateResult, failing: str, waiting: str, signed: Line, *figures: str) -> Line:
    fails = (Run(f" · {failing}", "bad"),) if failing else ()
    behind = [Run(f" · {part}") for part in figures]
    waits = (Run(f" · {waiting}"),) if waiting else ()
    return (Run(" "), decision_run(result.decision), *fails, *waits, *signed, *behind)


def _failing(result: GateResult, *, named: bool = True) -> str:
    """Return which conditions fail, by name or where they are several by number."""
    failing = [one.words for one in result.conditions if one.state is State.FAIL]
    if not failing or named:
        return f"fails: {', '.join(failing)}" if failing else ""
    return f"{failing[0]} fails" if len(failing) == 1 else f"{len(failing)} conditions fail"


def _waiting(result: GateResult, what: str) -> str:
    missing = len(result.waiting)
    return f"{counted(missing, what)} {agreeing(missing, 'waits', 'wait')}" if missing else ""


def win_rate(rate: WinRate) -> str:
    """Return wins of decided rows, the percentage, and the threshold."""
    return f"{rate.wins} of {rate.of} ({rate.percent}, {as_set(rate.threshold)} needed)"


def _against(rate: WinRate) -> str:
    """Return the percentage, and on which side of the threshold it is."""
    reached = (rate.votes.rate(rate.ties) or 0) >= rate.threshold
    return f"{rate.percent} {'≥' if reached else '<'} {as_set(rate.threshold)}"


def _tally(figures: Figures, votes: Votes) -> str:
    """Return candidate–baseline–tie, and how many are undecided."""
    undecided = figures.left(votes)
    return f"{_named(votes)}, {undecided} undecided" if undecided else _named(votes)


def _named(votes: Votes) -> str:
    return "–".join(map(str, votes.named.values()))


def outcome_line(result: GateResult) -> str:
    """Return what the judge has said so far, in one line."""
    figures = result.figures
    flips = f"{counted(figures.flips.number, 'flip')} ({figures.flips.percent})"
    alone = _tally(figures, figures.alone)
    return f"So far: {alone} (candidate–baseline–equal) · {flips} · {result.decision.words}"
