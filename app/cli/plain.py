"""Plain tables for terminals and pipes."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.engine.text import visible_line

__all__ = ["table"]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows under their heads, in columns as wide as what is in them; the last is never padded."""
    cells = [list(head), *([visible_line(str(cell)) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    widths[-1] = 0
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
