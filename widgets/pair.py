"""Two answers side by side, scrolled together, with what differs marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias, get_args

from rich.cells import cell_len
from textual.strip import Strip
from textual.worker import Worker, WorkerState

from bothways.engine.diff import Diff
from bothways.widgets.beside import PLACES, SIGNS, Pair, Place, Row, alone, beside, compared, laid, unified
from bothways.widgets.lines import Lines
from bothways.widgets.markdown import LONGEST
from bothways.widgets.plain import Line, Run, fit
from bothways.widgets.rowview import SideText
from bothways.widgets.wrap import Lazy, wrapped

__all__ = ["Differences", "PairView"]

Differences: TypeAlias = Literal["words", "unified", "off"]
_AT_ONCE = 80_000
"""Characters of both sides that are compared before the next repaint; more is compared in a thread."""
_STRIPS = 2_000
"""Painted rows that are kept: scrolling paints only what was not in sight before."""


class PairView(Lines):
    """Shows two texts in two columns, as one text with signs, or one of them in the whole width.

    What is marked, and how, follows the place on the screen alone: no tone and no sign tells whose
    answer it is.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sides = (SideText(""), SideText(""))
        self.differences: Differences = "words"
        self.only: Place | None = None
        self.markdown = False
        self._pairs: Sequence[Pair] = ()
        self._diffs: Sequence[Diff] | None = None
        self._rows: Lazy[Row] = Lazy(())
        self._strips: dict[int, Strip] = {}

    def show(self, left: SideText, right: SideText) -> None:
        """Show two other answers from their beginning."""
        self.sides = (left, right)
        self.top = 0
        self._lay()

    def cycle_differences(self) -> None:
        """Show the differences in the next way: words, unified, off."""
        ways: tuple[Differences, ...] = get_args(Differences)
        self.set_differences(ways[(ways.index(self.differences) + 1) % len(ways)])

    def set_differences(self, differences: Differences) -> None:
        """Mark differing words, read both texts as one, or mark nothing."""
        self.differences = differences
        self._compare()
        self.scroll_rows_to(self.top)

    def set_markdown(self, markdown: bool) -> None:
        """Render what was said as Markdown, or show it as it stands."""
        self.markdown = markdown
        self._lay()
        self.scroll_rows_to(self.top)

    def maximise(self, only: Place | None) -> None:
        """Give the whole width to one side, or to both again."""
        self.only = only
        self._again()
        self.scroll_rows_to(self.top)

    def notify_style_update(self) -> None:
        """Forget what was painted in the old theme or the old state."""
        self._strips.clear()
        super().notify_style_update()

    def on_resize(self) -> None:
        """Wrap anew; a rendered table may have room now, or none any more."""
        if self.markdown:
            self._lay()
        else:
            self._again()
        self.scroll_rows_to(self.top)

    # What is shown.

    @property
    def _unified(self) -> bool:
        """Whether both are read as one text: only where both are answers, and the differences are known."""
        missing = any(side.missing for side in self.sides)
        return self.differences == "unified" and self.only is None and not missing and self._diffs is not None

    @property
    def _compares(self) -> bool:
        """Whether there is anything to compare, and somebody wants to see it."""
        return self.differences != "off" and all(side.size for side in self.sides)

    def _lay(self) -> None:
        self._pairs = laid(*self.sides, min(self._widths) if self.markdown else None)
        self._compare()

    def _compare(self) -> None:
        """Find the differences; where that takes longer than a repaint may, in a thread."""
        self._diffs = None
        pairs = self._pairs
        if self._compares:
            if sum(side.size for side in self.sides) <= _AT_ONCE:
                self._diffs = compared(pairs)
            else:
                self.run_worker(
                    lambda: (pairs, compared(pairs)),
                    thread=True, exclusive=True, group="differences", exit_on_error=False,
                )  # fmt: skip
        self._again()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Mark the differences of two long texts, if they are still the ones on the screen."""
        event.stop()
        if event.state is not WorkerState.SUCCESS or event.worker.result is None:
            return
        pairs, diffs = event.worker.result
        if pairs is self._pairs and self._compares:
            self._diffs = diffs
            self._again()

    def _again(self) -> None:
        """Make the rows anew."""
        self._rows = Lazy(self._made())
        self._strips.clear()
        self.refresh()

    def _made(self) -> Iterator[Row]:
        """Yield what is missing, then the answers."""
        widths = self._widths
        places = PLACES if self.only is None else (self.only,)
        if any(self.sides[place].missing for place in places):
            why = (wrapped((Run(self.sides[n].missing, "warn"),), widths[n]) for n in places)
            yield from zip_longest(*why, fillvalue=())
        diffs = self._diffs if self._diffs is not None else [None] * len(self._pairs)
        if self.only is not None:
            yield from alone(self._pairs, diffs, self.only, widths[self.only])
        elif self._unified and self._diffs is not None:
            yield from unified(self._pairs, self._diffs, max(widths))
        else:
            yield from beside(self._pairs, diffs, widths)

    @property
    def _columns(self) -> tuple[int, int]:
        """How wide both columns are; between two of them is one for the divider."""
        width = self.size.width
        if self.only is not None or self._unified:
            return width, width
        left = max(0, width - 1) // 2
        return left, max(0, width - 1 - left)

    @property
    def _widths(self) -> tuple[int, int]:
        """How many cells of text a row holds: one is left free before it."""
        left, right = self._columns
        return max(1, left - 1), max(1, right - 1)

    # How it is painted.

    def render_line(self, y: int) -> Strip:
        """Paint the titles, or one row of both answers."""
        if y == 0:
            return self._joined([self._title(place) for place in self._titled])
        number = self.top + y - 1
        strip = self._strips.get(number)
        if strip is None:
            if len(self._strips) >= _STRIPS:
                self._strips.clear()
            row = self._rows.row(number) or ((),) * len(self._titled)
            strip = self._strips[number] = self._joined([(Run(" "), *line) for line in row])
        return strip

    @property
    def _titled(self) -> tuple[Place, ...]:
        """Which sides have a column of their own."""
        return PLACES if self.only is None and not self._unified else (self.only or 0,)

    def _joined(self, columns: Sequence[Line]) -> Strip:
        width = self.size.width
        if len(columns) == 1:
            return self.strip(columns[0], width)
        left, right = self._columns
        bar = self.segments((Run("│", "muted"),), min(1, width))
        return Strip([*self.segments(columns[0], left), *bar, *self.segments(columns[1], right)], width)

    def _title(self, place: Place) -> Line:
        """Return whose answer it is and how long: both in one line where they are read as one text."""
        places = PLACES if self._unified else (place,)
        signs = ("- ", "+ ") if self._unified else ("", "")
        width = self._columns[place] - 1
        more = " ▼" if self._rows.reaches(self.top + self.page) else ""
        whole = sum(cell_len(signs[n] + self.sides[n].title) + 1 for n in places)
        brief, full = self._notes(places)
        note = (full if whole + cell_len(full) <= width else brief) + more
        room = max(1, (width - cell_len(note)) // len(places))
        runs = [Run(" ")]
        for n in places:
            runs += [Run(signs[n], SIGNS[n])] if signs[n] else []
            runs += [Run(fit(self.sides[n].title, room - len(signs[n]) - 1), "title"), Run(" ")]
        return (*runs, Run(note, "muted"))

    def _notes(self, places: Sequence[Place]) -> tuple[str, str]:
        """Return in brief and in full how long the answers are, and what to know of how they are shown."""
        sizes = " and ".join(f"{self.sides[n].size:,}" for n in places)
        signs = []
        if self.markdown:
            rendered = any(self.sides[n].spoken <= LONGEST for n in places)
            signs.append("Markdown" if rendered else f"over {LONGEST:,}: not rendered")
        if self._diffs is not None and not all(diff.exact for diff in self._diffs):
            signs.append("too long to compare by word")
        elif self._diffs is None and self._compares:
            signs.append("comparing")
        left, right = self.sides
        if left.text and (left.text, left.turns) == (right.text, right.turns):
            signs.insert(0, "identical")
        return " · ".join([f" {sizes}", *signs]), " · ".join([f" {sizes} characters", *signs])

    @property
    def page(self) -> int:
        """How many rows of the answers are on the screen: one line is the titles'."""
        return max(1, self.size.height - 1)

    def reaches(self, number: int) -> bool:
        """Whether there is a row of this number, the titles counted."""
        return self._rows.reaches(number - 1)

    def bottom(self) -> int:
        """Return the number of all rows; makes them to the end."""
        return self._rows.height() + 1
