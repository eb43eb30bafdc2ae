"""Which reviews could still change the decision: computed, not guessed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.crowd import SIGNATURES, Crowd, Kind, Move, Signature
from bothways.engine.gate.model import Decision, GateResult
from bothways.engine.gate.price import VERDICTS
from bothways.engine.verdicts import Verdict

__all__ = ["impact"]


def impact(evidence: Evidence, result: GateResult) -> frozenset[int]:
    """Return the ids of the rows on which what people have not said yet could change the decision.

    A row counts where one more verdict on it alone gives another decision, or where it is one of those that
    wait for a required review or a signature and these together do.
    """
    crowd, now = Crowd(evidence, close=result.figures.close), result.decision
    waiting = [kind for kind in crowd.kinds if kind.missing or kind.row.unsigned]
    deciding = [kind for kind in crowd.kinds if _alone(crowd, kind, now)]
    if any(crowd.decision(made) is not now for made in _together(crowd, waiting)):
        deciding += waiting
    return frozenset(row_id for kind in deciding for row_id in kind.ids)


def _alone(crowd: Crowd, kind: Kind, now: Decision) -> bool:
    """Say whether one person can change the decision with a verdict on one row of a kind."""
    at_once = [said for said in VERDICTS if not kind.row.spoken and kind.acts(said) == 1]
    return any(crowd.decision([(crowd.move(said, kind), 1)]) is not now for said in at_once)


def _together(crowd: Crowd, waiting: Sequence[Kind]) -> Iterator[list[tuple[Move, int]]]:
    """Yield all that is waited for as said alike, or as the judge said, and as signed alike."""
    missing = [kind for kind in waiting if kind.missing]
    unsigned = [kind for kind in waiting if kind.row.unsigned]
    verdicts: Sequence[Verdict | None] = (None, *VERDICTS) if missing else (None,)
    signatures: Sequence[Signature] = SIGNATURES if unsigned else SIGNATURES[:1]
    for verdict, signature in product(verdicts, signatures) if waiting else ():
        moves = [crowd.move(verdict or kind.row.judged or "tie", kind) for kind in missing]
        moves += [crowd.move(signature, kind) for kind in unsigned]
        yield [(move, len(move.kind)) for move in moves]
