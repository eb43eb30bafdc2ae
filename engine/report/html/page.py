"""The page: what the templates are given, and how they are made safe.

Every value that a template writes goes through two doors, whoever forgets to think of it: `finalize` makes
control and invisible characters visible, autoescape makes the rest inert. The policy in the page's head
forbids scripts, pictures and addresses in any case, and allows the one style sheet by its hash.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.model import Condition, GateResult, State
from bothways.engine.report.build import CONDITIONS
from bothways.engine.report.card import verdict_words
from bothways.engine.report.html.charts import charts
from bothways.engine.report.html.words import runs
from bothways.engine.report.matters import Matters
from bothways.engine.report.model import Report
from bothways.engine.text import visible, visible_line

__all__ = ["html"]

_PACKAGE = "bothways.engine.report.html"
_MOST_NAMED = 50
"""Rows named behind one condition."""


def html(report: Report, rows: Matters, evidence: Evidence, result: GateResult, *, at: str) -> str:
    """Return the report as one page; `at` is when it is made."""
    style = files(_PACKAGE).joinpath("templates/style.css").read_text("utf-8")
    page = _environment().get_template("page.html.j2")
    text = page.render(
        report=report,
        decision=result.decision.value,
        sections=[section for section in report.sections if section.title != CONDITIONS],
        charts=charts(result.figures),
        conditions=list(_conditions(result, rows)),
        matters=rows,
        rows=list(_lines(evidence, rows)),
        baseline=report.variants[0],
        candidate=report.variants[1],
        runs=runs,
        at=at,
        style=style,
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
    )
    return f"{text}\n"


class _ConditionLine(NamedTuple):
    """One condition with links to the rows behind it: each a case and its place on this page, or None."""

    condition: Condition
    sign: str
    name: str
    rows: tuple[tuple[str, int | None], ...]
    left: int


class _RowLine(NamedTuple):
    """One row of the list of all; `shown` where it stands in full above."""

    position: int
    case: str
    high_stakes: bool
    judge: str
    final: str
    reviewer: str
    why: str
    shown: bool


_SIGNS = {State.PASS: "✓ pass", State.FAIL: "✗ fail", State.UNKNOWN: "? open"}


def _conditions(result: GateResult, rows: Matters) -> Iterator[_ConditionLine]:
    places = {card.case: card.position for card in rows.cards}
    for condition in result.conditions:
        named = tuple((case, places.get(case)) for case in condition.rows[:_MOST_NAMED])
        left = len(condition.rows) - len(named)
        yield _ConditionLine(condition, _SIGNS[condition.state], condition.words, named, left)


def _lines(evidence: Evidence, rows: Matters) -> Iterator[_RowLine]:
    shown = {card.position for card in rows.cards}
    for row in evidence.rows:
        judge, final = verdict_words(row, evidence)
        spoken = row.standing.reviewer if row.standing is not None and row.standing.verdict else ""
        why = ", ".join(rows.why.get(row.row_id, ()))
        yield _RowLine(
            row.position, row.case_id, row.high_stakes, judge, final, spoken, why, row.position in shown
        )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["line"] = visible_line
    environment.filters["percent"] = "{:.3f}%".format
    return environment


def _shown(value: object) -> object:
    """Return what a template writes, made visible; what a macro has made is a type of its own, and safe."""
    return visible(value) if type(value) is str else value
