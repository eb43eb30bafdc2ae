"""Word differences between two texts: where each has words that the other has not.

First by line, then by word inside the lines that differ, on rapidfuzz's Indel alignment, which is
bit-parallel: 1,000 words a side take half a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rapidfuzz.distance import Indel

__all__ = ["Diff", "Span", "word_diff"]

_WORD = re.compile(r"\w+|[^\w\s]")
_LIMIT = 100_000_000
"""Words times words that are still aligned: 10,000 a side take about 30 ms and 12 MB."""


_Word: TypeAlias = tuple[int, int]
"""Where a word begins and ends: thousands are looked at for each span that is found."""


class Span(NamedTuple):
    """Characters `start` to `end` (not included) of one text."""

    start: int
    end: int


class Diff(NamedTuple):
    """What each text has alone. `exact` is False where a part was too long to be compared by word."""

    left: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    exact: bool = True


@lru_cache(maxsize=16)
def word_diff(left: str, right: str) -> Diff:
    """Return the spans of `left` and of `right` that the other does not have.

    White space alone is no difference. A stretch too long to be aligned by word is marked as a whole.
    """
    if left == right:
        return Diff()
    lines, others = _lines(left), _lines(right)
    spans: list[_Word] = []
    other_spans: list[_Word] = []
    exact = True
    for op in _changes([left[s:e] for s, e in lines], [right[s:e] for s, e in others]):
        words = _words(left, lines[op[0] : op[1]])
        other_words = _words(right, others[op[2] : op[3]])
        if len(words) * len(other_words) > _LIMIT:
            exact = False
        else:
            words, other_words = _compare(left, words, right, other_words)
        spans += words
        other_spans += other_words
    return Diff(tuple(_joined(left, spans)), tuple(_joined(right, other_spans)), exact)


def _compare(
    left: str, words: list[_Word], right: str, others: list[_Word]
) -> tuple[list[_Word], list[_Word]]:
    """Return the words that each side has alone."""
    alone: list[_Word] = []
    other_alone: list[_Word] = []
    for op in _changes([left[s:e] for s, e in words], [right[s:e] for s, e in others]):
        alone += words[op[0] : op[1]]
        other_alone += others[op[2] : op[3]]
    return alone, other_alone


def _changes(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the stretches that differ, deletions joined with the insertions they touch."""
    pending: tuple[int, int, int, int] | None = None
    for op in Indel.opcodes(left, right):
        if op.tag == "equal":
            if pending is not None:
                yield pending
            pending = None
        elif pending is None:
            pending = (op.src_start, op.src_end, op.dest_start, op.dest_end)
        else:
            pending = (pending[0], op.src_end, pending[2], op.dest_end)
    if pending is not None:
        yield pending


def _lines(text: str) -> list[Span]:
    spans = []
    start = 0
    for line in text.split("\n"):
        spans.append(Span(start, start + len(line)))
        start += len(line) + 1
    return spans


def _words(text: str, lines: Sequence[Span]) -> list[_Word]:
    if not lines:
        return []
    return [m.span() for m in _WORD.finditer(text, lines[0].start, lines[-1].end)]


def _joined(text: str, words: Sequence[_Word]) -> Iterator[Span]:
    """Join neighbours with only spaces between them, so that a changed phrase is marked as one."""
    start = end = -1
    for begin, stop in words:
        if start >= 0 and not text[end:begin].strip(" "):
            end = stop
            continue
        if start >= 0:
            yield Span(start, end)
        start, end = begin, stop
    if start >= 0:
        yield Span(start, end)
