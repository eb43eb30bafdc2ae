"""One act on one row, as the body of the record that it is kept in."""

from __future__ import annotations

from typing import Literal, Protocol

from bothways.engine.analysis.afresh import afresh
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.errors import RefusedError
from bothways.engine.facts import JsonObject
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Record, RowDetail
from bothways.engine.pairs import Seen, seen
from bothways.engine.past import Past
from bothways.engine.review.acts import Act, Said, Seeing
from bothways.engine.review.refusals import refuse, refuse_changed, refuse_nameless, refuse_second_look
from bothways.engine.verdicts import Verdict

__all__ = ["RowFacts", "act"]


class RowFacts(Protocol):
    """What an act on one row is checked against: all facts, or those on this row alone."""

    def row(self, row_id: int) -> RowDetail:
        """Return the row in full."""
        ...

    def records(self, experiment: str, kind: Literal["review", "decision"] | None = None) -> list[Record]:
        """Return the records in their order."""
        ...


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
    refuse_nameless(said.reviewer)
    detail = facts.row(row.row_id)
    stands_on = _stands_on(detail, evidence)
    refuse_changed(detail, seeing)
    row = afresh(row, detail, evidence)
    refuse(row, detail, evidence, what, said, blind=seeing.blind)
    records = facts.records(evidence.experiment.name, "review")
    past = Past.of(records, evidence.candidate, said.reviewer, row.case_id, stands_on.pair)
    if seeing.look == 2:
        refuse_second_look(what, past.own, blind=seeing.blind)
    return {
        **_row(row, stands_on, evidence),
        **_words(row, what, said),
        **_look(row, what, seeing, past),
        "undoes": past.undoes(what.kind),
        "gate": result.decision.value,
    }


def _stands_on(detail: RowDetail, evidence: Evidence) -> Seen:
    """Return what an act on a row as it is now is about."""
    baseline = detail.newest(evidence.experiment.baseline.name)
    stands_on = seen(baseline, detail.newest(evidence.candidate))
    if stands_on is None:
        raise RefusedError("There is nothing to review yet", "an answer is missing", "finish the run first")
    return stands_on


def _row(row: RowEvidence, stands_on: Seen, evidence: Evidence) -> JsonObject:
    """Say which row it is about, the answers it stands on, and what the judge made of them."""
    return {
        "experiment": evidence.experiment.name,
        "candidate": evidence.candidate,
        "case": row.case_id,
        **stands_on._asdict(),
        "judge": evidence.judge,
        "judge_said": row.judged or row.outcome.value,
    }


def _verdict(row: RowEvidence, what: Act) -> Verdict | None:
    return row.judged if what is Act.CONFIRM else what.verdict


def _words(row: RowEvidence, what: Act, said: Said) -> JsonObject:
    """Say what was said, by whom, when and why."""
    return {
        "act": what.kind,
        "verdict": _verdict(row, what),
        "both_bad": what is Act.BOTH_BAD,
        "signed": what.signature,
        "reviewer": said.reviewer,
        "note": said.note,
        "reason": said.reason,
        "bulk": said.bulk,
        "at": said.at,
    }


def _look(row: RowEvidence, what: Act, seeing: Seeing, past: Past) -> JsonObject:
    """Say how the row stood before its reviewer, and whether they now see it otherwise."""
    differs = past.differs(_verdict(row, what), both_bad=what is Act.BOTH_BAD)
    return {
        "left": seeing.left,
        "blind": seeing.blind and (seeing.look == 2 or not (seeing.unveiled or past.voted)),
        "look": seeing.look,
        "changed_mind": seeing.look == 1 and differs,
    }
