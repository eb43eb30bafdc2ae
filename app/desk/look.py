"""What a review is read from, at one moment: conclusions, queue and records, and the gate asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import QueueItem
from bothways.engine.ledger import Record

if TYPE_CHECKING:
    from bothways.app.desk.reader import Reader
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
    items: tuple[QueueItem, ...]


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
    from bothways.app.desk.reader import Reader
    from bothways.app.reading import reading
    from bothways.engine.gate.queue import queue

    with reading(store, experiment, candidate=candidate, judge=judge) as (evidence, result, _):
        records = tuple(store.records(experiment, "review"))
    reader = Reader(reviewer, evidence, records, blind=blind)
    return Look(evidence, result, records, reader, tuple(queue(reader.unaware(evidence), result)))


def judge_again(
    evidence: Evidence, known: Mapping[int, QueueItem], reader: Reader
) -> tuple[GateResult, list[QueueItem]]:
    """Return the gate as it stands, and the entries of the queue that are not as they were.

    This is where the rows that could still change the decision are found: with many it takes a while.
    """
    from bothways.engine.gate.gate import evaluate
    from bothways.engine.gate.impact import impact
    from bothways.engine.gate.queue import queue

    result = evaluate(evidence)
    items = queue(reader.unaware(evidence), result, impact(evidence, result))
    return result, [item for item in items if known.get(item.row_id) != item]
