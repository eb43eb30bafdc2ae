"""What a review is read from, at one moment: conclusions, queue and records, and the gate asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import Queue
from bothways.engine.ledger import Record

if TYPE_CHECKING:
    from bothways.app.desk.review.reader import Reader
    from bothways.store import Store

__all__ = ["Look", "judge_again", "load"]


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that was read at one moment: the facts' conclusions, people's records, and the queue.

    The queue is that of `reader`: it holds nothing that they are not to know.
    """

    evidence: Evidence
    result: GateResult
    records: tuple[Record, ...]
    reader: Reader
    items: Queue


def load(
    store: Store,
    experiment: str,
    candidate: str | None,
    judge: str | None,
    reviewer: str = "",
    *,
    blind: bool = False,
) -> Look:
    """Read and derive all that a review needs; for many rows this belongs into a thread."""
    from bothways.app.desk.review.reader import Reader
    from bothways.app.reading import reading
    from bothways.engine.gate.queue import queue

    with reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, _):
        records = tuple(store.records(experiment, "review"))
    reader = Reader(reviewer, evidence, records, blind=blind)
    return Look(evidence, result, records, reader, queue(reader.unaware(evidence), result))


def judge_again(evidence: Evidence, reader: Reader) -> tuple[GateResult, Queue]:
    """Return the gate as it stands, and the queue with the rows that could still change the decision.

    Finding these takes a while where there are many.
    """
    from bothways.engine.gate.gate import evaluate
    from bothways.engine.gate.impact import impact
    from bothways.engine.gate.queue import queue

    result = evaluate(evidence)
    return result, queue(reader.unaware(evidence), result, impact(evidence, result))
