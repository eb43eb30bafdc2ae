"""From the gate's figures to a report: every figure is taken from the gate, none is computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import cast

from bothways.engine.analysis.accuracy import Reading
from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.stats import percent, share
from bothways.engine.analysis.tally import Votes
from bothways.engine.decisions import Checked, on_record
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.gate.model import GateResult, State
from bothways.engine.ledger import Facts
from bothways.engine.report.model import Line, Report, Section, Table
from bothways.engine.report.people import people
from bothways.engine.text import counted, usd

__all__ = ["CONDITIONS", "build"]

CONDITIONS = "Conditions"
"""The title of the section that a page shows as a table of its own, with the rows behind each."""

_SIGNS: Mapping[State, str] = {State.PASS: "✓ pass", State.FAIL: "✗ FAIL", State.UNKNOWN: "? OPEN"}
_SIDES = ("candidate", "baseline", "tie")
_UNDECIDED = {
    "flip_hard": "hard flips (the passes name different variants)",
    "flip_soft": "soft flips (one pass says tie)",
    "flip_nights": "flips between nights",
    "unanswered": "unanswered (a verdict that cannot be read)",
    "error": "errors (an answer is missing)",
    "one_pass": "judged in one order only",
    "pending": "not tried yet",
}


def build(evidence: Evidence, result: GateResult, facts: Facts) -> Report:
    """Return the report of one gate; `facts` gives what people wrote."""
    figures = result.figures
    signed = on_record(facts, evidence, result)
    sections = (
        _experiment(evidence),
        _passes(figures),
        _outcomes(figures),
        _conditions(result),
        _decisions(result, signed),
        people(evidence, result),
        _honesty(figures),
        _tags(figures),
        _costs(figures),
        Section("Worth knowing", tuple(Line("warning", str(text)) for text in _list(figures["warnings"]))),
    )
    return Report(
        title=evidence.experiment.name,
        decision=result.decision.words,
        reasons=result.reasons,
        sections=tuple(section for section in sections if section.lines or section.table),
        variants=(evidence.experiment.baseline.name, evidence.candidate),
        signed=signed,
    )


def _part(figures: JsonObject, name: str) -> Mapping[str, JsonValue]:
    return cast("Mapping[str, JsonValue]", figures[name])


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
    return Section("Experiment", tuple(Line(label, value) for label, value in lines.items() if value))


def _passes(figures: JsonObject) -> Section:
    passes = cast("Mapping[str, Mapping[str, int]]", figures["passes"])
    names = {"first": "first pass (baseline shown first)", "second": "second pass (candidate shown first)"}
    columns = (*_SIDES, "unreadable")
    rows = tuple((names[order], *(str(passes[order][side]) for side in columns)) for order in names)
    outcomes = _part(figures, "outcomes")
    stable = ("both passes agree", *(str(outcomes[side]) for side in _SIDES), "")
    return Section("Passes", (), Table(("", *columns), (*rows, stable)))


def _outcomes(figures: JsonObject) -> Section:
    outcomes, older = _part(figures, "outcomes"), _part(figures, "flips_as_ties")
    lines = [Line(text, str(outcomes[name])) for name, text in _UNDECIDED.items() if outcomes[name]]
    flips, of = _count(outcomes["flip"]), _count(figures["flip_rate_of"])
    rate = percent(share(flips, of), _threshold(figures["max_flip_rate"]))
    return Section(
        "Rows the judge did not decide",
        (
            Line("flips", f"{flips} of {counted(of, 'row')} with two readable passes ({rate})"),
            *lines,
            Line("older reading, flips as ties", _tally(older)),
            Line("named what was shown first",
                 f"{_chance(figures['first_shown_rate'])} of {figures['first_shown_of']} decisive verdicts"),
        ),
    )  # fmt: skip


def _conditions(result: GateResult) -> Section:
    return Section(
        CONDITIONS,
        tuple(
            Line(
                f"{_SIGNS[c.state]}  {c.name.replace('_', ' ')}",
                " → ".join(filter(None, (c.detail, c.resolve))),
            )
            for c in result.conditions
        ),
    )


def _decisions(result: GateResult, signed: Iterable[Checked]) -> Section:
    figures = result.figures
    alone, final, reviews = (_part(figures, name) for name in ("judge_alone", "final", "reviews"))
    rows = (
        ("judge alone", *(str(alone[side]) for side in (*_SIDES, "undecided")), str(alone["decision"])),
        ("with reviews", *(str(final[side]) for side in (*_SIDES, "undecided")), result.decision.value),
    )
    done = f"{reviews['done']} of {reviews['required']} required, {reviews['reviewed']} in all"
    return Section(
        "Decision",
        (
            Line("reviews", f"{done}, {reviews['overrides']} against the judge"),
            *_people(reviews),
            *(Line("on record", _recorded(one)) for one in signed),
        ),
        Table(
            ("", *_SIDES, "undecided", "decision"),
            tuple(tuple(_spaced(cell) for cell in row) for row in rows),
        ),
    )


def _recorded(one: Checked) -> str:
    note = one.record.body.get("note")
    said = f"{one.words}: {one.validity.value}; {one.why}; hash {one.record.hash[:12]}"
    return f"{said}; note: {note}" if note else said


def _honesty(figures: JsonObject) -> Section:
    rate = _part(figures, "win_rate")
    other = cast("Mapping[str, JsonValue]", rate["other_reading"])
    interval = cast("list[float] | None", rate["wilson95"])
    threshold = _threshold(rate["threshold"])
    low, high = (percent(bound, threshold) for bound in interval or (None, None))
    between = f", 95 % interval {low} to {high}" if interval else ""
    tried = figures["tried"]
    return Section(
        "How sure",
        (
            Line(f"win rate (ties: {rate['ties']})", _rate(rate, threshold) + between),
            Line(f"win rate (ties: {other['ties']})", _rate(other, threshold)),
            *_judge(figures, threshold),
            Line("exact sign test, two-sided", f"p = {_number(figures['sign_test_p'])}"),
            Line("two equal prompts would pass", _chance(figures["false_ship_chance"])),
            Line(
                f"… at least once in {tried} tried on this snapshot",
                _chance(figures["joint_false_ship_chance"]),
            ),
            Line("e-value (20 or more is strong)", _number(figures["e_value"])),
            Line("close by the judge alone", "yes" if figures["close"] else "no"),
        ),
    )


def _judge(figures: JsonObject, threshold: Fraction) -> Iterator[Line]:
    """Yield how often the judge is right, as far as people read, and the win rate corrected for that."""
    told = _part(figures, "judge_accuracy")
    for name, label in (("audit", "judge right, audit"), ("reviews", "judge right, all that people read")):
        one = cast("Mapping[str, int]", told[name])
        if one["n"]:
            said = Reading(one["n"], one["right"]).words("rows that it decided")
            yield Line(label, f"{said}, {one['blind']} of them read blind")
    corrected = cast("Mapping[str, JsonValue] | None", told["corrected"])
    if corrected is not None:
        alone = Votes(**{side: _count(_part(figures, "judge_alone")[side]) for side in _SIDES})
        plain = percent(alone.rate("count"), threshold)
        value, low, high = (
            percent(cast("float", share), threshold)
            for share in (corrected["value"], *_list(corrected["interval95"]))
        )
        yield Line(
            "win rate of the judge alone, corrected (ties: count)",
            f"{value}, 95 % interval {low} to {high}; {plain} as it stands",
        )


def _people(reviews: Mapping[str, JsonValue]) -> Iterator[Line]:
    """Yield what was read of the audit, and what counts where reviewers differ."""
    audit = cast("Mapping[str, int]", reviews["audit"])
    if audit["asked"]:
        yield Line(
            "audit",
            f"{audit['done']} of {counted(audit['asked'], 'row')} drawn by lot read",
        )
    if reviews["differing"]:
        policy, open_ = str(reviews["policy"]), len(_list(reviews["disputed"]))
        counts = f"{reviews['adjudicator']}'s" if policy == "adjudicator" else f"the {policy}"
        left = f", {open_} of them undecided" if open_ and policy != "latest" else ""
        rows = counted(_count(reviews["differing"]), "row")
        yield Line("reviewers differ", f"on {rows}: {counts} verdict counts{left}")


def _tags(figures: JsonObject) -> Section:
    columns = (*_SIDES, "undecided", "flip")
    tags = cast("Mapping[str, Mapping[str, int]]", figures["tags"])
    rows = tuple((tag, *(str(counts[name]) for name in columns)) for tag, counts in tags.items())
    return Section("By tag", (), Table(("tag", *columns), rows) if rows else None)


def _costs(figures: JsonObject) -> Section:
    sides = cast("Mapping[str, Mapping[str, JsonValue]]", figures["costs"])
    rows = tuple((side, str(c["calls"]), *_spent(c)) for side, c in sides.items() if c["calls"])
    header = ("", "units", "cost", "tokens in", "tokens out", "median time")
    return Section("Costs", (), Table(header, rows) if rows else None)


def _spent(costs: Mapping[str, JsonValue]) -> tuple[str, str, str, str]:
    dollars = "unknown" if costs["cost_usd"] is None else usd(cast("float", costs["cost_usd"]), 4)
    if costs["cost_usd"] is not None and costs["unknown"]:
        dollars += f" and {costs['unknown']} unknown"
    time = costs["median_duration_s"]
    seconds = f"{time:.1f} s" if isinstance(time, float) else "unknown"
    return dollars, _number(costs["prompt_tokens"]), _number(costs["completion_tokens"]), seconds


def _tally(counts: Mapping[str, JsonValue]) -> str:
    return ", ".join(f"{side} {counts[side]}" for side in _SIDES)


def _list(value: JsonValue) -> list[JsonValue]:
    return cast("list[JsonValue]", value)


def _rate(rate: Mapping[str, JsonValue], threshold: Fraction) -> str:
    wins, of = _count(rate["wins"]), _count(rate["of"])
    return f"{wins} of {of} ({percent(share(wins, of), threshold)})"


def _chance(value: JsonValue) -> str:
    return percent(cast("float | None", value))


def _threshold(value: JsonValue) -> Fraction:
    return Fraction(str(value))


def _count(value: JsonValue) -> int:
    return cast("int", value)


def _number(value: JsonValue) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _spaced(text: str) -> str:
    return text.replace("_", " ")
