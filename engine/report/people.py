"""Who reviewed, and by which rule what they said counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import cast

from bothways.engine.analysis.model import Evidence
from bothways.engine.facts import JsonValue
from bothways.engine.gate.model import GateResult
from bothways.engine.report.model import Line, Section, Table
from bothways.engine.standing import Voice

__all__ = ["people"]

_RULES: Mapping[str, str] = {
    "latest": "the newest verdict on a row counts",
    "majority": "the verdict of most reviewers of a row counts",
    "adjudicator": "where reviewers of a row differ, the adjudicator's verdict counts",
}


def people(evidence: Evidence, result: GateResult) -> Section:
    """Return the reviewers with how many verdicts of theirs are in force; empty where none is."""
    voices: dict[str, list[Voice]] = defaultdict(list)
    for row in evidence.rows:
        for voice in row.standing.voices if row.standing is not None else ():
            voices[voice.reviewer].append(voice)
    table = Table(
        ("reviewer", "rows", "of these blind", "last"),
        tuple(
            (who, str(len(said)), str(sum(v.blind for v in said)), max(v.at for v in said)[:10])
            for who, said in sorted(voices.items())
        ),
    )
    title = "Who reviewed"
    return Section(title, (Line("rule", _rule(result)),), table) if voices else Section(title)


def _rule(result: GateResult) -> str:
    reviews = cast("Mapping[str, JsonValue]", result.figures["reviews"])
    adjudicator = reviews.get("adjudicator")
    rule = _RULES[str(reviews.get("policy", "latest"))]
    return f"{rule} ({adjudicator})" if adjudicator else rule
