"""The columns of a list, and what stands in them. Knows no Textual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bothways.widgets.plain import Run

__all__ = ["Cells", "Column"]

Cells: TypeAlias = tuple[Run, ...]
"""One run for each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. Width 0 takes what the others leave; `from_width` hides it in a narrower list.

    `keep_end` is how many characters of a text's end stay where it is cut.
    """

    title: str
    width: int = 0
    from_width: int = 0
    keep_end: int = 0
