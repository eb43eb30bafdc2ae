"""One report, several formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from bothways.engine.analysis.model import Evidence
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.json import as_json
from bothways.engine.gate.model import GateResult
from bothways.engine.ledger import Facts
from bothways.engine.report.build import build
from bothways.engine.report.markdown import markdown
from bothways.engine.report.model import Fix, Report
from bothways.engine.report.text import text

__all__ = ["Format", "render"]

Format: TypeAlias = Literal["text", "markdown", "json"]

_RENDERERS: Mapping[str, Callable[[Report], str]] = {"text": text, "markdown": markdown}


def render(evidence: Evidence, result: GateResult, facts: Facts, format: Format) -> str:
    """Return the report of one gate in one format, ending in a line break."""
    report = build(evidence, result, facts)
    if format == "json":
        return _json(evidence, result, report)
    return _RENDERERS[format](report)


def _json(evidence: Evidence, result: GateResult, report: Report) -> str:
    """Return the gate's JSON with what only a report has, in ASCII: no text in it reaches a terminal raw."""
    spec = evidence.experiment
    more: JsonObject = {
        "hypothesis": spec.hypothesis,
        "follows": spec.follows,
        "change": evidence.change.sentence,
        "on_record": [one.as_json() for one in report.signed],
        "fix_list": [_fix(fix) for fix in report.fixes],
    }
    return json.dumps({**as_json(result), **more}, indent=2, allow_nan=False) + "\n"


def _fix(fix: Fix) -> JsonObject:
    said: list[JsonValue] = [{"who": line.label, "text": line.value} for line in fix.said]
    return {"case": fix.case, "question": fix.question, "said": said}
