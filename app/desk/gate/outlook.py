"""What would change the decision, as a page."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.app.desk.gateline import decision_run
from bothways.engine.gate.model import Condition, GateResult
from bothways.engine.gate.outlook import Outlook, Path, Step
from bothways.engine.text import agreeing, counted
from bothways.widgets.plain import Line, Run, line

__all__ = ["outlook_page"]

_SAID = {
    "candidate": "for the candidate",
    "baseline": "for the baseline",
    "ok": "signed as right",
    "bad": "signed as bad",
}


def outlook_page(found: Outlook, result: GateResult) -> list[Line]:
    """Return the fewest acts to each other decision, and what keeps the gate from SHIP without people."""
    lines: list[Line] = [line("What would change this", "title")]
    if found.paths:
        lines.append(line("The fewest verdicts and signatures on rows that are open:", "muted"))
        for path in found.paths:
            lines += [(), *_path(path)]
    else:
        lines.append(line("Nothing that people can still say of a row changes it."))
    if found.blocked:
        lines += [(), line("Whatever people say, it does not ship before:"), *_blocked(found.blocked)]
    elif not found.paths and not result.missing:
        lines.append(line("Another night, more cases or another candidate would.", "muted"))
    return lines


def _path(path: Path) -> Iterator[Line]:
    yield (Run("→ "), decision_run(path.decision), Run(f"  {counted(path.acts, 'act')}", "strong"))
    for step in path.steps:
        yield (Run(f"    {_step(step)}"),)


def _step(step: Step) -> str:
    of, count = len(step.cases), step.acts // step.each
    rows = agreeing(of, "row", "rows")
    which = f"the {of:,}" if count == of else f"any {count:,} of the {of:,}"
    which = "the only" if count == of == 1 else which
    if step.said in ("ok", "bad"):
        return f"{which} {rows} with {step.rows}: {_SAID[step.said]}"
    each = f"{step.each} more verdicts each " if step.each > 1 else ""
    return f"{which} {rows} ({step.rows}): {each}{_SAID[step.said]}"


def _blocked(blocked: tuple[Condition, ...]) -> Iterator[Line]:
    for condition in blocked:
        what = condition.resolve or condition.detail
        yield (Run("  · "), Run(condition.words, "strong"), Run(f": {what}"))
