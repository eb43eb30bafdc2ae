"""Evidence, gate and everything beside them are of one moment."""

from __future__ import annotations

from pathlib import Path

from tests.app.shop import AT, fill

from bothways.app.reading import reading
from bothways.store import open_store


def test_what_another_process_writes_meanwhile_is_not_seen_inside(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8)
    with open_store(db) as store, open_store(db) as other:
        with reading(store, "plain line") as (evidence, result, _):
            before = store.records("plain line")
            other.append("decision", {"experiment": "plain line"}, AT)
            assert store.records("plain line") == before == []
            assert result.figures.facts_hash == evidence.facts_hash
        assert len(store.records("plain line")) == 1


def test_the_clock_that_is_passed_in_dates_the_snapshot(tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 8)
    with open_store(db) as store, reading(store, "plain line", clock=lambda: "2026-03-05T00:00:00Z") as read:
        assert read.at == "2026-03-05T00:00:00Z"
