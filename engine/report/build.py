"""From the gate's figures to a report: every figure is taken from the gate, none is computed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bothways.engine.analysis.model import Evidence, SideCosts
from bothways.engine.decisions import Checked, on_record
from bothways.engine.gate import honest
from bothways.engine.gate.figures import Figures
from bothways.engine.gate.honest import Fact
from bothways.engine.gate.model import GateResult, State
from bothways.engine.ledger import Facts
from bothways.engine.report.model import Report, Section, Table
from bothways.engine.report.people import people

__all__ = ["CONDITIONS", "build"]

CONDITIONS = "Conditions"
"""The title of the section that a page shows as a table of its own, with the rows behind each."""

_SIGNS: Mapping[State, str] = {State.PASS: "✓ pass", State.FAIL: "✗ FAIL", State.UNKNOWN: "? OPEN"}
_SIDES = ("candidate", "baseline", "tie")


def build(evidence: Evidence, result: GateResult, facts: Facts) -> Report:
    """Return the report of one gate; `facts` gives what people wrote."""
    figures = result.figures
    signed = on_record(facts, evidence, result)
    sections = (
        _experiment(evidence),
        _passes(figures),
        Section("Rows the judge did not decide", tuple(honest.judging(figures))),
        _conditions(result),
        _decisions(result, signed),
        people(evidence),
        _sure(figures),
        _tags(figures),
        _costs(figures),
        Section("Worth knowing", tuple(Fact("warning", said) for said in figures.warnings)),
    )
    return Report(
        title=evidence.experiment.name,
        decision=result.decision.words,
        reasons=result.reasons,
        sections=tuple(section for section in sections if section.lines or section.table),
        variants=(evidence.experiment.baseline.name, evidence.candidate),
        signed=signed,
    )


def _experiment(evidence: Evidence) -> Section:
    spec = evidence.experiment
    lines = {
        "baseline": spec.baseline.name,
        "candidate": evidence.candidate,
        "judge": evidence.judge or "none",
        "hypothesis": spec.hypothesis,
        "follows": spec.follows or "",
        "change": evidence.change.sentence,
        "rows": str(len(evidence.rows)),
        "nights": str(evidence.nights) if evidence.nights > 1 else "",
        "takes": f"{evidence.takes} of the judging; the newest complete one counts"
        if evidence.takes > 1
        else "",
        "evidence": f"hash {evidence.facts_hash}",
    }
    return Section("Experiment", tuple(Fact(label, value) for label, value in lines.items() if value))


def _passes(figures: Figures) -> Section:
    names: Mapping[Literal["first", "second"], str] = {
        "first": "first pass (baseline shown first)",
        "second": "second pass (candidate shown first)",
    }
    columns = (*_SIDES, "unreadable")
    rows = [(name, *(str(figures.passes[order][side]) for side in columns)) for order, name in names.items()]
    rows.append(("both passes agree", *(str(count) for count in figures.alone.named.values()), ""))
    return Section("Passes", (), Table(("", *columns), tuple(rows)))


def _conditions(result: GateResult) -> Section:
    return Section(
        CONDITIONS,
        tuple(
            Fact(
                f"{_SIGNS[c.state]}  {c.words}",
                " → ".join(filter(None, (c.detail, c.resolve))),
            )
            for c in result.conditions
        ),
    )


def _decisions(result: GateResult, signed: Iterable[Checked]) -> Section:
    figures = result.figures
    read = {
        "judge alone": (figures.alone, result.judge_alone),
        "with reviews": (figures.final, result.decision),
    }
    rows = (
        (
            label,
            *(str(count) for count in (*votes.named.values(), figures.left(votes))),
            decision.value.replace("_", " "),
        )
        for label, (votes, decision) in read.items()
    )
    return Section(
        "Decision",
        (*honest.people(figures), *(Fact("on record", _recorded(one)) for one in signed)),
        Table(("", *_SIDES, "undecided", "decision"), tuple(rows)),
    )


def _recorded(one: Checked) -> str:
    note = one.record.body.get("note")
    said = f"{one.words}: {one.validity.value}; {one.why}; hash {one.record.hash[:12]}"
    return f"{said}; note: {note}" if note else said


def _sure(figures: Figures) -> Section:
    return Section(
        "How sure",
        (
            *honest.win_rates(figures),
            *honest.judge_right(figures),
            honest.sign_test(figures),
            *honest.chances(figures),
            honest.e_value(figures),
            honest.close(figures),
        ),
    )


def _tags(figures: Figures) -> Section:
    columns = (*_SIDES, "undecided", "flip")
    rows = tuple((tag, *(str(counts[name]) for name in columns)) for tag, counts in figures.tags.items())
    return Section("By tag", (), Table(("tag", *columns), rows) if rows else None)


def _costs(figures: Figures) -> Section:
    rows = tuple((side, str(of.calls), *_spent(of)) for side, of in figures.costs.items() if of.calls)
    header = ("", "units", "cost", "tokens in", "tokens out", "median time")
    return Section("Costs", (), Table(header, rows) if rows else None)


def _spent(of: SideCosts) -> tuple[str, str, str, str]:
    time = "unknown" if of.median_duration_s is None else f"{of.median_duration_s:.1f} s"
    return of.words, _tokens(of.prompt_tokens), _tokens(of.completion_tokens), time


def _tokens(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"
