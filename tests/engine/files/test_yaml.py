from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bothways.engine.errors import BothwaysError, DataError
from bothways.engine.files.yaml import read_yaml


@pytest.mark.parametrize(
    "typed", ["no", "yes", "on", "1:30", "007", "010", "2024-01-02", ".nan", ".inf", "1e999", "0x1F", "y"]
)
def test_what_yaml_1_1_would_guess_stays_text(typed: str) -> None:
    assert read_yaml(f"answer: {typed}", "f").plain() == {"answer": typed}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("0.60", 0.6),
        ("1e3", 1000.0),
    ],
)
def test_words_and_numbers_are_read_as_in_yaml_1_2(typed: str, value: object) -> None:
    assert read_yaml(f"answer: {typed}", "f").plain() == {"answer": value}


@pytest.mark.parametrize("typed", ['"true"', "'12'", "!!str 12", "!!str true"])
def test_what_is_quoted_or_marked_as_text_is_text(typed: str) -> None:
    plain = read_yaml(f"answer: {typed}", "f").plain()
    assert isinstance(plain, dict)
    assert isinstance(plain["answer"], str)


def test_a_number_keeps_how_it_was_typed_and_its_line() -> None:
    root = read_yaml("# note\nversion: 1.10\n", "f")
    assert isinstance(root.value, dict)
    assert (root.value["version"].typed, root.value["version"].line) == ("1.10", 2)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "stands twice"),
        ("a: 1\nb: [1, 2\nc: 3\n", 3, "not YAML"),
        ("a: !!python/object:os.system x\n", 1, "tag"),
        ("a: 1\n? [1, 2]\n: x\n", 2, "as a key"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML"),
        ("a: 1\nb: \x07\n", 2, "control character"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, found: str) -> None:
    with pytest.raises(DataError, match=found) as caught:
        read_yaml(text, "spec.yaml")
    assert (caught.value.place.file, caught.value.place.line) == ("spec.yaml", line)


def test_aliases_stand_for_what_they_name_but_cannot_fill_the_memory() -> None:
    assert read_yaml("a: &x [1]\nb: *x\n", "f").plain() == {"a": [1], "b": [1]}
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
    )
    with pytest.raises(DataError, match="aliases of aliases"):
        read_yaml(bomb, "f")
    with pytest.raises(DataError, match="nested too deeply"):
        read_yaml("a: &x [*x]\n", "f")


@given(st.text())
@example("[" * 50_000)
@example("- " * 50_000)
@example("? " * 50_000)
@example("{a: " * 5_000)
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(BothwaysError):
        read_yaml(text, "f").plain()


def test_a_key_is_text_as_it_is_typed() -> None:
    assert read_yaml("1: one\n0x1: two\n1.10: three\n", "x.yaml").plain() == {
        "1": "one",
        "0x1": "two",
        "1.10": "three",
    }
