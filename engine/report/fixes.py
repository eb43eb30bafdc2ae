"""The fix list: rows that were lost, or where both answers are bad, with all that was said about them."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.ledger import Facts, RowDetail
from bothways.engine.report.model import Fix, Said
from bothways.engine.report.said import judge_said
from bothways.engine.standing import Standing

__all__ = ["fixes", "is_lost"]


def fixes(evidence: Evidence, facts: Facts) -> tuple[Fix, ...]:
    """Return the losing rows, high stakes first, each read in full once."""
    losing = [row for row in evidence.rows if is_lost(row)]
    losing.sort(key=lambda row: (not row.high_stakes, row.position))
    return tuple(_fix(row, facts.row(row.row_id), evidence) for row in losing)


def is_lost(row: RowEvidence) -> bool:
    """Say whether the baseline won the row, or a person found both answers bad."""
    return row.final == "baseline" or (row.standing is not None and row.standing.both_bad)


def _fix(row: RowEvidence, detail: RowDetail, evidence: Evidence) -> Fix:
    said = (*_judge(detail, evidence), *_people(row))
    return Fix(row.case_id, row.high_stakes, detail.case.input, said)


def _judge(detail: RowDetail, evidence: Evidence) -> Iterator[Said]:
    for said in judge_said(detail, evidence):
        yield Said("judge", evidence.judge, said.verdict, said.rationale, shown=said.title)


def _people(row: RowEvidence) -> Iterator[Said]:
    """Yield what each reviewer says, and what others noted who gave no verdict."""
    standing = row.standing or Standing()
    for voice in standing.voices:
        verdict = "both bad" if voice.both_bad else voice.verdict
        yield Said("reviewer", voice.reviewer, verdict, voice.reason, voice.note)
    voters = {voice.reviewer for voice in standing.voices}
    yield from (Said("reviewer", who, "", note=note) for who, note in standing.notes if who not in voters)
