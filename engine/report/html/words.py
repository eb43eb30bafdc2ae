"""Two texts as runs of words that are in both, and of words that one has alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bothways.engine.diff import Span, word_diff

__all__ = ["Run", "runs"]


class Run(NamedTuple):
    """A stretch of one text; `alone` where the other text has not got it."""

    text: str
    alone: bool


def runs(left: str, right: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Split both texts where they differ. A missing text differs from nothing."""
    if not (left and right):
        return (Run(left, False),), (Run(right, False),)
    apart = word_diff(left, right)
    return tuple(_split(left, apart.left)), tuple(_split(right, apart.right))


def _split(text: str, spans: Sequence[Span]) -> Iterator[Run]:
    end = 0
    for span in spans:
        if span.start > end:
            yield Run(text[end : span.start], False)
        yield Run(text[span.start : span.end], True)
        end = span.end
    if end < len(text):
        yield Run(text[end:], False)
