"""A key that is held down, or text that is pasted where a key is meant, is not a verdict on every row."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Repeats"]

HELD_S = 0.15
"""Seconds between two presses of one key below which it is held down: people who tap fast take longer."""
PASTED_S = 0.025
"""Seconds between two keys below which nobody typed them: a terminal handed over a paste."""


class Repeats:
    """Tells a press from the repetition of the one before it. `clock` gives seconds that only go forward.

    Terminals send no key-up, so the time since the last press is all there is. What is taken for a
    repetition counts as a press: a key is held until it has been quiet once.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = ("", float("-inf"))

    def repeats(self, key: str) -> bool:
        """Take note of a press, and say whether it is one that nobody meant."""
        before, at_s = self._last
        now_s = self._clock()
        self._last = (key, now_s)
        return now_s - at_s < (HELD_S if key == before else PASTED_S)
