"""What people do to rows: acts as records, and what is refused. `standing` says what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from bothways.engine.analysis.afresh import afresh
from bothways.engine.analysis.model import Evidence, RowEvidence, ToolState
from bothways.engine.errors import ReasonWanted, RefusedError, UsageError
from bothways.engine.experiment import ReviewSettings
from bothways.engine.facts import JsonObject
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Record, RowDetail
from bothways.engine.names import mistaken_for, person
from bothways.engine.pairs import Seen, seen
from bothways.engine.past import Past
from bothways.engine.standing import Kind, Review
from bothways.engine.verdicts import Side, Verdict

__all__ = [
    "Act", "RowFacts", "Said", "Seeing", "act", "act_named", "known_people", "overrides", "taken_for",
]  # fmt: skip


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


def taken_for(reviewer: str, settings: ReviewSettings, records: Iterable[Record]) -> str:
    """Say for which other reviewer or adjudicator somebody would be taken by name; "" where for none."""
    return mistaken_for(reviewer, known_people(settings, records))


def known_people(settings: ReviewSettings, records: Iterable[Record]) -> set[str]:
    """Return the reviewers of an experiment, and its adjudicator."""
    return {*(str(record.body.get("reviewer")) for record in records), settings.adjudicator or ""} - {""}


class RowFacts(Protocol):
    """What an act on one row is checked against: all facts, or those on this row alone."""

    def row(self, row_id: int) -> RowDetail:
        """Return the row in full."""
        ...

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:
        """Return the records in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """Who says something of a row, when, and in which words: a note on it, or why the judge is wrong."""

    reviewer: str
    at: str
    note: str = ""
    reason: str = ""


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


def act(
    facts: RowFacts,
    evidence: Evidence,
    result: GateResult,
    row: RowEvidence,
    what: Act,
    said: Said,
    seeing: Seeing | None = None,
) -> JsonObject:
    """Return the body of a review record for one act on one row as it is by now.

    `result` is the gate it was made under. Raises RefusedError, saying why, where the act is not possible.
    """
    seeing = seeing or Seeing()
    _refuse_nameless(said.reviewer)
    detail = facts.row(row.row_id)
    stands_on = _stands_on(detail, evidence)
    if seeing.shown is not None and seeing.shown != detail:
        raise RefusedError("This row has changed", "it was answered or judged since you looked", "look again")
    row = afresh(row, detail, evidence)
    _refuse(row, evidence, what, said, blind=seeing.blind)
    if what in _VERDICTS:
        _refuse_empty(detail, evidence)
    records = facts.records(evidence.experiment.name, "review")
    past = Past.of(records, evidence.candidate, said.reviewer, row.case_id, stands_on.pair)
    if seeing.look == 2:
        _refuse_second_look(what, past.own, blind=seeing.blind)
    verdict = row.judged if what is Act.CONFIRM else _VERDICTS.get(what)
    return {
        "experiment": evidence.experiment.name,
        "candidate": evidence.candidate,
        "case": row.case_id,
        **stands_on._asdict(),
        "act": _kind(what),
        "verdict": verdict,
        "both_bad": what is Act.BOTH_BAD,
        "signed": _SIGNATURES.get(what),
        "reviewer": said.reviewer,
        "note": said.note,
        "reason": said.reason,
        "judge": evidence.judge,
        "judge_said": row.judged or row.outcome.value,
        "left": seeing.left,
        "blind": seeing.blind and (seeing.look == 2 or not (seeing.unveiled or past.voted)),
        "look": seeing.look,
        "changed_mind": seeing.look == 1 and past.differs(verdict, both_bad=what is Act.BOTH_BAD),
        "undoes": past.undoes(_kind(what)),
        "gate": result.decision.value,
        "at": said.at,
    }


def overrides(row: RowEvidence, what: Act) -> bool:
    """Tell whether an act says otherwise than the judge did."""
    return what in _VERDICTS and row.judged is not None and _VERDICTS[what] != row.judged


def _kind(what: Act) -> Kind:
    return "verdict" if what in _VERDICTS else "tools" if what in _SIGNATURES else _KINDS[what]


def _refuse_nameless(reviewer: str) -> None:
    if not reviewer.strip():
        raise RefusedError("A review needs a reviewer", "nobody is named", "name yourself with --reviewer")
    if (signed := person(reviewer)) != reviewer:
        raise RefusedError("This is no name to sign with", ascii(reviewer), f"sign as {signed}")


def _stands_on(detail: RowDetail, evidence: Evidence) -> Seen:
    """Return what an act on a row as it is now is about."""
    baseline = detail.newest(evidence.experiment.baseline.name)
    stands_on = seen(baseline, detail.newest(evidence.candidate))
    if stands_on is None:
        raise RefusedError("There is nothing to review yet", "an answer is missing", "finish the run first")
    return stands_on


def _refuse(row: RowEvidence, evidence: Evidence, what: Act, said: Said, *, blind: bool) -> None:
    if what is Act.CONFIRM and blind:
        raise RefusedError("There is no verdict to confirm", "the judge's is hidden", "choose a side")
    if what is Act.CONFIRM and row.judged is None:
        left_as = row.outcome.value.replace("_", " ")
        raise RefusedError(
            "There is no verdict to confirm", f"the judge left this row as {left_as}", "choose a side"
        )
    if row.judged is not None and overrides(row, what) and not said.reason.strip() and not blind:
        why = f"the judge said {evidence.said(row.judged)}"
        raise ReasonWanted("Overriding the judge needs a reason", why, "give a reason")
    if what is Act.SKIP and not (said.reason.strip() or said.note.strip()):
        raise ReasonWanted("A skip needs a reason", "whoever comes next wants to know", "give a reason")
    if what is Act.NOTE and not said.note.strip():
        raise RefusedError("The note is empty", next_step="write something, or leave it")
    if what in _SIGNATURES and row.tools is not ToolState.CHANGED:
        why = (
            "a broken rule cannot be signed away"
            if row.tools is ToolState.BROKEN
            else "its tool calls did not change"
        )
        raise RefusedError("There is no tool difference to sign", why)


def _refuse_second_look(what: Act, own: Review | None, *, blind: bool) -> None:
    """Refuse what would make a second look anything else than the same question, asked blind again."""
    if what not in (*_VERDICTS, Act.SKIP, Act.NOTE, Act.UNDO, Act.REDO):
        raise RefusedError("A second look changes nothing", "it measures how steady you are", "choose a side")
    if what in _VERDICTS and not blind:
        raise RefusedError("A second look is blind", "names or the judge were shown")
    if own is None:
        raise RefusedError("This is no second look", "no verdict of yours is in force on this row")


def _refuse_empty(detail: RowDetail, evidence: Evidence) -> None:
    """Refuse a verdict between two failures: it would count as a vote, and nobody has answered."""
    answers = [detail.newest(name) for name in (evidence.experiment.baseline.name, evidence.candidate)]
    if all(answer is None or answer.failure is not None for answer in answers):
        raise RefusedError(
            "There is nothing to compare", "both answers are errors", "try them again, or skip the row"
        )
