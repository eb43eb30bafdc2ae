"""Who reviewed, and by which rule what they said counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.honest import Fact
from bothways.engine.report.model import Section, Table
from bothways.engine.standing import Rule, Voice

__all__ = ["people"]


def people(evidence: Evidence) -> Section:
    """Return the reviewers, each with the rows on which their verdict is in force; empty without any."""
    voices: dict[str, list[Voice]] = defaultdict(list)
    for row in evidence.rows:
        for voice in row.standing.voices if row.standing is not None else ():
            voices[voice.reviewer].append(voice)
    if not voices:
        return Section("Who reviewed")
    lines = tuple(_line(who, said) for who, said in sorted(voices.items()))
    rule = Rule.of(evidence.experiment.review)
    table = Table(("reviewer", "rows", "of these blind", "in bulk, unread", "last"), lines)
    return Section("Who reviewed", (Fact("rule", f"where reviewers differ, {rule.words}"),), table)


def _line(who: str, said: Sequence[Voice]) -> tuple[str, ...]:
    blind, unread = (sum(marks) for marks in zip(*((one.blind, one.unread) for one in said), strict=True))
    return (who, str(len(said)), str(blind), str(unread), max(one.at for one in said)[:10])
