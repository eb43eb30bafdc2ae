"""Word differences between two texts: where each has words that the other has not.

First by line, then by word inside the lines that differ, on rapidfuzz's Indel alignment, which is
bit-parallel: 1,000 words a side take half a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias, TypeVar

from rapidfuzz.distance import Indel

__all__ = ["Diff", "Span", "side_by_side", "word_diff"]

T = TypeVar("T")
_WORD = re.compile(r"\w+|[^\w\s]")
_CHANCE = 2
"""Words that two phrases may share by chance."""
_LIMIT = 100_000_000
"""Words times words that are still aligned: 10,000 a side take about 30 ms and 12 MB."""


_Word: TypeAlias = tuple[int, int]
"""Where a word begins and ends: thousands are looked at for each span that is found."""


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


class _Change(NamedTuple):
    """A stretch that differs: from `start` to `end` on the left, from `begin` to `stop` on the right."""

    start: int
    end: int
    begin: int
    stop: int


def word_diff(left: str, right: str) -> Diff:
    """Return the spans of `left` and of `right` that the other does not have.

    White space alone is no difference, and a word or two that long changes on both sides have in common is
    marked with them. A stretch too long to be aligned by word is marked as a whole.
    """
    lines, others = _lines(left), _lines(right)
    if left == right:
        return Diff(signs=" " * len(lines))
    spans: list[_Word] = []
    other_spans: list[_Word] = []
    exact, signs, at = True, [], 0
    for change in _changes([left[s:e] for s, e in lines], [right[s:e] for s, e in others]):
        signs += [" " * (change.start - at), _signs(change)]
        at = change.end
        words = _words(left, lines[change.start : change.end])
        other_words = _words(right, others[change.begin : change.stop])
        alone, other_alone, compared = _compare(left, words, right, other_words)
        spans += alone
        other_spans += other_alone
        exact = exact and compared
    signs.append(" " * (len(lines) - at))
    return Diff(tuple(_joined(left, spans)), tuple(_joined(right, other_spans)), exact, "".join(signs))


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


def _signs(change: _Change) -> str:
    """Return lines that differ as one text: in turn where there are as many, else left before right."""
    gone, new = change.end - change.start, change.stop - change.begin
    return "-+" * gone if gone == new else "-" * gone + "+" * new


def _compare(
    left: str, words: list[_Word], right: str, others: list[_Word]
) -> tuple[list[_Word], list[_Word], bool]:
    """Return the words that each side has alone, and whether they could be aligned."""
    alone: list[_Word] = []
    other_alone: list[_Word] = []
    exact = True
    changes = _changes([left[s:e] for s, e in words], [right[s:e] for s, e in others])
    for start, end, begin, stop in _readable(changes):
        alone += words[start:end]
        other_alone += others[begin:stop]
        exact = exact and (end - start) * (stop - begin) <= _LIMIT
    return alone, other_alone, exact


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
        yield _Change(start, end, start, stop)
        return
    pending: _Change | None = None
    for op in Indel.opcodes(left[start:end], right[start:stop]):
        if op.tag == "equal":
            if pending is not None:
                yield pending
            pending = None
            continue
        here = _Change(start + op.src_start, start + op.src_end, start + op.dest_start, start + op.dest_end)
        pending = here if pending is None else _Change(pending.start, here.end, pending.begin, here.stop)
    if pending is not None:
        yield pending


def _readable(changes: Iterable[_Change]) -> Iterator[_Change]:
    """Join changes with only a chance word or two between them: a phrase said anew reads as one."""
    pending: _Change | None = None
    for here in changes:
        if pending is not None:
            between = here.start - pending.end
            if between <= _CHANCE and min(_size(pending), _size(here)) > 2 * between:
                pending = _Change(pending.start, here.end, pending.begin, here.stop)
                continue
            yield pending
        pending = here
    if pending is not None:
        yield pending


def _size(change: _Change) -> int:
    return change.end - change.start + change.stop - change.begin


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
