"""How every command and screen comes to its evidence and its gate: read at one moment, or not at all.

Imported where it is used: the engine's analysis comes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from bothways.app.pairings import AT_ONCE, every_pairing
from bothways.engine.analysis.gather import gather
from bothways.engine.clock import now
from bothways.engine.errors import UsageError
from bothways.engine.gate.gate import evaluate

if TYPE_CHECKING:
    from bothways.engine.analysis.model import Evidence
    from bothways.engine.facts import JsonObject
    from bothways.engine.gate.model import GateResult
    from bothways.engine.ledger import SpecInfo
    from bothways.store import Store

__all__ = ["Gate", "Reading", "gates", "reading"]


class Reading(NamedTuple):
    """One comparison as it stood at one moment."""

    evidence: Evidence
    result: GateResult
    at: str


class Gate(NamedTuple):
    """How the gate of one candidate under one judge stands now; None where it is not computed."""

    candidate: str
    judge: str | None
    result: GateResult | None

    @property
    def decision(self) -> str | None:
        """What it decides."""
        return None if self.result is None else self.result.decision.value

    def as_json(self) -> JsonObject:
        """Return what a list says of it."""
        return {"candidate": self.candidate, "judge": self.judge, "decision": self.decision}


def gates(store: Store, info: SpecInfo) -> list[Gate]:
    """Compute the gate of every candidate under every judge; of a very large experiment none.

    Call it inside `store.view()`.
    """
    found = []
    for candidate, judge in every_pairing(info.variants[1:], info.judges):
        result = None
        if info.rows <= AT_ONCE:
            with suppress(UsageError):
                evidence = gather(store, info.experiment, candidate=candidate, judge=judge, today=now())
                result = evaluate(evidence)
        found.append(Gate(candidate, judge, result))
    return found


@contextmanager
def reading(
    store: Store,
    experiment: str,
    *,
    candidate: str | None = None,
    judge: str | None = None,
    to_write: bool = False,
    clock: Callable[[], str] = now,
) -> Iterator[Reading]:
    """Gather and evaluate. What is read inside the block is of the same moment, whoever writes meanwhile.

    With `to_write` nobody does: what the block appends rests on what it has read, and on nothing older.
    """
    with store.writing() if to_write else store.view():
        at = clock()
        evidence = gather(store, experiment, candidate=candidate, judge=judge, today=at)
        yield Reading(evidence, evaluate(evidence), at)
