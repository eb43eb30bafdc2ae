"""The base of every widget that paints lines: its own scroll offset, tones as component styles.

A plain Widget and not a ScrollView: changing a ScrollView's virtual size lays out the screen a second
time, which costs more than everything else that a key does.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import ClassVar, Self

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message_pump import _MessagePumpMeta
from textual.strip import Strip
from textual.widget import Widget

from bothways.engine.text import visible_line
from bothways.widgets.plain import TONES, Line, Run, Tone
from bothways.widgets.stock import plain
from bothways.widgets.wrap import Flow

__all__ = ["Brief", "Lines", "OneLine", "Rows"]


class _Abstract(ABCMeta, _MessagePumpMeta):
    """Makes widgets of which some methods must be given: their own metaclass knows no abstract ones."""


class Lines(Widget, can_focus=True, metaclass=_Abstract):
    """Paints `Line`s from `top` downwards. A subclass says how many rows there are, and paints one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"tone--{tone}" for tone in TONES), "tone--cursor"}
    DEFAULT_CSS = """
    Lines {
        width: 1fr;
        height: 1fr;
        &> .tone--muted { color: $foreground-darken-3; }
        &> .tone--strong { text-style: bold; }
        &> .tone--title { color: $text-primary; text-style: bold; }
        &> .tone--good { color: $text-success; }
        &> .tone--bad { color: $text-error; }
        &> .tone--warn { color: $text-warning; }
        &> .tone--accent { color: $text-accent; }
        &> .tone--added { color: $text-success; text-style: underline; }
        &> .tone--removed { color: $text-error; text-style: underline; }
        &> .tone--key { color: $text-accent; text-style: bold; }
        &> .tone--emphasis { text-style: italic; }
        &> .tone--struck { text-style: strike; }
        &> .tone--code { color: $text-secondary; }
        &> .tone--link { color: $text-accent; }
        &> .tone--cursor { background: $primary-muted; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_rows(-1)", "Up", show=False, id="lines.up"),
        Binding("down", "scroll_rows(1)", "Down", show=False, id="lines.down"),
        Binding("pageup", "scroll_pages(-1)", "Page up", show=False, id="lines.page_up"),
        Binding("pagedown,space", "scroll_pages(1)", "Page down", show=False, id="lines.page_down"),
        Binding("home", "scroll_top", "To the top", show=False, id="lines.top"),
        Binding("end", "scroll_bottom", "To the end", show=False, id="lines.bottom"),
    ]

    top = 0

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles: dict[tuple[str, Tone], Style] = {}
        self._painted: dict[int, Strip] = {}
        self._painted_in = Size(0, 0)
        self._stale = False

    def notify_style_update(self) -> None:
        """Forget the styles made of the old theme or the old state, and what was painted with them."""
        self._styles.clear()
        self._painted.clear()
        super().notify_style_update()

    def caption(self, title: str, note: str = "") -> None:
        """Set the words in the border, as they are."""
        self.border_title = plain(visible_line(title))
        self.border_subtitle = plain(visible_line(note))

    @abstractmethod
    def bottom(self) -> int:
        """Return the number of all rows."""

    @abstractmethod
    def paint(self, y: int, width: int) -> Strip:
        """Return what one row of the screen shows, in exactly `width` cells."""

    def render_line(self, y: int) -> Strip:
        """Return a row as it was painted last, or paint it."""
        painted = self._still_painted()
        strip = painted.get(y)
        if strip is None:
            strip = painted[y] = self.paint(y, self.size.width)
        return strip

    def repaint(self) -> None:
        """Have what changed shown, once for all changes of one key.

        Only rows that are not as they stand on the screen are put there again: that costs several times what
        painting them does.
        """
        self._stale = True
        self.check_idle()

    def on_idle(self) -> None:
        """Paint the rows if anything may have changed."""
        if not self._stale:
            return
        self._stale = False
        before = self._still_painted()
        if not before:
            self.refresh()
            return
        width, height = self.size
        self._painted = {y: self.paint(y, width) for y in range(height)}
        if changed := [y for y, strip in self._painted.items() if before.get(y) != strip]:
            super().refresh(*(Region(0, y, width, 1) for y in changed))

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Forget what was painted, and show all of it or these regions anew."""
        self._painted.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _still_painted(self) -> dict[int, Strip]:
        if self._painted_in != self.size:
            self._painted_in = self.size
            self._painted.clear()
        return self._painted

    def reaches(self, number: int) -> bool:
        """Whether there is a row of this number; cheaper than `bottom` where wrapping is lazy."""
        return number < self.bottom()

    def strip(self, line: Line, width: int, over: str = "") -> Strip:
        """Return a line as a strip of exactly `width` cells; `over` names a style under all runs."""
        return Strip(self.segments(line, width, over), max(0, width))

    def segments(self, line: Line, width: int, over: str = "") -> list[Segment]:
        """Return a line as segments that fill exactly `width` cells."""
        found = [Segment(visible_line(text), self._style(over, tone)) for text, tone in line]
        left = width - sum(cell_len(segment.text) for segment in found)
        if left > 0:
            found.append(Segment(" " * left, self._style(over, "")))
        if left >= 0:
            return found
        cut = Strip(found).adjust_cell_length(max(0, width - 1))
        return [*cut, Segment("…"[:width], found[-1].style)]

    def _style(self, over: str, tone: Tone) -> Style:
        """Return the style of a tone, added up once: adding styles costs more than painting with them."""
        style = self._styles.get((over, tone))
        if style is None:
            style = self.visual_style.rich_style
            for name in (over, f"tone--{tone}" if tone else ""):
                if name:
                    style += self.get_component_rich_style(name, partial=True)
            self._styles[over, tone] = style
        return style

    def scroll_rows_to(self, top: int) -> None:
        """Put row `top` at the top, or as near as there are rows to fill the screen."""
        page = max(1, self.size.height)
        top = max(0, top)
        if top and not self.reaches(top + page - 1):
            top = max(0, self.bottom() - page)
        if top != self.top:
            self.top = top
            self.repaint()

    def action_scroll_rows(self, rows: int) -> None:
        """Scroll by rows."""
        self.scroll_rows_to(self.top + rows)

    def action_scroll_pages(self, pages: int) -> None:
        """Scroll by what the widget shows, less one row to keep the place."""
        self.scroll_rows_to(self.top + pages * max(1, self.size.height - 1))

    def action_scroll_top(self) -> None:
        """Scroll to the first row."""
        self.scroll_rows_to(0)

    def action_scroll_bottom(self) -> None:
        """Scroll to the last row."""
        self.scroll_rows_to(self.bottom())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll with the wheel."""
        event.stop()
        self.scroll_rows_to(self.top + 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll with the wheel."""
        event.stop()
        self.scroll_rows_to(self.top - 3)


class Rows(Lines):
    """Paints rows that are one line each, and nothing beside them. A subclass says what a row shows."""

    @abstractmethod
    def row_line(self, number: int, width: int) -> Line | None:
        """Return what row `number` of the whole shows at this width; None behind the end."""

    def paint(self, y: int, width: int) -> Strip:
        """Return what one row of the screen shows."""
        return self.strip(self.row_line(self.top + y, width) or (), width)


class Brief(Rows, can_focus=False):
    """Says something in as many rows as it has, wrapped; the last one ends in … where there is more.

    Its height is fixed: laying out the screen anew for a longer text costs more than painting it.
    """

    line: Line = ()
    _width = 0
    _flow = Flow((), 1)

    def show(self, line: Line) -> None:
        """Say something else."""
        if line != self.line:
            self.line, self._width = line, 0
            self.repaint()

    def _wrapped(self, width: int) -> Flow:
        if width != self._width:
            self._width = width
            self._flow = Flow([self.line], width)
        return self._flow

    def row_line(self, number: int, width: int) -> Line | None:
        """Return one row; the last one runs into what follows it, and is cut there."""
        flow = self._wrapped(width)
        row = flow.row(number)
        if row is None or number + 1 < self.size.height or (more := flow.row(number + 1)) is None:
            return row
        return (*row, Run(" "), *more)

    def bottom(self) -> int:
        """Return the number of rows that there is room for."""
        return self.size.height


def _cells(line: Line) -> int:
    return sum(cell_len(visible_line(run.text)) for run in line)


class OneLine(Rows, can_focus=False):
    """A bar: one row that says something, in the fullest of its wordings that there is room for."""

    DEFAULT_CSS = """
    OneLine { height: 1; }
    """

    line: Line = ()
    _shorter: tuple[Line, ...] = ()

    @property
    def text(self) -> str:
        """What the bar says in full, as plain text."""
        return "".join(run.text for run in self.line).strip()

    def show(self, line: Line, *shorter: Line) -> None:
        """Say something else; `shorter` says it where that is too long, the longest first."""
        if (line, shorter) != (self.line, self._shorter):
            self.line, self._shorter = line, shorter
            self.repaint()

    def row_line(self, number: int, width: int) -> Line | None:
        """Return what the bar says; the shortest is cut where even that has no room."""
        if number:
            return None
        shortest = self._shorter[-1] if self._shorter else self.line
        fitting = (one for one in (self.line, *self._shorter) if _cells(one) <= width)
        return next(fitting, shortest)

    def bottom(self) -> int:
        """Return 1: there is one row."""
        return 1
