"""A report as data: what every renderer shows, in this order. Its text is as it was written, not yet safe."""

from __future__ import annotations

from dataclasses import dataclass

from bothways.engine.decisions import Checked
from bothways.engine.gate.honest import Fact

__all__ = ["Report", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A small table; every row has as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: lines, then a table."""

    title: str
    lines: tuple[Fact, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report."""

    title: str
    decision: str
    reasons: tuple[str, ...]
    sections: tuple[Section, ...]
    variants: tuple[str, str]
    """The baseline and the candidate."""
    signed: tuple[Checked, ...] = ()
    """The decisions on record; they stand in a section too."""
