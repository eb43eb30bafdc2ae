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
    """Return the reviewers, each with the rows on which their verdict is in force; empty without any."""
    voices: dict[str, list[Voice]] = defaultdict(list)
    for row in evidence.rows:
        for voice in row.standing.voices if row.standing is not None else ():
            voices[voice.reviewer].append(voice)
    if not voices:
        return Section("Who reviewed")
    lines = tuple(
        (who, str(len(said)), str(sum(voice.blind for voice in said)), max(voice.at for voice in said)[:10])
        for who, said in sorted(voices.items())
    )
    table = Table(("reviewer", "rows", "of these blind", "last"), lines)
    return Section("Who reviewed", (Line("rule", _rule(result)),), table)


def _rule(result: GateResult) -> str:
    reviews = cast("Mapping[str, JsonValue]", result.figures["reviews"])
    adjudicator = reviews.get("adjudicator")
    rule = _RULES[str(reviews.get("policy", "latest"))]
    return f"{rule} ({adjudicator})" if adjudicator else rule
