"""The report as JUnit XML, which every CI system reads: it is green only where the gate says SHIP.

One test case is the decision, one each condition, and one each high-stakes row; of the other rows a lost one
is no failure of its own, since the win rate counts it. FAIL is a failure. UNKNOWN is an error and not a
skipped test, which CI systems show as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from bothways.engine.analysis.afresh import counting
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.facts import JsonValue
from bothways.engine.gate.json import figures_json
from bothways.engine.gate.model import Decision, GateResult, State
from bothways.engine.ledger import Facts, RowDetail
from bothways.engine.report.card import verdict_words
from bothways.engine.report.matters import is_lost
from bothways.engine.report.said import judge_said
from bothways.engine.text import visible, visible_line

__all__ = ["junit"]

_ENDS: Mapping[State, Literal["failure", "error"]] = {State.FAIL: "failure", State.UNKNOWN: "error"}


class _Case(NamedTuple):
    """One test case; `ends` says how it did not pass ("" where it did). `seconds` is what it took to run."""

    group: str
    name: str
    ends: Literal["", "failure", "error"]
    message: str = ""
    body: str = ""
    seconds: float = 0.0


def junit(evidence: Evidence, result: GateResult, facts: Facts, *, at: str) -> str:
    """Return the report of one gate as JUnit XML, in ASCII; `at` is when it is made."""
    cases = [_decision(result), *_conditions(result), *_rows(evidence, result, facts)]
    name = f"{evidence.experiment.name}: {evidence.candidate} against {evidence.experiment.baseline.name}"
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.ends == "failure" for case in cases)),
        "errors": str(sum(case.ends == "error" for case in cases)),
        "time": _seconds(sum(case.seconds for case in cases)),
    }
    suites = ElementTree.Element("testsuites", {"name": "bothways", **counts})
    moment = at.partition(".")[0].removesuffix("Z")
    about = {"name": _line(name), **counts, "skipped": "0", "timestamp": moment, "hostname": "localhost"}
    suite = ElementTree.SubElement(suites, "testsuite", about)
    properties = ElementTree.SubElement(suite, "properties")
    for label, value in _flat(figures_json(result)):
        ElementTree.SubElement(properties, "property", {"name": _line(label), "value": _line(value)})
    for case in cases:
        _write(suite, case, _line(evidence.experiment.name))
    ElementTree.indent(suites)
    written: bytes = ElementTree.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii") + "\n"


def _write(suite: ElementTree.Element, case: _Case, name: str) -> None:
    about = {"classname": f"{name}.{case.group}", "name": _line(case.name), "time": _seconds(case.seconds)}
    element = ElementTree.SubElement(suite, "testcase", about)
    if case.ends:
        said = {"message": _line(case.message), "type": case.ends}
        ElementTree.SubElement(element, case.ends, said).text = visible(case.body) or None


def _decision(result: GateResult) -> _Case:
    ends: Mapping[Decision, Literal["", "failure"]] = {Decision.SHIP: "", Decision.DO_NOT_SHIP: "failure"}
    return _Case(
        "gate",
        "decision",
        ends.get(result.decision, "error"),
        result.decision.words,
        "\n".join(result.reasons),
    )


def _conditions(result: GateResult) -> Iterator[_Case]:
    for condition in result.conditions:
        rows = ("rows: " + ", ".join(condition.rows),) if condition.rows else ()
        body = "\n".join(filter(None, (condition.detail, condition.resolve, *rows)))
        yield _Case("gate", condition.name, _ENDS.get(condition.state, ""), condition.detail, body)


def _rows(evidence: Evidence, result: GateResult, facts: Facts) -> Iterator[_Case]:
    """Yield the high-stakes rows: lost is a failure, undecided or not yet reviewed an error."""
    waiting = result.waiting
    for row in evidence.rows:
        if row.high_stakes:
            detail = facts.row(row.row_id)
            ends, message = _end(row, row.case_id in waiting, evidence)
            body = _said(detail, evidence) if ends else ()
            yield _Case("rows", row.case_id, ends, message, "\n".join(body), _took(detail, evidence))


def _end(row: RowEvidence, waiting: bool, evidence: Evidence) -> tuple[Literal["", "failure", "error"], str]:
    judge, final = verdict_words(row, evidence)
    if is_lost(row):
        return (
            "failure",
            f"both answers are bad (judge: {judge})" if final == "both bad" else f"lost to {final}",
        )
    if waiting:
        return "error", f"waits for a person (judge: {judge})"
    return ("", "") if row.final else ("error", f"undecided (judge: {judge})")


def _said(detail: RowDetail, evidence: Evidence) -> Iterator[str]:
    for said in judge_said(detail, evidence):
        yield said.words
        if said.rationale:
            yield said.rationale


def _took(detail: RowDetail, evidence: Evidence) -> float:
    """Add up the known seconds of the answers and passes that a row stands on."""
    names = (evidence.experiment.baseline.name, evidence.candidate)
    answers = [answer.duration_s for name in names if (answer := detail.newest(name))]
    passes = [said.duration_s for _, said in counting(detail, evidence) if said is not None]
    return sum(seconds for seconds in (*answers, *passes) if seconds is not None)


def _flat(figures: Mapping[str, JsonValue], under: str = "") -> Iterator[tuple[str, str]]:
    """Yield every figure by its path."""
    for name, value in figures.items():
        label = f"{under}{name}"
        if isinstance(value, dict):
            yield from _flat(value, f"{label}.")
        elif isinstance(value, list):
            yield label, _listed(value)
        else:
            yield label, "unknown" if value is None else str(value)


def _listed(values: Iterable[JsonValue]) -> str:
    return ", ".join(str(value) for value in values)


def _line(written: str) -> str:
    return visible_line(written)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
