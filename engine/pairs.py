"""What a row stands on where there were several nights: one pair of answers, which people see and sign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar

from bothways.engine.facts import Failure
from bothways.engine.keys import digest

__all__ = ["Given", "Seen", "newest", "seen"]


class Given(Protocol):
    """An answer, whole or as a fact that streams by."""

    @property
    def failure(self) -> Failure | None:
        """Why there is none."""
        ...

    @property
    def digest(self) -> str:
        """Hash of what a judge can see of it."""
        ...

    @property
    def tools_digest(self) -> str:
        """Hash of its tool calls."""
        ...


G = TypeVar("G", bound=Given)


class Seen(NamedTuple):
    """What a review stands on: the hashes of a pair of answers, and of the tool calls of both."""

    pair: str
    tools: str


def newest(tried: Iterable[tuple[int, int, G]]) -> G | None:
    """Return the answer that counts of (night, repeat, answer): the newest; None where none was tried.

    A failure counts only where there is nothing else: a night that gave nothing takes no answer away.
    """
    found = max(tried, key=lambda one: (one[2].failure is None, one[0], one[1]), default=None)
    return None if found is None else found[2]


def seen(baseline: Given | None, candidate: Given | None) -> Seen | None:
    """Return what a review of these two stands on; None where one was not tried. A failure is nothing."""
    if baseline is None or candidate is None:
        return None
    both = (baseline, candidate)
    return Seen(
        digest("pair", *("" if one.failure is not None else one.digest for one in both)),
        digest("pair", *("" if one.failure is not None else one.tools_digest for one in both)),
    )
