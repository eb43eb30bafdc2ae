"""The report as Markdown: what somebody else wrote is escaped in a line and fenced in a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bothways.engine.report.model import Fix, Report, Section, Table
from bothways.engine.text import visible, visible_line

__all__ = ["escaped", "fenced", "markdown"]

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_MARKUP = str.maketrans({**{mark: f"\\{mark}" for mark in "\\`*_[]#|~"}, **_ENTITIES})
_LIST_MARK = re.compile(r"^(\s*\d*)([-+.)])(?=\s|$)")
_LINK = re.compile(r"(?<=www)\.|:(?=//)", re.IGNORECASE)


def escaped(written: str) -> str:
    """Return `written` as one inert line: no markup, link, mention, HTML or table border."""
    line = visible_line(written).translate(_MARKUP)
    return _LINK.sub(r"\\\g<0>", _LIST_MARK.sub(r"\1\\\2", line))


def fenced(written: str) -> str:
    """Return `written` in a code block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall("`+", written)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{visible(written)}\n{fence}"


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    lines = [f"# {escaped(report.title)}: {report.decision}", ""]
    lines += [f"- {escaped(reason)}" for reason in report.reasons]
    for section in report.sections:
        lines += ["", f"## {section.title}", "", *_section(section)]
    if report.fixes:
        lines += ["", "## To fix"]
        for fix in report.fixes:
            lines += ["", *_fix(fix)]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> Iterator[str]:
    for line in section.lines:
        yield f"- {escaped(line.label)}: {escaped(line.value)}"
    if section.table is not None:
        if section.lines:
            yield ""
        yield from _table(section.table)


def _table(table: Table) -> Iterator[str]:
    yield _row(table.header)
    yield "|" + " --- |" * len(table.header)
    for row in table.rows:
        yield _row(row)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escaped(cell) for cell in cells) + " |"


def _fix(fix: Fix) -> Iterator[str]:
    yield f"### {escaped(fix.case)}"
    if fix.question:
        yield from ("", fenced(fix.question))
    for line in fix.said:
        yield from ("", escaped(line.label))
        if line.value:
            yield from ("", fenced(line.value))
