"""What a file holds, at a glance: read with sqlite3 alone, so that a first screen need not wait for more.

Opening a store imports sqlite-utils and pydantic, which takes as long as all of Textual.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Glimpse", "glance"]

_NEWEST = """
SELECT e.name, s.id, s.row_count, s.body, max(a.id) FROM experiments e
JOIN specs s ON s.experiment_id = e.id JOIN adoptions a ON a.spec_id = s.id
GROUP BY e.id ORDER BY max(a.id) DESC
"""
_JUDGES = "SELECT j.name FROM spec_judges s JOIN judges j ON j.id = s.judge_id WHERE s.spec_id = ?"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One experiment in its newest version: what `Store.specs` says of it."""

    experiment: str
    spec_id: int
    rows: int
    variants: tuple[str, ...]
    judges: tuple[str, ...]


def glance(path: Path) -> list[Glimpse]:
    """Return the experiments, newest first; none where the file is not there, or not as we would leave it."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as db:
            return [_glimpse(db, *row[:4]) for row in db.execute(_NEWEST).fetchall()]
    except sqlite3.Error:  # opening it as a store will tell why
        return []


def _glimpse(db: sqlite3.Connection, name: str, spec_id: int, rows: int, body: str) -> Glimpse:
    spec = json.loads(body)
    asked = [judge for (judge,) in db.execute(_JUDGES, (spec_id,))]
    own = [spec["judge"]["name"]] if spec.get("judge") else []
    variants = tuple(variant["name"] for variant in (spec["baseline"], *spec["candidates"]))
    return Glimpse(name, spec_id, rows, variants, tuple(dict.fromkeys([*own, *asked])))
