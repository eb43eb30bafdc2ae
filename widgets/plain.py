"""The one way of somebody's text onto the screen: as visible characters, never as markup.

Every widget here paints `Line`s: runs of text, each with a tone. Whatever a run holds is made visible when
it is painted; stock widgets of Textual are given what `stock.plain` makes. Knows no Textual.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size

from bothways.engine.text import visible_line

__all__ = ["TONES", "Line", "Run", "Tone", "fit", "line"]

Tone: TypeAlias = Literal[
    "", "muted", "strong", "title", "good", "bad", "warn", "accent", "added", "removed", "key",
    "emphasis", "struck", "code", "link",
]  # fmt: skip
TONES: tuple[Tone, ...] = (
    "muted", "strong", "title", "good", "bad", "warn", "accent", "added", "removed", "key",
    "emphasis", "struck", "code", "link",
)  # fmt: skip


class Run(NamedTuple):
    """A stretch of text in one tone. The tone names a style of the theme; it never carries meaning alone."""

    text: str
    tone: Tone = ""


Line: TypeAlias = tuple[Run, ...]


def line(text: str = "", tone: Tone = "") -> Line:
    """Return a line of one run."""
    return (Run(text, tone),)


def fit(text: str, width: int, keep_end: int = 0) -> str:
    """Return `text` as one line of exactly `width` cells, with … where it was cut.

    With `keep_end` that many characters of its end stay: names of rows differ there. Where they would
    take more than half of the width, it is cut at the end all the same.
    """
    start = visible_line(text[: max(0, width) * 8])
    if cell_len(start) <= width:
        return set_cell_size(start, max(0, width))
    end = visible_line(text[-keep_end:]) if keep_end else ""
    end = end if cell_len(end) * 2 <= width else ""
    return set_cell_size(start, width - 1 - cell_len(end)) + "…" + end if width > 0 else ""
