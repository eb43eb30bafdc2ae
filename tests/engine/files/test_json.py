from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bothways.engine.errors import BothwaysError, DataError
from bothways.engine.files.json import read_json, read_json_lines


def test_each_element_of_an_array_knows_its_line() -> None:
    root = read_json('\n[\n  {"a": 1},\n  {\n    "a": 2},\n\n {"a": 3}]\n', "f")
    assert isinstance(root.value, list)
    assert [(item.line, item.plain()) for item in root.value] == [(3, {"a": 1}), (4, {"a": 2}), (7, {"a": 3})]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('[{"a": 1},\n {"a": NaN}]', 2, "NaN"),
        ('[{"a": 1e999}]', 1, "out of range"),
        ('[{"a": ' + "9" * 5000 + "}]", 1, "out of range"),
        ('[1,\n{"a": 1, "a": 2}]', 2, "stands twice"),
        ("[1\n 2]", 2, "without a comma"),
        ("[1,\n]", 2, "broken JSON"),
        ("[1]\n[2]", 1, "more text"),
        ('{"a": 1}\n}', 2, "more text"),
        ("[1,\n[[[", 2, "broken JSON"),
        ("[", 1, "broken JSON"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, found: str) -> None:
    with pytest.raises(DataError, match=found) as caught:
        read_json(text, "f")
    assert caught.value.place.line == line


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert read_json('{"\\ud800": "a\\udfff"}', "f").plain() == {"\ufffd": "a\ufffd"}


@pytest.mark.parametrize(
    "line", ['"secret words"', "null", "3", '{"secret": 1},', "{'secret': 1}", "not json secret"]
)
def test_a_line_that_is_no_object_is_named_without_its_content(line: str) -> None:
    with pytest.raises(DataError) as caught:
        list(read_json_lines(['{"id": "a"}', line], "f"))
    assert caught.value.place.line == 2
    assert "secret" not in f"{caught.value} {caught.value.cause}"


def test_an_array_in_json_lines_is_offered_to_be_read_as_json() -> None:
    with pytest.raises(DataError, match="array") as caught:
        list(read_json_lines(["[", '{"id": 1}', "]"], "f"))
    assert ".json" in caught.value.next_step


def test_a_line_separator_inside_a_text_is_no_line_break() -> None:
    text = json.dumps({"a": "x\u2028y\x85z"}, ensure_ascii=False)
    assert [node.plain() for node in read_json_lines([text], "f")] == [{"a": "x\u2028y\x85z"}]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_what_json_writes_is_read_back(value: object) -> None:
    assert read_json(json.dumps(value), "f").plain() == value


@given(st.text())
@example("[" * 100_000)
@example('[{"a":' * 100_000)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_json, lambda text, file: list(read_json_lines(text.split("\n"), file))):
        with contextlib.suppress(BothwaysError):
            read(text, "f")
