"""A report as data: what every renderer shows, in this order. Its text is as it was written, not yet safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bothways.engine.decisions import Checked
from bothways.engine.gate.honest import Fact

__all__ = ["Fix", "Report", "Said", "Section", "Table"]


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
class Said:
    """What one judge or reviewer said of a row.

    `shown` says of a judge's pass which it was and whom its letters mean. `verdict` is empty where a reviewer
    only left a note; `reason` and `note` are in full.
    """

    role: Literal["judge", "reviewer"]
    who: str
    verdict: str
    reason: str = ""
    note: str = ""
    shown: str = ""

    @property
    def title(self) -> str:
        """Who said what, in one line."""
        who = f"judge, {self.shown}" if self.role == "judge" else self.who
        return f"{who}: {self.verdict or 'note'}"

    @property
    def texts(self) -> tuple[str, ...]:
        """Reason and note, as far as there are any; one text that serves as both stands once."""
        return tuple(dict.fromkeys(text for text in (self.reason, self.note) if text))


@dataclass(frozen=True, slots=True)
class Fix:
    """One row to mend: its case, what was asked, and who said what about it, in full."""

    case: str
    high_stakes: bool
    question: str
    said: tuple[Said, ...]


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
