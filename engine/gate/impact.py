"""Which reviews could still change the decision: computed, not guessed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import get_args

from bothways.engine.analysis.model import Evidence, RowEvidence, Standing, Verdict
from bothways.engine.gate.gate import decision_in
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.gate.situation import situation

__all__ = ["impact"]

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def impact(evidence: Evidence, result: GateResult) -> frozenset[int]:
    """Return the ids of the rows that nobody has reviewed and whose review could change the decision.

    A row counts where one verdict on it alone gives another decision, or where it is one of the missing
    required reviews and these together do. Rows that are alike to every condition are tried once.
    """
    now = situation(evidence, close=bool(result.figures["close"]))
    missing = set(now.missing)
    together = bool(missing) and _together(evidence, missing, close=now.close, decision=result.decision)
    tried: dict[Hashable, bool] = {}
    found: list[int] = []
    for row in evidence.rows:
        if row.standing is not None and row.standing.verdict is not None:
            continue
        if row.case_id in missing and together:
            found.append(row.row_id)
            continue
        alike = (row.high_stakes, row.outcome, row.winner, row.case_id in missing)
        if alike not in tried:
            tried[alike] = any(
                decision_in(now.reviewed(row, verdict)) is not result.decision for verdict in _VERDICTS
            )
        if tried[alike]:
            found.append(row.row_id)
    return frozenset(found)


def _together(evidence: Evidence, missing: set[str], *, close: bool, decision: Decision) -> bool:
    """Say whether all missing reviews, given the same verdict or as the judge said, change the decision."""
    for verdict in (None, *_VERDICTS):
        rows = [_reviewed(row, verdict) if row.case_id in missing else row for row in evidence.rows]
        if decision_in(situation(replace(evidence, rows=rows), close=close)) is not decision:
            return True
    return False


def _reviewed(row: RowEvidence, verdict: Verdict | None) -> RowEvidence:
    standing = row.standing or Standing()
    return row._replace(standing=standing._replace(verdict=verdict or row.judged or "tie"))
