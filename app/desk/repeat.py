"""A verdict key that is held down acts once: what the keyboard repeats, nobody has decided."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["RepeatGuard"]

_REPEAT_S = 0.1
"""Keyboards repeat a held key after 15 to 90 ms; nobody reads a row in that time."""
_SAYING = ("verdict(", "act(")


class RepeatGuard:
    """Tells an action that is meant from one that the keyboard repeats."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = ("", float("-inf"))

    def held(self, action: str) -> bool:
        """Whether this is the same verdict again, too soon after the one before to be meant."""
        if not action.startswith(_SAYING):
            return False
        now, (last, at) = self._clock(), self._last
        self._last = (action, now)
        return action == last and now - at < _REPEAT_S
