"""The report as Markdown: what somebody else wrote is escaped in a line and fenced in a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bothways.engine.report.card import Card, Text
from bothways.engine.report.matters import Matters
from bothways.engine.report.model import Report, Section, Table
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


def markdown(report: Report, rows: Matters) -> str:
    """Return the report, and the rows that matter, as Markdown."""
    lines = [f"# {escaped(report.title)}: {report.decision}", ""]
    lines += [f"- {escaped(reason)}" for reason in report.reasons]
    for section in report.sections:
        lines += ["", f"## {section.title}", "", *_section(section)]
    if rows.cards:
        lines += ["", "## Rows that matter"]
        for card in rows.cards:
            lines += ["", *_card(card, report.variants)]
    if rows.told:
        lines += ["", rows.told]
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


def _card(card: Card, variants: tuple[str, str]) -> Iterator[str]:
    yield f"### {escaped(card.case)}{' (high stakes)' if card.high_stakes else ''}"
    yield from ("", f"- why: {', '.join(card.why)}", f"- judge: {escaped(card.judge)}")
    yield f"- counts: {escaped(card.final)}"
    if card.tags:
        yield f"- tags: {escaped(', '.join(card.tags))}"
    for role, text in card.asked:
        yield from _block(role, text)
    yield from _block("context", card.context)
    yield from _block("reference", card.reference)
    for name, text, failure in zip(variants, (card.baseline, card.candidate), card.failures, strict=True):
        yield from _block(f"answer of {name}", text)
        if failure:
            yield from ("", f"no answer of {escaped(name)}: {escaped(failure)}")
    yield from _calls(card, variants)
    for said in card.passes:
        yield from _block(said.words, Text(said.rationale), bare=True)
    for act in card.reviews:
        yield from _block(
            act.title, Text("\n".join(dict.fromkeys(filter(None, (act.reason, act.note))))), bare=True
        )


def _block(label: str, text: Text, *, bare: bool = False) -> Iterator[str]:
    """Yield a label with the text below it; nothing where there is none, or the `bare` label."""
    if text or bare:
        yield from ("", escaped(label))
    if text:
        yield from ("", fenced(text.shown))
    if text.left:
        yield from ("", f"… {text.left} more characters")


def _calls(card: Card, variants: tuple[str, str]) -> Iterator[str]:
    if card.calls:
        yield from ("", *(f"- {escaped(reason)}" for reason in card.call_reasons), "")
        rows = tuple((call.change, call.baseline.shown, call.candidate.shown) for call in card.calls)
        yield from _table(Table(("tool calls", *variants), rows))
