"""Who reviewed, and by which rule what they said counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import cast

from bothways.engine.analysis.model import Evidence
from bothways.engine.facts import JsonValue
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Facts
from bothways.engine.report.model import Line, Section, Table
from bothways.engine.report.said import acts_by_case
from bothways.engine.standing import in_force

__all__ = ["people"]

_RULES: Mapping[str, str] = {
    "latest": "the newest verdict on a row counts",
    "majority": "the verdict of most reviewers of a row counts",
    "adjudicator": "where reviewers of a row differ, the adjudicator's verdict counts",
}


def people(evidence: Evidence, result: GateResult, facts: Facts) -> Section:
    """Return the reviewers, each with the rows they gave a verdict on; empty where nobody reviewed."""
    rows: Counter[str] = Counter()
    blind: Counter[str] = Counter()
    last: dict[str, str] = {}
    for acts in acts_by_case(facts, evidence).values():
        counts = {review.seq for review in in_force([review for review, _ in acts])}
        spoken = [(r, record) for r, record in acts if r.seq in counts and r.verdict is not None]
        rows.update({review.reviewer for review, _ in spoken})
        blind.update({review.reviewer for review, record in spoken if record.body.get("blind") is True})
        for review, _ in spoken:
            last[review.reviewer] = max(last.get(review.reviewer, ""), review.at)
    table = Table(
        ("reviewer", "rows", "of these blind", "last"),
        tuple((who, str(rows[who]), str(blind[who]), last[who][:10]) for who in sorted(rows)),
    )
    return Section("Who reviewed", (Line("rule", _rule(result)),), table) if rows else Section("Who reviewed")


def _rule(result: GateResult) -> str:
    reviews = cast("Mapping[str, JsonValue]", result.figures["reviews"])
    adjudicator = reviews.get("adjudicator")
    rule = _RULES[str(reviews.get("policy", "latest"))]
    return f"{rule} ({adjudicator})" if adjudicator else rule
