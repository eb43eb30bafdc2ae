from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_like_its_size

from bothways.engine.diff import Span, side_by_side, word_diff


def words_alone(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_equal_texts_have_no_difference() -> None:
    diff = word_diff("the same\nwords", "the same\nwords")
    assert (diff.left, diff.right, diff.exact) == ((), (), True)


def test_a_changed_word_is_marked_on_both_sides() -> None:
    left, right = "Your order ships today.", "Your order ships on Monday."
    diff = word_diff(left, right)
    assert words_alone(left, diff.left) == ["today"]
    assert words_alone(right, diff.right) == ["on Monday"]


def test_lines_that_are_equal_are_left_alone() -> None:
    left, right = "Hello\nold line\nBye", "Hello\nnew line\nBye"
    diff = word_diff(left, right)
    assert words_alone(left, diff.left) == ["old"]
    assert words_alone(right, diff.right) == ["new"]


def test_an_inserted_line_is_marked_on_one_side_only() -> None:
    diff = word_diff("a\nb", "a\nextra words\nb")
    assert diff.left == ()
    assert words_alone("a\nextra words\nb", diff.right) == ["extra words"]


def test_a_text_beside_nothing_is_all_difference() -> None:
    assert words_alone("all new", word_diff("", "all new").right) == ["all new"]


def test_white_space_alone_is_no_difference() -> None:
    diff = word_diff("one  two", "one two")
    assert (diff.left, diff.right) == ((), ())


def test_a_stretch_too_long_to_align_is_marked_whole_and_said_so() -> None:
    left, right = other_parts(20_000, " ")
    diff = word_diff(left, right)
    assert not diff.exact
    assert diff.left == (Span(0, len(left)),)


texts = st.text(alphabet="ab \n.é", max_size=40)


@given(texts, texts)
def test_what_is_not_marked_is_the_same_on_both_sides(left: str, right: str) -> None:
    diff = word_diff(left, right)

    def rest(text: str, spans: tuple[Span, ...]) -> str:
        for start, end in reversed(spans):
            text = text[:start] + text[end:]
        return "".join(text.split())

    assert rest(left, diff.left) == rest(right, diff.right)


def test_one_word_changed_in_a_very_long_line_is_found() -> None:
    before, after = "x " * 100_000, " y" * 40_000
    diff = word_diff(f"{before}old{after}", f"{before}new{after}")
    assert diff.exact
    assert diff.left == (Span(200_000, 200_003),)


def other_parts(count: int, between: str) -> tuple[str, str]:
    """Return two texts of so many words or lines, none of which the other has."""
    return between.join(f"a{n}" for n in range(count)), between.join(f"b{n}" for n in range(count))


@pytest.mark.parametrize("between", [" ", "\n"], ids=["words", "lines"])
def test_a_hundred_thousand_other_parts_are_answered_in_time_that_grows_with_them(between: str) -> None:
    assert not word_diff(*other_parts(100_000, between)).exact

    def compared(count: int) -> Callable[[], object]:
        texts = other_parts(count, between)
        return lambda: word_diff(*texts)

    assert grows_like_its_size(compared, 100_000)


def test_a_word_that_two_long_changes_share_by_chance_is_part_of_them() -> None:
    left = "one two three four and five six seven eight"
    right = "alpha beta gamma delta and epsilon zeta eta theta"
    diff = word_diff(left, right)
    assert words_alone(left, diff.left) == [left]
    assert words_alone(right, diff.right) == [right]


def read_back(signs: str, left: str, right: str) -> tuple[list[str], list[str]]:
    """Return both texts' lines as somebody reads them who strikes out all `+`, or all `-`, lines."""
    one, other = iter(left.split("\n")), iter(right.split("\n"))
    before, after = [], []
    for sign in signs:
        if sign == "-":
            before.append(next(one))
        elif sign == "+":
            after.append(next(other))
        else:
            before.append(next(one))
            after.append(next(other))
            assert before[-1] == after[-1]
    return before, after


@given(texts, texts)
def test_read_as_one_text_neither_loses_a_line(left: str, right: str) -> None:
    signs = word_diff(left, right).signs
    assert read_back(signs, left, right) == (left.split("\n"), right.split("\n"))


def test_as_many_lines_changed_on_both_sides_are_read_in_turn() -> None:
    assert word_diff("a\nold one\nold two\nb", "a\nnew one\nnew two\nb").signs == " -+-+ "
    assert word_diff("a\nold\nb", "a\nnew\nmore\nb").signs == " -++ "


def test_what_is_equal_stands_together_and_the_rest_by_its_next_key() -> None:
    left = ("user hi", "agent hello", "call get 1", "agent bye")
    right = ("user hi", "call get 2", "agent bye")
    keys = (lambda turn: turn, lambda turn: turn.split()[0])
    assert list(side_by_side(left, right, keys)) == [
        ("user hi", "user hi"),
        ("agent hello", None),
        ("call get 1", "call get 2"),
        ("agent bye", "agent bye"),
    ]
