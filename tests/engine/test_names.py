"""Names that people sign with: one person, one name."""

from __future__ import annotations

import pytest

from bothways.engine.errors import UsageError
from bothways.engine.names import looks_like, person


@pytest.mark.parametrize("typed", ["ann", " ann ", "ann\n", "ann\u00a0"], ids=ascii)
def test_what_stands_around_a_name_is_no_part_of_it(typed: str) -> None:
    assert person(typed) == "ann"


def test_a_letter_is_written_one_way() -> None:
    assert person("Zoe\u0308  Ng") == "Zo\u00eb Ng"


@pytest.mark.parametrize("typed", ["Kim\u200b", "K\u00adim", "\u202eKim", "Ki\x07m"], ids=ascii)
def test_what_nobody_sees_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="cannot be seen"):
        person(typed)


@pytest.mark.parametrize("name", ["kim", "KIM", "Kim.", "K im", "\uff2bim"], ids=ascii)
def test_a_name_that_would_be_taken_for_another_is_found(name: str) -> None:
    assert looks_like(name, ["ada", "Kim"]) == "Kim"


def test_the_same_and_other_names_are_taken_for_nobody() -> None:
    assert looks_like("Kim", ["Kim", "Tim", ""]) is None
