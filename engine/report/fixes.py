"""The fix list: rows that were lost, or where both answers are bad, with all that was said about them."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.judging.labels import slot_labels
from bothways.engine.ledger import Facts, PassUnit, RowDetail
from bothways.engine.methods.pair import mapped
from bothways.engine.report.model import Fix, Line
from bothways.engine.standing import Standing

__all__ = ["fixes"]


def fixes(evidence: Evidence, facts: Facts) -> tuple[Fix, ...]:
    """Return the losing rows, high stakes first, each read in full once."""
    losing = [row for row in evidence.rows if _loses(row)]
    losing.sort(key=lambda row: (not row.high_stakes, row.position))
    return tuple(_fix(row, facts.row(row.row_id), evidence) for row in losing)


def _loses(row: RowEvidence) -> bool:
    return row.final == "baseline" or (row.standing is not None and row.standing.both_bad)


def _fix(row: RowEvidence, detail: RowDetail, evidence: Evidence) -> Fix:
    lines = [*_judge(detail, evidence), *_people(row)]
    return Fix(row.case_id + (" (high stakes)" if row.high_stakes else ""), detail.case.input, tuple(lines))


def _judge(detail: RowDetail, evidence: Evidence) -> Iterator[Line]:
    """Yield what each pass of the newest take said, in the words of the judge."""
    sides = {name: name for name in (evidence.experiment.baseline.name, evidence.candidate)}
    mine = [
        (unit, said)
        for unit, said, _ in detail.passes
        if said is not None and unit.judge == evidence.judge and sides.keys() >= set(unit.shown)
    ]
    newest = max((unit.take for unit, _ in mine), default=0)
    for unit, said in mine:
        if unit.take == newest:
            name = "first pass" if unit.shown[0] == evidence.experiment.baseline.name else "second pass"
            night = f", night {unit.night}" if evidence.nights > 1 else ""
            named = mapped(said.choice, unit.shown, sides) or "unreadable"
            places = ", ".join(f"{label} is {shown}" for label, shown in _labelled(unit))
            yield Line(f"judge, {name}{night} ({places}): {named}", said.rationale)


def _labelled(unit: PassUnit) -> Iterator[tuple[str, str]]:
    """Yield what the judge calls each answer in its reasons: in the second pass A is the candidate."""
    return zip(slot_labels(len(unit.shown)), unit.shown, strict=True)


def _people(row: RowEvidence) -> Iterator[Line]:
    """Yield what each reviewer says, and what others noted who gave no verdict."""
    standing = row.standing or Standing()
    for voice in standing.voices:
        yield Line(f"{voice.reviewer}: {'both bad' if voice.both_bad else voice.verdict}", voice.note)
    voters = {voice.reviewer for voice in standing.voices}
    yield from (Line(f"{who}: note", note) for who, note in standing.notes if who not in voters)
