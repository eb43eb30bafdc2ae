"""Plain tables for terminals and pipes."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.engine.text import visible_line

__all__ = ["table"]

_WIDEST = 60


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows under their heads, in columns as wide as what is in them; the last is never padded.

    A cell that would push the others off every screen is cut, with … for what is missing.
    """
    cells = [list(head), *([*map(_cut, row[:-1]), visible_line(str(row[-1]))] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    widths[-1] = 0
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def _cut(cell: object) -> str:
    text = visible_line(str(cell))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
