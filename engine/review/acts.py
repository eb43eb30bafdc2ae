"""What a person can do to a row, in which words, and how they had it before them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.errors import UsageError
from bothways.engine.ledger import RowDetail
from bothways.engine.standing import Kind
from bothways.engine.verdicts import Side, Verdict

__all__ = ["Act", "Said", "Seeing", "act_named", "overrides"]


class Act(StrEnum):
    """What a person can do to a row."""

    BASELINE = "baseline"
    CANDIDATE = "candidate"
    TIE = "tie"
    BOTH_BAD = "both-bad"
    CONFIRM = "confirm"
    CLEAR = "clear"
    SKIP = "skip"
    NOTE = "note"
    TOOLS_OK = "tools-ok"
    TOOLS_BAD = "tools-bad"
    UNDO = "undo"
    REDO = "redo"

    @property
    def verdict(self) -> Verdict | None:
        """The verdict that it gives by itself; a confirmation's is the judge's."""
        return _VERDICTS.get(self)

    @property
    def signature(self) -> Literal["ok", "bad"] | None:
        """How it signs a tool difference."""
        return _SIGNATURES.get(self)

    @property
    def kind(self) -> Kind:
        """What it is on record."""
        return "verdict" if self.verdict else "tools" if self.signature else _KINDS[self]


_VERDICTS: Mapping[Act, Verdict] = {
    Act.BASELINE: "baseline", Act.CANDIDATE: "candidate", Act.TIE: "tie", Act.BOTH_BAD: "tie",
}  # fmt: skip
_SIGNATURES: Mapping[Act, Literal["ok", "bad"]] = {Act.TOOLS_OK: "ok", Act.TOOLS_BAD: "bad"}
_KINDS: Mapping[Act, Kind] = {
    Act.CONFIRM: "confirm", Act.CLEAR: "clear", Act.SKIP: "skip", Act.NOTE: "note", Act.UNDO: "undo",
    Act.REDO: "redo",
}  # fmt: skip


def act_named(evidence: Evidence, text: str) -> Act:
    """Return the act that a person typed: its own name, or the name of a variant."""
    named = {evidence.experiment.baseline.name: Act.BASELINE, evidence.candidate: Act.CANDIDATE}
    if text in named:
        return named[text]
    if text in tuple(Act):
        return Act(text)
    raise UsageError(f"“{text}” is no verdict", f"it can be {', '.join([*named, *Act])}")


def overrides(row: RowEvidence, what: Act) -> bool:
    """Tell whether an act says otherwise than the judge did."""
    return None not in (what.verdict, row.judged) and what.verdict != row.judged


@dataclass(frozen=True, slots=True)
class Said:
    """Who says something of a row, when, and in which words: a note on it, or why the judge is wrong.

    `bulk` names the one act on many rows that this is a part of: they were confirmed unread.
    """

    reviewer: str
    at: str
    note: str = ""
    reason: str = ""
    bulk: str = ""


@dataclass(frozen=True, slots=True)
class Seeing:
    """How a person had a row before them.

    `shown` is the row as it stood there, `left` whose answer stood left; `blind` says that names and judge
    were hidden, `unveiled` that they were shown before, `look` 2 that the row came back to a reviewer of it.
    """

    shown: RowDetail | None = None
    left: Side | None = None
    blind: bool = False
    unveiled: bool = False
    look: Literal[1, 2] = 1
