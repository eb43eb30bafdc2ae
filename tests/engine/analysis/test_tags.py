"""What the tags of a row and its own mark say together."""

from __future__ import annotations

import pytest

from bothways.engine.analysis.tags import Tags
from bothways.engine.experiment import ReviewSettings
from bothways.engine.ledger import RowFact

REFUND, OTHER = {"path": "refund"}, {"path": "other"}


def row(tags: dict[str, str], own: bool | None = None) -> RowFact:
    return RowFact(1, 0, "case", own, tags)


@pytest.fixture
def tags() -> Tags:
    return Tags(ReviewSettings(high_stakes_tags=("refund",)))


def test_tags_mark_high_stakes(tags: Tags) -> None:
    assert [tags.of(row(some)).high_stakes for some in (REFUND, OTHER, REFUND)] == [True, False, True]


def test_the_own_mark_beats_the_tags_though_rows_beside_have_none(tags: Tags) -> None:
    found = [tags.of(row(REFUND, own)).high_stakes for own in (None, False, True, None)]
    assert found == [True, False, True, True]


def test_the_words_tell_marks_and_tags_apart(tags: Tags) -> None:
    rows = [row(some, own) for some in (REFUND, OTHER) for own in (None, False, True)]
    assert len({tags.of(one).words for one in rows}) == len(rows)
