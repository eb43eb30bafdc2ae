"""Rows and evidence made to order, for properties of the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from hypothesis import strategies as st
from tests.engine.shop import experiment

from bothways.engine.analysis.model import Evidence, Outcome, RowEvidence, Side, Standing, ToolState, Verdict
from bothways.engine.gate.model import GateResult
from bothways.engine.spec.model import Experiment

__all__ = ["evidence_of", "figure", "reviewed", "rows"]

_OUTCOMES: list[tuple[Outcome, Side | None, Verdict | None, Verdict | None]] = [
    (Outcome.WIN, "candidate", "candidate", "candidate"),
    (Outcome.WIN, "baseline", "baseline", "baseline"),
    (Outcome.TIE, None, "tie", "tie"),
    (Outcome.FLIP_HARD, None, "candidate", "baseline"),
    (Outcome.FLIP_SOFT, None, "tie", "candidate"),
    (Outcome.UNANSWERED, None, None, "candidate"),
    (Outcome.ERROR, None, None, None),
]


@st.composite
def rows(draw: st.DrawFn, *, most: int = 12, high_stakes: bool | None = None) -> list[RowEvidence]:
    """Draw rows of every outcome that has been tried, some of them reviewed, some with changed tools."""
    made: list[RowEvidence] = []
    for number in range(draw(st.integers(0, most))):
        outcome, winner, first, second = draw(st.sampled_from(_OUTCOMES))
        failed = draw(st.sampled_from([("candidate",), ("baseline",)])) if outcome is Outcome.ERROR else ()
        stakes = draw(st.booleans()) if high_stakes is None else high_stakes
        verdict = draw(st.sampled_from([None, None, "candidate", "baseline", "tie"]))
        tools = draw(st.sampled_from([ToolState.NONE] * 6 + [ToolState.CHANGED, ToolState.BROKEN]))
        signed = draw(st.sampled_from([None, "ok", "ok", "bad"]))
        standing = Standing(verdict=verdict, tools=signed) if verdict or signed else None
        made.append(
            RowEvidence(
                number,
                f"c{number}",
                number,
                {},
                stakes,
                outcome,
                winner,
                first,
                second,
                failed,
                tools,
                standing,
            )
        )
    return made


def figure(result: GateResult, name: str) -> dict[str, int]:
    """One of the gate's figures that is a table of counts."""
    return cast("dict[str, int]", result.figures[name])


def reviewed(row: RowEvidence, verdict: Verdict) -> RowEvidence:
    """The row after a person gave a verdict."""
    return row._replace(standing=(row.standing or Standing())._replace(verdict=verdict))


def evidence_of(found: Sequence[RowEvidence], spec: Experiment | None = None) -> Evidence:
    """Evidence that holds these rows, with their passes counted."""
    first, second = (
        Counter(r.first or "unreadable" for r in found),
        Counter(r.second or "unreadable" for r in found),
    )
    return Evidence(
        experiment=spec or experiment(),
        spec_id=1,
        candidate="v5",
        judge="judge",
        rows=found,
        passes={"first": first, "second": second},
        first_shown=(0, 0),
        one_change=(True, "one change"),
    )
