"""Two answers as rows: side by side, one alone, or both read as one text with `-` and `+`.

Everything is made row by row, as far as somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.diff import Diff, Span, side_by_side, word_diff
from bothways.engine.text import visible, visible_line
from bothways.widgets.markdown import LONGEST, markdown_lines
from bothways.widgets.plain import Line, Run, Tone
from bothways.widgets.rowview import SideText, Turn
from bothways.widgets.wrap import broken, placed

__all__ = [
    "PLACES", "SIGNS", "TONES", "Marks", "Pair", "Place", "Row",
    "alone", "beside", "compared", "laid", "unified",
]  # fmt: skip

Place: TypeAlias = Literal[0, 1]
"""Left or right, as they are shown: nothing here knows whose answer it is."""
Row: TypeAlias = tuple[Line, ...]
"""What one row of the screen shows, column by column."""
TONES: tuple[Tone, Tone] = ("removed", "added")
SIGNS: tuple[Tone, Tone] = ("bad", "good")
"""The tones of words that one side has alone, and of the signs `-` and `+`."""
PLACES: tuple[Place, Place] = (0, 1)
_HEAD: Tone = "accent"


class Block(NamedTuple):
    """One turn made visible, under its head: `lines` are its text with tones, None where it is plain."""

    head: str
    text: str
    lines: tuple[Line, ...] | None = None

    def toned(self) -> Iterable[Line]:
        """Return its lines."""
        return self.lines if self.lines is not None else ((Run(part),) for part in self.text.split("\n"))


_NOTHING = Block("", "")
Pair: TypeAlias = tuple[Block | None, Block | None]
Diffs: TypeAlias = Sequence[Diff] | Sequence[None]


def _blocks(side: SideText, markdown_width: int | None) -> list[Block]:
    """Return one side's turns as they are shown; with a width, what was said is rendered as Markdown."""
    turns = side.turns or (Turn("", side.text),)
    width = markdown_width if side.spoken <= LONGEST else None
    return [_block(turn, None if turn.call else width) for turn in turns if turn.text or turn.head]


def _block(turn: Turn, markdown_width: int | None) -> Block:
    head, text = visible_line(turn.head), visible(turn.text)
    if head and not turn.call:
        head = f"── {head}"
    if markdown_width is None:
        return Block(head, text)
    lines = tuple(markdown_lines(text, max(1, markdown_width)))
    return Block(head, "\n".join("".join(run.text for run in line) for line in lines), lines)


def laid(left: SideText, right: SideText, markdown_width: int | None = None) -> list[Pair]:
    """Lay the turns of both sides beside each other: equal ones, then those of the same speaker or tool."""
    one, other = _blocks(left, markdown_width), _blocks(right, markdown_width)
    pairs = side_by_side(one, other, (_said, _head))
    return list(pairs)


def _said(block: Block) -> tuple[str, str]:
    return block.head, block.text


def _head(block: Block) -> str:
    return block.head


def compared(pairs: Iterable[Pair]) -> list[Diff]:
    """Return the differences of each pair of turns."""
    return [word_diff((left or _NOTHING).text, (right or _NOTHING).text) for left, right in pairs]


def beside(pairs: Sequence[Pair], diffs: Diffs, widths: tuple[int, int]) -> Iterator[Row]:
    """Yield rows of two columns; both sides of a pair of turns begin in the same row."""
    for pair, diff in zip(pairs, diffs, strict=True):
        left, right = _column(pair, diff, 0, widths[0]), _column(pair, diff, 1, widths[1])
        yield from zip_longest(left, right, fillvalue=())


def alone(pairs: Sequence[Pair], diffs: Diffs, place: Place, width: int) -> Iterator[Row]:
    """Yield rows of one side."""
    for pair, diff in zip(pairs, diffs, strict=True):
        yield from ((row,) for row in _column(pair, diff, place, width))


def _column(pair: Pair, diff: Diff | None, place: Place, width: int) -> Iterator[Line]:
    block = pair[place]
    if block is None:
        return
    if block.head:
        yield from broken((Run(block.head, _HEAD),), width)
    yield from chain.from_iterable(_wrapped(block, diff, place, width))


def _wrapped(block: Block, diff: Diff | None, place: Place, width: int) -> Iterator[Iterator[Line]]:
    """Yield the rows of each line of a turn, marked row by row: nobody may ever look further."""
    marks = Marks(() if diff is None else (diff.left, diff.right)[place], TONES[place])
    begin = 0
    for line in block.toned():
        yield _marked(line, marks, begin, width)
        begin += (len(line[0].text) if len(line) == 1 else sum(len(run.text) for run in line)) + 1


def _marked(line: Line, marks: Marks, begin: int, width: int) -> Iterator[Line]:
    for start, indent, row in placed(line, width, hanging=True):
        shown = marks.on(row, begin + start)
        yield (Run(" " * indent), *shown) if indent and start else shown


def unified(pairs: Sequence[Pair], diffs: Sequence[Diff], width: int) -> Iterator[Row]:
    """Yield both texts as one: `-` before a line that only the left has, `+` before one of the right."""
    for pair, diff in zip(pairs, diffs, strict=True):
        yield from _heads(pair, width)
        room = max(1, width - 2)
        left, right = (_wrapped(pair[place] or _NOTHING, diff, place, room) for place in PLACES)
        for sign in _signs(pair, diff):
            gone = next(left) if sign != "+" else iter(())
            line = next(right) if sign != "-" else gone
            yield from ((_signed(sign, row),) for row in line)


def _signs(pair: Pair, diff: Diff) -> str:
    """Return the signs of a pair; a side without such a turn has no line at all, not an empty one."""
    for block, sign in zip(pair, "+-", strict=True):
        if block is None:
            other = pair[1] or pair[0] or _NOTHING
            return sign * (other.text.count("\n") + 1)
    return diff.signs


def _heads(pair: Pair, width: int) -> Iterator[Row]:
    heads = [block.head if block is not None else "" for block in pair]
    shared = heads[0] == heads[1]
    for sign, head in ((" ", heads[0]),) if shared else zip("-+", heads, strict=True):
        for row in broken((Run(head, _HEAD),), max(1, width - 2)) if head else ():
            yield (_signed(sign, row),)


def _signed(sign: str, row: Line) -> Line:
    """Put its sign before every row of a line."""
    tone: Tone = "" if sign == " " else SIGNS["-+".index(sign)]
    return (Run(f"{sign} ", tone), *row)


class Marks:
    """Puts a tone on the spans of a text, stretch by stretch from its beginning."""

    def __init__(self, spans: Sequence[Span], tone: Tone) -> None:
        self._spans = spans
        self._tone = tone
        self._at = 0

    def on(self, line: Line, begin: int) -> Line:
        """Return a stretch that begins at `begin` with its part of the spans marked."""
        if self._at == len(self._spans):
            return line
        spans, runs = self._spans, list[Run]()
        for text, own in line:
            here, end = begin, begin + len(text)
            while self._at < len(spans) and spans[self._at].start < end:
                start, stop = max(spans[self._at].start, here), min(spans[self._at].end, end)
                if start < stop:
                    runs.append(Run(text[here - begin : start - begin], own))
                    runs.append(Run(text[start - begin : stop - begin], self._tone))
                    here = stop
                if spans[self._at].end > end:
                    break
                self._at += 1
            runs.append(Run(text[here - begin :], own))
            begin = end
        return tuple(run for run in runs if run.text)
