"""Some rows read by themselves are what they are among all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.shop import fill

from bothways.engine.analysis.gather import gather
from bothways.store import Store, open_store

EXPERIMENT, TODAY = "plain line", "2026-03-01"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A file with one imported experiment of 24 rows."""
    with open_store(fill(tmp_path / "shop.db", 24)) as store:
        yield store


@pytest.mark.parametrize(
    ("case", "places"),
    [
        ("r-00000", range(6)),
        ("r-00001", range(6)),
        ("r-00012", range(9, 15)),
        ("r-00023", range(18, 24)),
        ("no such case", range(6)),
    ],
)
def test_rows_around_a_case_are_as_they_are_among_all(store: Store, case: str, places: range) -> None:
    (spec,) = store.specs(EXPERIMENT)
    whole = gather(store, EXPERIMENT, today=TODAY).rows
    some = gather(store.around(spec.id, case, 6), EXPERIMENT, today=TODAY).rows
    assert list(some) == [whole[place] for place in places]


def test_more_rows_than_there_are_is_all_of_them(store: Store) -> None:
    (spec,) = store.specs(EXPERIMENT)
    around = gather(store.around(spec.id, "r-00012", 100), EXPERIMENT, today=TODAY)
    assert around.facts_hash == gather(store, EXPERIMENT, today=TODAY).facts_hash


def test_rows_of_another_experiment_are_never_among_them(store: Store, tmp_path: Path) -> None:
    other = fill(tmp_path / "shop.db", 4, name="another")
    assert other == store.path
    (spec,) = store.specs("another")
    found = gather(store.around(spec.id, "r-00003", 100), "another", today=TODAY).rows
    assert len(found) == 4
