"""What a review is read from, at one moment: conclusions, queue and records.

Of very many rows a few are read first, so that there is something to read while the others are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import Queue
from bothways.engine.ledger import Record

if TYPE_CHECKING:
    from bothways.app.desk.review.reader import Reader
    from bothways.engine.analysis.choose import Choice
    from bothways.store import Store

__all__ = ["Look", "glance", "load"]

FIRST = 10_000
"""Rows that are read before all others: as many as are there within a second."""


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that was read at one moment: the facts' conclusions, people's records, and the queue.

    The queue is that of `reader`: it holds nothing that they are not to know. `of` is how many rows there
    are: where these are fewer, nothing may be concluded from them but what each says by itself.
    """

    evidence: Evidence
    result: GateResult
    records: tuple[Record, ...]
    reader: Reader
    items: Queue
    of: int


def load(
    store: Store,
    experiment: str,
    candidate: str | None,
    judge: str | None,
    reviewer: str,
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
    items = queue(reader.unaware(evidence), result)
    return Look(evidence, result, records, reader, items, len(evidence.rows))


def glance(store: Store, choice: Choice, reviewer: str, case_id: str, *, blind: bool = False) -> Look | None:
    """Read the rows around a case, or the first ones; None where `load` has to come first.

    That is so where there are few; and where rows come back for second looks: which ones, all rows decide.
    """
    of = len(store.row_ids(choice.spec_id))
    if of <= FIRST or choice.experiment.review.second_look:
        return None
    some = store.around(choice.spec_id, case_id, FIRST)
    look = load(some, choice.experiment.name, choice.candidate, choice.judge or None, reviewer, blind=blind)
    # What is drawn by lot is drawn from all rows.
    return replace(look, evidence=replace(look.evidence, audit=frozenset()), of=of)
