"""The gate asked again, with every act so far: a question that no later act changes, and its answer.

Answering takes a while with many rows and belongs into a thread, which shares nothing with the list that
goes on changing meanwhile.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import NamedTuple

from bothways.app.desk.review.counts import counted
from bothways.app.desk.review.reader import Reader
from bothways.app.desk.review.walk import Tally, Walk
from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.gate.model import GateResult
from bothways.engine.gate.queue import Queue

__all__ = ["Answer", "Question"]


class Answer(NamedTuple):
    """What the gate says, the queue and who waits by that, and the walk that it is about."""

    result: GateResult
    queue: Queue
    waits: bytearray
    tally: Tally
    wanted: Tally
    walk: Walk


@dataclass(frozen=True, slots=True)
class Question:
    """The rows as they stood when it was asked, whose eyes they are for, and the walk through some of them.

    `order` holds the places of all rows.
    """

    evidence: Evidence
    reader: Reader
    order: array[int]
    walk: Walk

    def answer(self) -> Answer:
        """Return the gate, and the queue with the rows that could still change the decision."""
        from bothways.engine.gate.gate import evaluate
        from bothways.engine.gate.impact import impact
        from bothways.engine.gate.queue import queue

        result = evaluate(self.evidence)
        items = queue(self.reader.unaware(self.evidence), result, impact(self.evidence, result))
        rows, places = Rows.of(self.evidence.rows), self.walk.places
        waits, tally = counted(self.reader, items, rows, self.order)
        all_wanted = len(places) == len(self.order)
        wanted = tally if all_wanted else counted(self.reader, items, rows, places)[1]
        return Answer(result, items, waits, tally, wanted, self.walk)
