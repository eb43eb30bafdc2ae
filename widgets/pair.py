"""Two answers side by side, scrolled together, with what differs marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from textual.strip import Strip
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from bothways.widgets.beside import Place, Row, compared
from bothways.widgets.comparison import Comparison, Differences
from bothways.widgets.lines import Lines
from bothways.widgets.plain import Line, Run
from bothways.widgets.rowview import SideText
from bothways.widgets.wrap import Lazy

__all__ = ["Differences", "PairView"]

_AT_ONCE = 80_000
"""Characters of both sides that are compared before the next repaint; more is compared in a thread."""
_PAUSE_S = 0.1
"""How long a longer one stays on the screen before it is compared."""


class PairView(Lines):
    """Shows two texts in two columns, as one text with signs, or one of them in the whole width.

    What is marked, and how, follows the place on the screen alone: no tone and no sign tells whose
    answer it is.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = Comparison()
        self._rows: Lazy[Row] = Lazy(())
        self._later: Timer | None = None

    def show(self, left: SideText, right: SideText) -> None:
        """Show two other answers from their beginning."""
        self.shown.sides = (left, right)
        self.top = 0
        self._lay()

    def cycle_differences(self) -> None:
        """Show the differences in the next way: words, unified, off."""
        ways: tuple[Differences, ...] = get_args(Differences)
        self.set_differences(ways[(ways.index(self.shown.differences) + 1) % len(ways)])

    def set_differences(self, differences: Differences) -> None:
        """Mark differing words, read both texts as one, or mark nothing."""
        self.shown.differences = differences
        self._compare()

    def set_markdown(self, markdown: bool) -> None:
        """Render what was said as Markdown, or show it as it stands."""
        self.shown.markdown = markdown
        self._lay()

    def maximise(self, only: Place | None) -> None:
        """Give the whole width to one side, or to both again."""
        self.shown.only = only
        self._again()

    def on_resize(self) -> None:
        """Wrap anew; a rendered table may have room now, or none any more."""
        if self.shown.markdown:
            self._lay()
        else:
            self._again()

    def _lay(self) -> None:
        self.shown.lay(self.size.width)
        self._compare()

    def _compare(self) -> None:
        """Find the differences; where that takes longer than a repaint may, in a thread."""
        self.shown.diffs = None
        if self._later is not None:
            self._later.stop()
        if self.shown.wanted:
            if self.shown.size <= _AT_ONCE:
                self.shown.diffs = compared(self.shown.pairs)
            else:
                self._later = self.set_timer(_PAUSE_S, self._compare_apart)
        self._again()

    def _compare_apart(self) -> None:
        """Find the differences in a thread, once somebody stays: even there it slows the loop."""
        pairs = self.shown.pairs
        if self.shown.wanted and self.shown.diffs is None:
            self.run_worker(
                lambda: (pairs, compared(pairs)),
                thread=True, exclusive=True, group="differences", exit_on_error=False,
            )  # fmt: skip

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Mark the differences of two long texts, if they are still the ones on the screen."""
        event.stop()
        if event.state is not WorkerState.SUCCESS or event.worker.result is None:
            return
        pairs, diffs = event.worker.result
        if pairs is self.shown.pairs and self.shown.wanted:
            self.shown.diffs = diffs
            self._again()

    def _again(self) -> None:
        """Make the rows anew; whoever was below the last of them is taken to it."""
        self._rows = Lazy(self.shown.rows(self.size.width))
        self.scroll_rows_to(self.top)
        self.repaint()

    def paint(self, y: int, width: int) -> Strip:
        """Return the titles, or one row of both answers."""
        titled = self.shown.titled
        if y == 0:
            more = self._rows.reaches(self.top + self.page)
            return self._joined([self.shown.title(place, width, more=more) for place in titled], width)
        row = self._rows.row(self.top + y - 1) or ((),) * len(titled)
        return self._joined([(Run(" "), *line) for line in row], width)

    def _joined(self, columns: Sequence[Line], width: int) -> Strip:
        if len(columns) == 1:
            return self.strip(columns[0], width)
        left, right = self.shown.columns(width)
        bar = self.segments((Run("│", "muted"),), min(1, width))
        return Strip([*self.segments(columns[0], left), *bar, *self.segments(columns[1], right)], width)

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
