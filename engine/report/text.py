"""The report for a terminal or a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unicodedata import east_asian_width

from bothways.engine.report.card import Card
from bothways.engine.report.model import Report, Section, Table
from bothways.engine.text import visible, visible_line

__all__ = ["text"]


def text(report: Report, lost: Iterable[Card]) -> str:
    """Return the report with the lost rows, to fix, as plain text; what others wrote is made visible."""
    lines = [f"{visible_line(report.title)}: {report.decision}"]
    lines += [f"  {visible_line(reason)}" for reason in report.reasons]
    for section in report.sections:
        lines += ["", section.title, *_section(section)]
    fixes = [line for card in lost for line in _fix(card)]
    if fixes:
        lines += ["", "To fix", *fixes]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> Iterator[str]:
    width = max((_cells(visible_line(line.label)) for line in section.lines), default=0)
    for line in section.lines:
        yield f"  {_padded(visible_line(line.label), width)}  {visible_line(line.value)}"
    if section.table is not None:
        yield from _table(section.table)


def _table(table: Table) -> Iterator[str]:
    rows = [[visible_line(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(_cells(row[column]) for row in rows) for column in range(len(table.header))]
    for row in rows:
        yield "  " + "  ".join(map(_padded, row, widths)).rstrip()


def _fix(card: Card) -> Iterator[str]:
    yield f"  {visible_line(card.case)}{' (high stakes)' if card.high_stakes else ''}"
    yield from _block(card.detail.case.input, "    ")
    for said in card.said:
        yield f"    {visible_line(said.words)}"
        yield from _block(said.rationale, "      ")
    for view in card.views:
        yield f"    {visible_line(view.words(card.evidence))}"
        for written in dict.fromkeys((view.reason, view.note)):  # one text that serves as both stands once
            yield from _block(written, "      ")


def _block(written: str, indent: str) -> Iterator[str]:
    for line in visible(written).split("\n") if written else ():
        yield indent + line


def _padded(line: str, width: int) -> str:
    return line + " " * (width - _cells(line))


def _cells(line: str) -> int:
    return len(line) if line.isascii() else sum(2 if east_asian_width(c) in "WF" else 1 for c in line)
