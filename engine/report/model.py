"""A report as data: what every renderer shows, in this order. Its text is as it was written, not yet safe."""

from __future__ import annotations

from dataclasses import dataclass

from bothways.engine.decisions import Checked

__all__ = ["Fix", "Line", "Report", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Line:
    """One labelled figure or sentence."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Table:
    """A small table; every row has as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: lines, then a table."""

    title: str
    lines: tuple[Line, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """One row to mend: its case, what was asked, and who said what about it, in full."""

    case: str
    question: str
    said: tuple[Line, ...]


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
