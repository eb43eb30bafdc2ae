from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bothways.widgets.plain import Line, Run, line
from bothways.widgets.wrap import Flow, wrapped


def text_of(row: Line) -> str:
    return "".join(run.text for run in row)


def rows_of(text: str, width: int) -> list[str]:
    return [text_of(row) for row in wrapped(line(text), width)]


def test_words_are_kept_whole() -> None:
    assert rows_of("one two three four", 9) == ["one two", "three", "four"]


def test_a_word_longer_than_the_row_is_cut() -> None:
    assert rows_of("abcdefgh", 3) == ["abc", "def", "gh"]


def test_line_breaks_inside_a_run_are_kept() -> None:
    assert rows_of("one\n\ntwo", 10) == ["one", "", "two"]


def test_tones_survive_the_break() -> None:
    rows = list(wrapped((Run("plain "), Run("marked words", "added"), Run(" end")), 12))
    assert rows == [(Run("plain "), Run("marked", "added")), (Run("words", "added"), Run(" end"))]


@pytest.mark.parametrize("text", ["漢字" * 30, "👍🏽🧑‍🚒" * 20, "é" * 40, "a漢" * 33])
@pytest.mark.parametrize("width", [2, 3, 7, 20])
def test_wide_characters_never_overflow_a_row(text: str, width: int) -> None:
    rows = rows_of(text, width)
    assert all(cell_len(row) <= width for row in rows)
    assert "".join(rows) == text


@given(st.text(alphabet="ab é漢\n", max_size=80), st.integers(2, 30))
def test_nothing_but_spaces_at_breaks_is_lost(text: str, width: int) -> None:
    assert "".join("".join(rows_of(text, width)).split()) == "".join(text.split())


def test_only_what_is_looked_at_is_wrapped() -> None:
    taken = []

    def lines() -> Iterator[Line]:
        for number in range(100_000):
            taken.append(number)
            yield line(f"line {number}")

    flow = Flow(lines(), 40)
    assert flow.row(20) == line("line 20")
    assert len(taken) < 30


def test_the_row_behind_the_end_is_none() -> None:
    flow = Flow([line("one"), line("two")], 10)
    assert (flow.row(2), flow.reaches(1), flow.height()) == (None, True, 2)


def test_hanging_rows_begin_below_the_first_word() -> None:
    flow = Flow([line("  · one two three four"), line("plain words here")], 12, hanging=True)
    rows = ["".join(run.text for run in flow.row(n) or ()) for n in range(flow.height())]
    assert rows == ["  · one two", "    three", "    four", "plain words", "here"]
