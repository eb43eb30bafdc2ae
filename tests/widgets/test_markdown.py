from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_like_its_size

from bothways.widgets.markdown import LONGEST, markdown_lines
from bothways.widgets.plain import Line


def rendered(text: str, width: int = 60) -> list[str]:
    return ["".join(run.text for run in line).rstrip() for line in markdown_lines(text, width)]


def toned(lines: list[Line], tone: str) -> list[str]:
    return [run.text for line in lines for run in line if run.tone == tone]


def test_headings_lists_and_quotes_are_told_apart_without_colour() -> None:
    text = "# Refund\n\nSoon:\n\n- one\n  - deeper\n- two\n\n3. three\n4. four\n\n> said\n>\n> again"
    assert rendered(text) == [
        "Refund", "══════", "Soon:", "",
        "• one", "  • deeper", "• two", "",
        "3. three", "4. four", "",
        "▏ said", "▏", "▏ again",
    ]  # fmt: skip


def test_emphasis_and_code_have_tones_and_code_keeps_its_marks() -> None:
    lines = markdown_lines("a **b** *c* ~~d~~ `e`\n\n```python\nx = [1]\n```", 60)
    assert toned(lines, "strong") == ["b"]
    assert toned(lines, "emphasis") == ["c"]
    assert toned(lines, "struck") == ["d"]
    assert toned(lines, "code") == ["`e`", "x = [1]"]
    assert rendered("```python\nx = [1]\n```") == ["┌ python", "│ x = [1]"]


def test_a_link_is_its_words_with_the_address_behind_them() -> None:
    assert rendered("see [us](https://a.example/b) or <https://c.example>") == [
        "see us <https://a.example/b> or https://c.example"
    ]
    assert rendered("![a cat](https://a.example/cat.png)") == ["[image: a cat] <https://a.example/cat.png>"]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <b>bold</b> word",
        "[/foo] [b]x a[@click=app.quit]b[/]",
        "[x](javascript:y)",
    ],
)
def test_html_and_what_looks_like_markup_stay_text(text: str) -> None:
    assert rendered(text) == [text]


TABLE = "| part | price |\n|---|---|\n| stove | £66.75 |\n| pot | £38.00 |"


def test_a_table_stands_in_columns_where_it_has_room() -> None:
    assert rendered(TABLE) == ["part  │ price", "──────┼───────", "stove │ £66.75", "pot   │ £38.00"]


def test_a_table_without_room_is_read_row_by_row() -> None:
    assert rendered(TABLE, 10) == ["▪ part: stove", "  price: £66.75", "▪ part: pot", "  price: £38.00"]


@pytest.mark.parametrize("depth", [1, 5, 12, 19, 20, 40, 400])
def test_what_is_nested_too_deep_is_shown_as_it_stands(depth: int) -> None:
    assert "words" in "".join(rendered("> " * depth + "words"))
    assert "words" in "".join(
        rendered("".join("  " * n + "- a\n" for n in range(depth)) + "  " * depth + "- words")
    )


@given(
    st.lists(st.sampled_from(["word", "*", "**", "`", "- ", "> ", "\n", "\n\n", "# ", "|", "~~~\n", "1. "]))
)
def test_no_word_is_lost_whatever_the_marks(parts: list[str]) -> None:
    text = "".join(parts)
    assert "".join(rendered(text)).count("word") == text.count("word")


@pytest.mark.parametrize("text", ["[", "*", "`x", "[a](", "<", "**a ", "x\n", "|a", "> "])
def test_the_worst_text_that_is_rendered_does_not_stall(text: str) -> None:
    def hostile(length: int) -> Callable[[], object]:
        worst = (text * length)[:length]
        return lambda: markdown_lines(worst, 60)

    assert grows_like_its_size(hostile, LONGEST)
