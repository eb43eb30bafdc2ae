"""What the engine asks of whoever keeps the facts: four small protocols.

The engine knows no database. The store fills these; tests may fill them with lists.

* `Facts` is read: what exists, streamed as tuples; one row in full.
* `Journal` is written by a run: a call's intent before it is sent, its reply after, a finished unit.
* `Records` is written by people: reviews and decisions, append-only, in a hash chain.
* `Ledger` reads and records, and takes in what a run does not write: specs, imports, requests to a run.

A journal belongs to one run at a time, so it is no part of the ledger.
"""

from bothways.engine.ledger.imports import ImportedAnswer, ImportedPass, ImportedRow
from bothways.engine.ledger.people import Origin, Record, by_case, origins
from bothways.engine.ledger.protocols import Facts, Journal, Ledger, Records
from bothways.engine.ledger.rows import (
    AnswerFact,
    Label,
    PassFact,
    RowDetail,
    RowFact,
    SpecInfo,
    ToolFact,
    fields,
)
from bothways.engine.ledger.runs import Progress, Request, RunInfo, RunState, StageProgress
from bothways.engine.ledger.units import AnswerRef, AnswerUnit, Busy, Claim, PassUnit, Spent, Unit

__all__ = [
    "AnswerFact", "AnswerRef", "AnswerUnit", "Busy", "Claim", "Facts", "ImportedAnswer", "ImportedPass",
    "ImportedRow", "Journal", "Label", "Ledger", "Origin", "PassFact", "PassUnit", "Progress", "Record",
    "Records", "Request", "RowDetail", "RowFact", "RunInfo", "RunState", "SpecInfo", "Spent",
    "StageProgress", "ToolFact", "Unit", "by_case", "fields", "origins",
]  # fmt: skip
