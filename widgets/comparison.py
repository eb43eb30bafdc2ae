"""Two answers that are read against each other: in which way, what differs, and the rows that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, TypeAlias

from rich.cells import cell_len

from bothways.engine.diff import Diff
from bothways.engine.text import agreeing
from bothways.widgets.beside import (
    PLACES,
    SIGNS,
    Pair,
    Place,
    Row,
    alone,
    beside,
    laid,
    unified,
)
from bothways.widgets.markdown import LONGEST
from bothways.widgets.plain import Line, Run, fit
from bothways.widgets.rowview import SideText
from bothways.widgets.wrap import wrapped

__all__ = ["Comparison", "Differences"]

Differences: TypeAlias = Literal["words", "unified", "off"]


@dataclass(slots=True)
class Comparison:
    """Two sides and the way they are read: with what marks, one `only` or both, rendered or as they stand.

    `diffs` are those of `pairs`, None as long as they are not known; whoever shows it has them found.
    """

    sides: tuple[SideText, SideText] = (SideText(""), SideText(""))
    differences: Differences = "words"
    only: Place | None = None
    markdown: bool = False
    pairs: Sequence[Pair] = ()
    diffs: Sequence[Diff] | None = None

    @property
    def unified(self) -> bool:
        """Whether both are read as one text: only where both are answers, and the differences are known."""
        missing = any(side.missing for side in self.sides)
        return self.differences == "unified" and self.only is None and not missing and self.diffs is not None

    @property
    def wanted(self) -> bool:
        """Whether there is anything to compare, and somebody wants to see it."""
        return self.differences != "off" and all(side.size for side in self.sides)

    @property
    def size(self) -> int:
        """How many characters both have."""
        return sum(side.size for side in self.sides)

    @property
    def titled(self) -> tuple[Place, ...]:
        """Which sides have a column of their own."""
        return PLACES if self.only is None and not self.unified else (self.only or 0,)

    def columns(self, width: int) -> tuple[int, int]:
        """Return how wide both columns are; between two of them is one for the divider."""
        if self.only is not None or self.unified:
            return width, width
        left = max(0, width - 1) // 2
        return left, max(0, width - 1 - left)

    def _texts(self, width: int) -> tuple[int, int]:
        """Return how many cells of text a row of either column holds: one is left free before it.

        Both hold as many, so that what is equal is wrapped alike.
        """
        room = max(1, min(self.columns(width)) - 1)
        return room, room

    def lay(self, width: int) -> None:
        """Put the turns of both sides beside each other; what differs is to be found again."""
        self.pairs = laid(*self.sides, min(self._texts(width)) if self.markdown else None)
        self.diffs = None

    def rows(self, width: int) -> Iterator[Row]:
        """Yield what is missing, then the answers."""
        widths = self._texts(width)
        places = PLACES if self.only is None else (self.only,)
        if any(self.sides[place].missing for place in places):
            why = (wrapped((Run(self.sides[n].missing, "warn"),), widths[n]) for n in places)
            yield from zip_longest(*why, fillvalue=())
        diffs = self.diffs if self.diffs is not None else [None] * len(self.pairs)
        if self.only is not None:
            yield from alone(self.pairs, diffs, self.only, widths[self.only])
        elif self.unified and self.diffs is not None:
            yield from unified(self.pairs, self.diffs, max(widths))
        else:
            yield from beside(self.pairs, diffs, widths)

    def title(self, place: Place, width: int, *, more: bool) -> Line:
        """Return whose answer it is and how long: both in one line where they are read as one text.

        `more` tells that there is something below what is shown.
        """
        places = PLACES if self.unified else (place,)
        signs = ("- ", "+ ") if self.unified else ("", "")
        room_for_all = self.columns(width)[place] - 1
        below = " ▼" if more else ""
        whole = sum(cell_len(signs[n] + self.sides[n].title) + 1 for n in places)
        brief, full = self._notes(places)
        note = (full if whole + cell_len(full) <= room_for_all else brief) + below
        room = max(1, (room_for_all - cell_len(note)) // len(places))
        runs = [Run(" ")]
        for n in places:
            runs += [Run(signs[n], SIGNS[n])] if signs[n] else []
            runs += [Run(fit(self.sides[n].title, room - len(signs[n]) - 1), "title"), Run(" ")]
        return (*runs, Run(note, "muted"))

    def _notes(self, places: Sequence[Place]) -> tuple[str, str]:
        """Return in brief and in full how long the answers are, and what to know of how they are shown."""
        sizes = " and ".join(f"{self.sides[n].size:,}" for n in places)
        unit = agreeing(self.sides[places[-1]].size, "character", "characters")
        signs = list(self._known(places))
        return " · ".join([f" {sizes}", *signs]), " · ".join([f" {sizes} {unit}", *signs])

    def _known(self, places: Sequence[Place]) -> Iterator[str]:
        """Yield what to know of how the answers are shown."""
        left, right = self.sides
        if left.text and (left.text, left.turns) == (right.text, right.turns):
            yield "identical"
        if self.markdown:
            rendered = any(self.sides[n].spoken <= LONGEST for n in places)
            yield "Markdown" if rendered else f"over {LONGEST:,}: not rendered"
        if self.diffs is not None and not all(diff.exact for diff in self.diffs):
            yield "too long to compare by word"
        elif self.diffs is None and self.wanted:
            yield "comparing"
