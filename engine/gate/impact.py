"""Which reviews could still change the decision: computed, not guessed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import product
from typing import Literal, TypeAlias, get_args

from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.analysis.rows import Rows
from bothways.engine.gate.gate import decision_in
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.gate.situation import Situation, situation
from bothways.engine.standing import Rule, Standing
from bothways.engine.verdicts import Verdict

__all__ = ["impact"]

_Signature: TypeAlias = Literal["ok", "bad"]
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_SIGNATURES: tuple[_Signature, ...] = get_args(_Signature)


def impact(evidence: Evidence, result: GateResult) -> frozenset[int]:
    """Return the ids of the rows on which what people have not said yet could change the decision.

    A row counts where one more verdict on it alone gives another decision, or where it is one of those that
    wait for a required review or a signature and these together do. Rows that are alike to every condition
    are tried once.
    """
    now = situation(evidence, close=result.figures.close)
    waiting = {*now.missing, *now.unsigned}
    together = bool(waiting) and _together(now, waiting, result.decision)
    missing = set(now.missing)
    rule = Rule.of(evidence.experiment.review)
    tried: dict[Hashable, bool] = {}
    found: list[int] = []
    for row in evidence.rows:
        if row.case_id in waiting and together:
            found.append(row.row_id)
            continue
        standing = row.standing
        if standing is not None and standing.verdict is not None:
            continue
        differ = standing is not None and standing.disputed
        voices = standing.voices if standing is not None else ()
        at_once = tuple(verdict for verdict in _VERDICTS if not differ or rule.lacks(voices, verdict) == 1)
        alike = (row.high_stakes, row.outcome, row.winner, row.case_id in missing, differ, at_once)
        if alike not in tried:
            tried[alike] = any(
                decision_in(now.reviewed(row, verdict)) is not result.decision for verdict in at_once
            )
        if tried[alike]:
            found.append(row.row_id)
    return frozenset(found)


def _together(now: Situation, waiting: set[str], decision: Decision) -> bool:
    """Say whether all that wait, reviewed and signed alike or as the judge said, change the decision."""
    evidence = now.evidence
    rows = Rows.of(evidence.rows)
    places = [place for place, row in enumerate(rows.likenesses()) if row.case_id in waiting]
    verdicts = (None, *_VERDICTS) if now.missing else (None,)
    for verdict, signature in product(verdicts, _SIGNATURES if now.unsigned else _SIGNATURES[:1]):
        said = {place: _reviewed(rows[place], verdict, signature) for place in places}
        then = situation(replace(evidence, rows=rows.standing(said)), close=now.close)
        if decision_in(then) is not decision:
            return True
    return False


def _reviewed(row: RowEvidence, verdict: Verdict | None, signature: _Signature) -> Standing:
    """Return what people would have said on a row with what lacks now; what they have said stays."""
    standing = row.standing or Standing()
    if row.high_stakes and standing.verdict is None:
        standing = standing._replace(verdict=verdict or row.judged or "tie")
    if row.tools is ToolState.CHANGED and standing.tools is None:
        standing = standing._replace(tools=signature)
    return standing
