"""Wrapping that does only as much as somebody looks at: 200,000 characters cost what the screen shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, split_graphemes

from bothways.engine.text import visible
from bothways.widgets.plain import Line, Run

__all__ = ["Flow", "wrapped"]


class Flow:
    """Lines wrapped to a width, row by row, as far as was asked for."""

    def __init__(self, lines: Iterable[Line], width: int, *, hanging: bool = False) -> None:
        self._more = (row for line in lines for row in wrapped(line, max(1, width), hanging=hanging))
        self._rows: list[Line] = []
        self._ended = False

    def row(self, number: int) -> Line | None:
        """Return one row, or None behind the end."""
        return self._rows[number] if self.reaches(number) else None

    def reaches(self, number: int) -> bool:
        """Whether there is a row of this number; wraps up to it and no further."""
        while len(self._rows) <= number and not self._ended:
            row = next(self._more, None)
            if row is None:
                self._ended = True
            else:
                self._rows.append(row)
        return number < len(self._rows)

    def height(self) -> int:
        """Return the number of all rows; this wraps to the end."""
        self._rows.extend(self._more)
        self._ended = True
        return len(self._rows)


def wrapped(line: Line, width: int, *, hanging: bool = False) -> Iterator[Line]:
    """Yield the rows of one line, broken between words where that is possible.

    With `hanging` the rows after the first begin below its first word, not below its indent or its mark.
    """
    whole = "".join(run.text for run in line)
    plain = "\n" not in whole and visible(whole) == whole
    for part in [line] if plain else _split_lines([Run(visible(run.text), run.tone) for run in line]):
        text = whole if plain else "".join(run.text for run in part)
        if not text:
            yield ()
            continue
        cursor = _Cursor(part)
        indent = _indent(text, width) if hanging else 0
        for start, end in _breaks(text, width, width - indent):
            row = cursor.take(start, end)
            yield (Run(" " * indent), *row) if indent and start else row


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


_LEAD = re.compile(r" *(?:[-·!✓✗?=~+→] +)?")


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


def _word_fits(text: str, start: int, width: int) -> bool:
    return len(text) <= start + width or text.find(" ", start, start + width + 1) >= 0


def _reach(text: str, start: int, width: int) -> int:
    """Return the furthest index such that the graphemes from `start` fill at most `width` cells."""
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
