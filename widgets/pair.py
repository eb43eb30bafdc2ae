"""Two answers side by side, scrolled together, with what differs marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rich.segment import Segment
from textual.strip import Strip
from textual.worker import Worker, WorkerState

from bothways.engine.diff import Diff, Span, word_diff
from bothways.engine.text import visible
from bothways.widgets.lines import Lines
from bothways.widgets.plain import Line, Run, Tone, fit
from bothways.widgets.wrap import Flow

__all__ = ["Differences", "PairView", "SideText"]

Differences: TypeAlias = Literal["off", "words"]
_AT_ONCE = 40_000
"""Characters of both sides that are compared before the next repaint; more is compared in a thread."""


@dataclass(frozen=True, slots=True)
class SideText:
    """One answer to show: whose it is, its text, and what stands in its place where there is none."""

    title: str
    text: str = ""
    missing: str = ""


class PairView(Lines):
    """Shows two texts in two columns, or one of them in the whole width."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sides = (SideText(""), SideText(""))
        self.differences: Differences = "words"
        self.only: Literal[0, 1] | None = None
        self._texts = ("", "")
        self._diff: Diff | None = None
        self._flows: dict[tuple[int, int], Flow] = {}

    def show(self, left: SideText, right: SideText) -> None:
        """Show two other answers from their beginning."""
        self.sides = (left, right)
        self._texts = (visible(left.text), visible(right.text))
        self.top = 0
        self._compare()

    def set_differences(self, differences: Differences) -> None:
        """Mark differing words, or do not."""
        self.differences = differences
        self._compare()

    def maximise(self, only: Literal[0, 1] | None) -> None:
        """Give the whole width to one side, or to both again."""
        self.only = only
        self._flows.clear()
        self.scroll_rows_to(self.top)
        self.refresh()

    def _compare(self) -> None:
        self._diff = None
        self._flows.clear()
        left, right = self._texts
        if self.differences == "words" and left and right:
            if len(left) + len(right) <= _AT_ONCE:
                self._diff = word_diff(left, right)
            else:
                self.run_worker(
                    lambda: word_diff(left, right),
                    thread=True, exclusive=True, group="differences", exit_on_error=False,
                )  # fmt: skip
        self.refresh()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Mark the differences of two long texts, if they are still the ones on the screen."""
        event.stop()
        if event.state is WorkerState.SUCCESS and isinstance(event.worker.result, Diff):
            self._diff = event.worker.result
            self._flows.clear()
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint the titles, or one row of both answers."""
        width = self.size.width
        if self.only is not None:
            return Strip(self._side(self.only, y, width), width)
        left = max(0, width - 1) // 2
        bar = self.segments((Run("│", "muted"),), min(1, width))
        right = max(0, width - 1 - left)
        return Strip([*self._side(0, y, left), *bar, *self._side(1, y, right)], width)

    def _side(self, side: Literal[0, 1], y: int, width: int) -> list[Segment]:
        if y == 0:
            return self.segments(self._title(side, width), width)
        row = self._flow(side, width - 1).row(self.top + y - 1) or ()
        return self.segments((Run(" "), *row), width)

    def _title(self, side: Literal[0, 1], width: int) -> Line:
        shown = self.sides[side]
        more = self._flow(side, width - 1).reaches(self.top + self.page)
        note = f" {len(shown.text):,} characters{' ▼' if more else ''}"
        if self.differences == "words" and self._diff is not None and not self._diff.exact:
            note = " too long to compare by word" + note
        room = max(1, width - len(note) - 1)
        return (Run(" "), Run(fit(shown.title, room), "title"), Run(note, "muted"))

    @property
    def page(self) -> int:
        """How many rows of the answers are on the screen: one line is the titles'."""
        return max(1, self.size.height - 1)

    def _flow(self, side: Literal[0, 1], width: int) -> Flow:
        if (side, width) not in self._flows:
            self._flows[side, width] = Flow(self._lines(side), width)
        return self._flows[side, width]

    def _lines(self, side: Literal[0, 1]) -> Iterator[Line]:
        shown = self.sides[side]
        if shown.missing:
            yield (Run(shown.missing, "warn"),)
        if not shown.text:
            return
        spans = () if self._diff is None else (self._diff.left, self._diff.right)[side]
        yield from marked(self._texts[side], spans, ("removed", "added")[side])

    def _shown_flows(self) -> list[Flow]:
        width = self.size.width
        if self.only is not None:
            return [self._flow(self.only, width - 1)]
        left = (width - 1) // 2
        return [self._flow(0, left - 1), self._flow(1, width - 2 - left)]

    def reaches(self, number: int) -> bool:
        """Whether either side has a row of this number."""
        return any(flow.reaches(number - 1) for flow in self._shown_flows())

    def bottom(self) -> int:
        """Return the number of rows of the longer side; wraps both to the end."""
        return max(flow.height() for flow in self._shown_flows()) + 1


def marked(text: str, spans: tuple[Span, ...], tone: Tone) -> Iterator[Line]:
    """Yield the lines of `text`, with the spans in a tone of their own."""
    at = 0
    begin = 0
    for part in text.split("\n"):
        end = begin + len(part)
        runs = []
        here = begin
        while at < len(spans) and spans[at].start < end:
            start, stop = max(spans[at].start, here), min(spans[at].end, end)
            runs += [Run(text[here:start]), Run(text[start:stop], tone)]
            here = stop
            if spans[at].end > end:
                break
            at += 1
        runs.append(Run(text[here:end]))
        yield tuple(run for run in runs if run.text)
        begin = end + 1
