"""What would change the decision, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bothways.app.desk.gateline import decision_run
from bothways.engine.gate.crowd import Said
from bothways.engine.gate.model import Condition, GateResult
from bothways.engine.gate.outlook import Outlook, Path, Step
from bothways.engine.standing import Rule
from bothways.engine.text import agreeing, counted
from bothways.widgets.plain import Line, Run, line

__all__ = ["outlook_page"]

_SAID: Mapping[Said, str] = {
    "candidate": "for the candidate",
    "baseline": "for the baseline",
    "tie": "equal, or both bad",
    "split": "verdicts that differ, so that none counts",
    "silent": "verdicts taken back",
    "ok": "signed as right",
    "bad": "signed as bad",
}


def outlook_page(found: Outlook, result: GateResult) -> list[Line]:
    """Return the fewest acts to each other decision, and what keeps the gate from SHIP without people."""
    lines: list[Line] = [line("What would change this", "title")]
    open_ = [path for path in found.paths if not path.again]
    anew = [path for path in found.paths if path.again]
    if open_:
        lines += [line("The fewest verdicts and signatures on rows that are open:", "muted"), *_paths(open_)]
    if anew and open_:
        lines += [(), line("What counts now, said anew, does it sooner, or where open rows cannot:", "muted")]
    elif anew:
        lines.append(
            line("No row that is open can change this; only what counts now, said anew, would:", "muted")
        )
    lines += _paths(anew)
    if anew or (open_ and result.figures.reviews.disputed):
        lines += [(), line(_counts(result.figures.reviews.rule), "muted")]
    if not found.paths:
        lines.append(line("Nothing that people can say changes it, be it anew on what they decided."))
    if found.blocked:
        lines += [(), line("Whatever people say, it does not ship before:"), *_blocked(found.blocked)]
    elif not found.paths and not result.missing:
        lines.append(line("Another night, more cases or another candidate would.", "muted"))
    return lines


def _counts(rule: Rule) -> str:
    """Say whose verdict replaces one that counts."""
    if rule.policy == "latest":
        return "The latest counts: a later verdict or signature of anybody replaces it."
    signatures = "A later signature of anybody replaces one."
    if rule.policy == "adjudicator":
        return (
            f"Where reviewers differ {rule.words}, so that one by {rule.adjudicator} is enough. {signatures}"
        )
    return (
        "The majority counts: an act is a changed mind of somebody who says what most others say, "
        f"and a new reviewer's verdict where nobody does. {signatures}"
    )


def _paths(paths: Sequence[Path]) -> Iterator[Line]:
    for path in paths:
        acts = counted(path.acts, "act")
        yield ()
        yield (
            Run("→ "),
            decision_run(path.decision),
            Run(f"  {acts if path.fewest else f'at most {acts}'}", "strong"),
        )
        for step in path.steps:
            yield (Run(f"    {_step(step)}"),)


def _step(step: Step) -> str:
    each = f"{step.each} acts each: " if step.each > 1 else ""
    confirmed = ", the judge's verdict confirmed" if step.confirms else ""
    return f"{_which(step)}: {each}{_SAID[step.said]}{confirmed}{_cases(step)}"


def _which(step: Step) -> str:
    of, number = len(step.cases), step.number
    if step.rest:
        return f"the other {number:,}" if number == of else f"any {number:,} of the others"
    which = f"the {of:,}" if number == of else f"any {number:,} of the {of:,}"
    which = "the only" if number == of == 1 else which
    with_ = f"with {step.rows}" if step.said in ("ok", "bad") else f"({step.rows})"
    return f"{which} {agreeing(of, 'row', 'rows')} {with_}"


def _cases(step: Step) -> str:
    """Name the case where there is just one."""
    return f"  {step.cases[0]}" if len(step.cases) == 1 else ""


def _blocked(blocked: tuple[Condition, ...]) -> Iterator[Line]:
    for condition in blocked:
        what = condition.resolve or condition.detail
        yield (Run("  · "), Run(condition.words, "strong"), Run(f": {what}"))
