from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bothways.engine.diff import Span, word_diff


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
    left = " ".join(f"a{n}" for n in range(20_000))
    right = " ".join(f"b{n}" for n in range(20_000))
    started = time.monotonic()
    diff = word_diff(left, right)
    assert time.monotonic() - started < 5
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
