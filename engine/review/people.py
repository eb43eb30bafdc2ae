"""Who reviews an experiment, and for whom somebody would be taken by their name."""

from __future__ import annotations

from collections.abc import Iterable

from bothways.engine.experiment import ReviewSettings
from bothways.engine.ledger import Record
from bothways.engine.names import mistaken_for

__all__ = ["known_people", "taken_for"]


def taken_for(reviewer: str, settings: ReviewSettings, records: Iterable[Record]) -> str:
    """Say for which other reviewer or adjudicator somebody would be taken by name; "" where for none."""
    return mistaken_for(reviewer, known_people(settings, records))


def known_people(settings: ReviewSettings, records: Iterable[Record]) -> set[str]:
    """Return the reviewers of an experiment, and its adjudicator."""
    return {*(str(record.body.get("reviewer")) for record in records), settings.adjudicator or ""} - {""}
