"""Word differences between two texts: where each has words that the other has not.

First by line, then by word inside the lines that differ, on rapidfuzz's Indel alignment, which is
bit-parallel: 1,000 words a side take half a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple, TypeAlias, TypeVar

from rapidfuzz.distance import Indel

__all__ = ["Diff", "Span", "side_by_side", "word_diff"]

T = TypeVar("T")
_WORD = re.compile(r"\s*(?:\w+|[^\w\s])")
"""A word or a sign, with the white space before it: all of a text but its last white space."""
_PART = re.compile(r"\S(?:[^\n]*\S)?")
_CHANCE = 2
"""Words that two phrases may share by chance."""
_LIMIT = 100_000_000
"""Words times words that are still aligned: 10,000 a side take about 30 ms and 12 MB."""


class Span(NamedTuple):
    """Characters `start` to `end` (not included) of one text."""

    start: int
    end: int


class Diff(NamedTuple):
    """What each text has alone. `exact` is False where a part was too long to be compared by word.

    `signs` reads both as one text: for each line " " (both have it), "-" (only left) or "+" (only right).
    """

    left: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    exact: bool = True
    signs: str = ""


_Change: TypeAlias = tuple[int, int, int, int]
"""A stretch that differs: its start and end on the left, then on the right. One row can have thousands."""


def word_diff(left: str, right: str) -> Diff:
    """Return the spans of `left` and of `right` that the other does not have.

    White space alone is no difference, and a word or two that long changes on both sides have in common is
    marked with them. A stretch too long to be aligned by word is marked as a whole.
    """
    lines, others = _Lines(left), _Lines(right)
    if left == right:
        return Diff(signs=" " * len(lines.texts))
    spans: list[Span] = []
    other_spans: list[Span] = []
    exact, signs, at = True, [], 0
    for first, last, other_first, other_last in _changes(lines.texts, others.texts):
        signs += [" " * (first - at), _signs(last - first, other_last - other_first)]
        at = last
        words, other_words = lines.words(first, last), others.words(other_first, other_last)
        for start, end, begin, stop in _readable(_changes(words.texts, other_words.texts)):
            spans += words.spans(start, end)
            other_spans += other_words.spans(begin, stop)
            exact = exact and (end - start) * (stop - begin) <= _LIMIT
    signs.append(" " * (len(lines.texts) - at))
    return Diff(tuple(spans), tuple(other_spans), exact, "".join(signs))


def side_by_side(
    left: Sequence[T], right: Sequence[T], keys: Sequence[Callable[[T], Hashable]]
) -> Iterator[tuple[T | None, T | None]]:
    """Lay two sequences beside each other: what has an equal first key stands together.

    What lies between is laid by the next key in the same way, and where no key is left in its order. None
    stands where a side has nothing.
    """
    if not keys:
        yield from zip_longest(left, right)
        return
    key, *others = keys
    at = other_at = 0
    for start, end, begin, stop in _changes([key(one) for one in left], [key(one) for one in right]):
        yield from zip(left[at:start], right[other_at:begin], strict=True)
        yield from side_by_side(left[start:end], right[begin:stop], others)
        at, other_at = end, stop
    yield from zip(left[at:], right[other_at:], strict=True)


def _signs(gone: int, new: int) -> str:
    """Return lines that differ as one text: in turn where there are as many, else left before right."""
    return "-+" * gone if gone == new else "-" * gone + "+" * new


def _changes(left: Sequence[Hashable], right: Sequence[Hashable]) -> Iterator[_Change]:
    """Yield the stretches that differ, deletions joined with the insertions they touch.

    What both begin and end with is set aside first. Where the rest is too long it is one stretch.
    """
    start, shorter = 0, min(len(left), len(right))
    while start < shorter and left[start] == right[start]:
        start += 1
    tail, shorter = 0, shorter - start
    while tail < shorter and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    end, stop = len(left) - tail, len(right) - tail
    if (end - start) * (stop - start) > _LIMIT:
        yield start, end, start, stop
        return
    at, other = start, start
    for a, b, size in Indel.opcodes(left[start:end], right[start:stop]).as_matching_blocks():
        if start + a > at or start + b > other:
            yield at, start + a, other, start + b
        at, other = start + a + size, start + b + size


def _readable(changes: Iterable[_Change]) -> Iterator[_Change]:
    """Join changes with only a chance word or two between them: a phrase said anew reads as one."""
    pending: _Change | None = None
    for here in changes:
        if pending is not None:
            between = here[0] - pending[1]
            if between <= _CHANCE and min(_size(pending), _size(here)) > 2 * between:
                pending = (pending[0], here[1], pending[2], here[3])
                continue
            yield pending
        pending = here
    if pending is not None:
        yield pending


def _size(change: _Change) -> int:
    return change[1] - change[0] + change[3] - change[2]


class _Lines:
    """The lines of a text, and where each begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.texts = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self.texts)]

    def words(self, start: int, end: int) -> _Words:
        """Return the words of some lines."""
        return _Words(self._text, self._starts[start], self._starts[end])


class _Words:
    """The words of a stretch of a text, and where each begins and ends.

    Looking at each in Python would cost more than aligning them does, and so would an object for each.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        found = _WORD.findall(text, start, end)
        self.texts: list[str] = [*map(str.lstrip, found)]
        self._ends = [*accumulate(map(len, found), initial=start)][1:]

    def spans(self, start: int, end: int) -> list[Span]:
        """Return what a run of words covers: one span, or one in each of its lines."""
        if start == end:
            return []
        begin, stop = self._ends[start] - len(self.texts[start]), self._ends[end - 1]
        if self._text.find("\n", begin, stop) < 0:
            return [Span(begin, stop)]
        return [Span(*part.span()) for part in _PART.finditer(self._text, begin, stop)]
