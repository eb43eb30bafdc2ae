"""An experiment in which everything that somebody wrote is an attack, and reports of it."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.shop import ledger

from bothways.engine.analysis.gather import gather
from bothways.engine.facts import Answer, Message, ToolCall
from bothways.engine.gate.gate import evaluate
from bothways.engine.report.formats import Format
from bothways.engine.report.render import render
from bothways.engine.review import Act, Said, act

__all__ = ["ATTACK", "attacked", "rendered"]

ATTACK = (
    "</td></pre></style></title><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\"><a href=\"javascript:document.title='owned'\">x</a>"
    "<svg onload=document.title='owned'>' onmouseover='x {{7*7}} {% raw %} 1<2 & 3 a|b\n```\n"
    "]]> --> \x1b]52;c;QUJD\x07\x00\x08 \u202e@all \ufffe " + "w" * 300
)


def rendered(facts: FakeLedger, format: Format) -> str:
    evidence = gather(facts, facts.experiment.name, today=AT)
    return render(evidence, evaluate(evidence), facts, format, at=AT)


def attacked() -> FakeLedger:
    """refund-flow, where names, texts, tags, tool calls, rationales and a review are all attacks."""
    facts = ledger("refund-flow")
    spec = facts.experiment
    facts.experiment = spec.model_copy(
        update={
            "name": ATTACK,
            "hypothesis": ATTACK,
            "baseline": spec.baseline.model_copy(update={"name": f"v4{ATTACK}"}),
            "candidates": (spec.candidates[0].model_copy(update={"name": f"v5{ATTACK}"}),),
        }
    )
    names = {"v4": f"v4{ATTACK}", "v5": f"v5{ATTACK}"}
    facts.data = [
        replace(
            row,
            case=replace(
                row.case,
                messages=(Message("user", ATTACK),),
                context=ATTACK,
                reference=ATTACK,
                high_stakes=True,
                tags={ATTACK: ATTACK},
            ),
            answers=tuple((names[name], _answer(name)) for name, _ in row.answers),
            passes=tuple(
                replace(said, shown=tuple(names[name] for name in said.shown), rationale=ATTACK)
                for said in row.passes
            ),
        )
        for row in facts.data
    ]
    evidence = gather(facts, ATTACK, today=AT)
    result = evaluate(evidence)
    body = act(facts, evidence, result, evidence.rows[0], Act.TIE, Said("kim", AT, ATTACK, reason=ATTACK))
    facts.append("review", {**body, "reviewer": ATTACK}, AT)  # nobody signs so here: it came in with a file
    return facts


def _answer(name: str) -> Answer:
    return Answer(f"{name} {ATTACK}", tool_calls=(ToolCall(f"{name}{ATTACK}", {ATTACK: ATTACK}),))
