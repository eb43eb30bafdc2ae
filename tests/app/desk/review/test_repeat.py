from __future__ import annotations

from collections.abc import Iterator

from bothways.app.desk.review.repeat import Repeats


def pressed(*presses: tuple[str, float]) -> list[bool]:
    """Press keys at these seconds, and tell which counted."""
    clock: Iterator[float] = iter([at_s for _, at_s in presses])
    repeats = Repeats(lambda: next(clock))
    return [not repeats.repeats(key) for key, _ in presses]


def test_a_held_key_counts_when_it_goes_down_and_once_before_the_terminal_repeats_it() -> None:
    held = [("l", 0.0), ("l", 0.5), *(("l", 0.5 + n * 0.033) for n in range(1, 40))]
    assert pressed(*held) == [True, True, *[False] * 39]


def test_somebody_who_taps_fast_is_believed() -> None:
    assert pressed(("l", 0.0), ("l", 0.2), ("h", 0.26), ("l", 0.3)) == [True] * 4


def test_a_key_that_was_held_counts_again_after_it_was_quiet() -> None:
    assert pressed(("l", 0.0), ("l", 0.03), ("l", 0.06), ("l", 0.3)) == [True, False, False, True]


def test_letters_that_come_faster_than_anybody_types_are_a_paste() -> None:
    assert pressed(("h", 0.0), ("l", 0.001), ("e", 0.002)) == [True, False, False]
