"""Wrapping that does only as much as somebody looks at: 200,000 characters cost what the screen shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from rich.cells import cell_len, split_graphemes

from bothways.engine.text import visible
from bothways.widgets.plain import Line, Run

__all__ = ["Flow", "Lazy", "broken", "columns", "placed", "wrapped"]

T = TypeVar("T")


class Lazy(Generic[T]):
    """Rows out of an iterator, as far as was asked for."""

    def __init__(self, rows: Iterable[T]) -> None:
        self._more = iter(rows)
        self._rows: list[T] = []
        self._ended = False

    def row(self, number: int) -> T | None:
        """Return one row, or None behind the end."""
        return self._rows[number] if self.reaches(number) else None

    def reaches(self, number: int) -> bool:
        """Whether there is a row of this number; makes rows up to it and no further."""
        while len(self._rows) <= number and not self._ended:
            try:
                self._rows.append(next(self._more))
            except StopIteration:
                self._ended = True
        return number < len(self._rows)

    def height(self) -> int:
        """Return the number of all rows; this makes them to the end."""
        self._rows.extend(self._more)
        self._ended = True
        return len(self._rows)


class Flow(Lazy[Line]):
    """Lines wrapped to a width, row by row."""

    def __init__(self, lines: Iterable[Line], width: int, *, hanging: bool = False) -> None:
        super().__init__(row for line in lines for row in wrapped(line, max(1, width), hanging=hanging))


def wrapped(line: Line, width: int, *, hanging: bool = False) -> Iterator[Line]:
    """Yield the rows of one line of anybody's text, which may hold line breaks."""
    whole = "".join(run.text for run in line)
    if "\n" not in whole and visible(whole) == whole:
        return broken(line, width, hanging=hanging)
    parts = _split_lines([Run(visible(run.text), run.tone) for run in line])
    return (row for part in parts for row in broken(tuple(part), width, hanging=hanging))


def columns(left: Iterable[Line], right: Iterable[Line], width: int) -> Iterator[Line]:
    """Yield two columns of lines as rows of one width, each wrapped to its half."""
    half = max(1, (width - 3) // 2)
    sides = (Flow(left, half, hanging=True), Flow(right, width - 3 - half, hanging=True))
    number = 0
    while sides[0].reaches(number) or sides[1].reaches(number):
        one, other = (side.row(number) or () for side in sides)
        gap = half - sum(cell_len(run.text) for run in one)
        yield (*one, Run(" " * gap + " │ ", "muted"), *other)
        number += 1


def broken(line: Line, width: int, *, hanging: bool = False) -> Iterator[Line]:
    """Yield the rows of one line of visible text, broken between words where that is possible.

    With `hanging` the rows after the first begin below its first word, not below its indent or its mark.
    """
    for start, indent, row in placed(line, width, hanging=hanging):
        yield (Run(" " * indent), *row) if indent and start else row


def placed(line: Line, width: int, *, hanging: bool = False) -> Iterator[tuple[int, int, Line]]:
    """Yield for each row of a line where in its text it begins, how far it hangs, and the row."""
    text = line[0].text if len(line) == 1 else "".join(run.text for run in line)
    if len(text) <= width and text.isascii():
        yield 0, 0, line if text else ()
        return
    cursor = _Cursor(line)
    indent = _indent(text, width) if hanging else 0
    for start, end in _breaks(text, width, width - indent):
        yield start, indent, cursor.take(start, end)


def _split_lines(runs: Sequence[Run]) -> Iterator[Sequence[Run]]:
    """Cut at line breaks inside runs, so that a caller may hand over whole paragraphs."""
    part: list[Run] = []
    for run in runs:
        first, *others = run.text.split("\n")
        part.append(Run(first, run.tone))
        for text in others:
            yield part
            part = [Run(text, run.tone)]
    yield part


_LEAD = re.compile(r" *(?:(?:[-*·•▪│!✓✗?=~+→←]|\d{1,3}[.)]) +)?")


def _indent(text: str, width: int) -> int:
    lead = _LEAD.match(text)
    indent = cell_len(lead.group()) if lead is not None else 0
    return indent if indent <= width // 3 else 0


def _breaks(text: str, width: int, others: int) -> Iterator[tuple[int, int]]:
    """Yield where each row begins and ends; `others` is the width of the rows after the first."""
    narrow = text.isascii()
    start = 0
    while start < len(text):
        end = start + width if narrow else _reach(text, start, width)
        if end >= len(text):
            yield start, len(text)
            return
        if text[end] != " ":
            space = text.rfind(" ", start, end)
            # A word that would not fit into a row of its own is cut here and leaves no hole.
            if space > start and _word_fits(text, space + 1, others):
                end = space
        yield start, end
        start, width = end, others
        while start < len(text) and text[start] == " ":
            start += 1


_SIMPLE = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b]*"
)
"""Characters that take one cell each and join with nothing but what follows them."""
_DOUBLE = re.compile(
    "[\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*"
)
"""Characters that take two."""


def _word_fits(text: str, start: int, width: int) -> bool:
    return len(text) <= start + width or text.find(" ", start, start + width + 1) >= 0


def _reach(text: str, start: int, width: int) -> int:
    """Return the furthest index such that the graphemes from `start` fill at most `width` cells."""
    if (simple := _SIMPLE.match(text, start, start + width + 1)) and simple.end() > start + width:
        return start + width
    if (double := _DOUBLE.match(text, start, start + width // 2 + 1)) and double.end() > start + width // 2:
        return start + width // 2
    piece = text[start : start + width * 4]
    if len(piece) <= width and cell_len(piece) <= width:
        return start + len(piece)
    cells = 0
    for begin, end, size in split_graphemes(piece)[0]:
        if cells + size > width:
            return start + (begin or end)
        cells += size
    return start + len(piece)


class _Cursor:
    """Cuts stretches out of runs, from left to right, without starting over each time."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._index = 0
        self._begin = 0

    def take(self, start: int, end: int) -> Line:
        taken = []
        while self._index < len(self._runs):
            text, tone = self._runs[self._index]
            piece = text[max(0, start - self._begin) : end - self._begin]
            if piece:
                taken.append(Run(piece, tone))
            if self._begin + len(text) > end:
                break
            self._begin += len(text)
            self._index += 1
        return tuple(taken)
