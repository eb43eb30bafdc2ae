"""One report, several formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from bothways.engine.analysis.model import Evidence
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Facts
from bothways.engine.report.build import build
from bothways.engine.report.card import Card
from bothways.engine.report.formats import Format
from bothways.engine.report.junit import junit
from bothways.engine.report.markdown import markdown
from bothways.engine.report.matters import lost, matters
from bothways.engine.report.text import text

__all__ = ["Format", "render"]


class _Subject(NamedTuple):
    """What a report is about, and when it is made."""

    evidence: Evidence
    result: GateResult
    facts: Facts
    at: str


def render(evidence: Evidence, result: GateResult, facts: Facts, format: Format, *, at: str) -> str:
    """Return the report of one gate in one format, ending in a line break; `at` is when it is made."""
    return _RENDERERS[format](_Subject(evidence, result, facts, at))


def _text(of: _Subject) -> str:
    return text(build(of.evidence, of.result, of.facts), lost(of.evidence, of.facts))


def _markdown(of: _Subject) -> str:
    report = build(of.evidence, of.result, of.facts)
    return markdown(report, matters(of.evidence, of.result, of.facts))


def _html(of: _Subject) -> str:
    # Imported here: a text report does not wait for a template engine.
    from bothways.engine.report.html import html

    report = build(of.evidence, of.result, of.facts)
    return html(report, matters(of.evidence, of.result, of.facts), of.evidence, of.result, at=of.at)


def _json(of: _Subject) -> str:
    """Return the gate's JSON with what only a report has, in ASCII: no text in it reaches a terminal raw."""
    spec, report = of.evidence.experiment, build(of.evidence, of.result, of.facts)
    more: JsonObject = {
        "hypothesis": spec.hypothesis,
        "follows": spec.follows,
        "change": of.evidence.change.sentence,
        "on_record": [one.as_json() for one in report.signed],
        "fix_list": [_fix(card) for card in lost(of.evidence, of.facts)],
    }
    return json.dumps({**as_json(of.result), **more}, indent=2, allow_nan=False) + "\n"


def _fix(card: Card) -> JsonObject:
    said: list[JsonValue] = [
        {
            "role": "judge",
            "who": card.evidence.judge,
            "verdict": one.verdict,
            "reason": one.rationale,
            "note": "",
            "shown": one.title,
        }
        for one in card.said
    ]
    said += [{"role": "reviewer", **view.as_json(), "shown": ""} for view in card.views]
    return {
        "case": card.case,
        "high_stakes": card.high_stakes,
        "question": card.detail.case.input,
        "said": said,
    }


def _junit(of: _Subject) -> str:
    return junit(of.evidence, of.result, of.facts, at=of.at)


_Renderer: TypeAlias = Callable[[_Subject], str]
_RENDERERS: Mapping[Format, _Renderer] = {
    "text": _text, "markdown": _markdown, "html": _html, "json": _json, "junit": _junit,
}  # fmt: skip
