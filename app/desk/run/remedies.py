"""What to do about each kind of failure: the next step beside its count on the run screen."""

from __future__ import annotations

from collections.abc import Mapping

from bothways.app.desk.keys import press
from bothways.engine.facts import FailureKind

__all__ = ["next_step"]

_STEPS: Mapping[FailureKind, str] = {
    FailureKind.TIMEOUT: "raise run.timeout_s, or {retry} tries them again when the server is quicker",
    FailureKind.CONNECTION: "see whether the server is up (bothways doctor); {retry} tries them again",
    FailureKind.RATE_LIMIT: "lower run.concurrency, or wait; {retry} tries them again",
    FailureKind.SERVER: "the server's own trouble: {retry} tries them again",
    FailureKind.NO_KEY: "put the key into the environment, start the desk anew, then {start}",
    FailureKind.AUTH: "put the right key into the environment, start the desk anew, then {start}",
    FailureKind.NOT_FOUND: "correct the model's name or the address in the spec, then bothways run SPEC",
    FailureKind.BAD_REQUEST: "read the message: the spec asks for what this server does not take",
    FailureKind.TOO_LONG: "shorten the case or the prompt, or take a model with a larger context",
    FailureKind.CONTENT_FILTER: "the provider refuses the text: enter shows the rows",
    FailureKind.CUT_OFF: "raise max_tokens in the spec",
    FailureKind.EXTRACTION: "no answer came: mend what answers, or where the spec looks; {retry} tries again",
    FailureKind.TOOL: "raise the limit of tool rounds, or mend the tools that the model keeps calling",
    FailureKind.MISSING: "the recording lacks these cases: record them, or name another one",
    FailureKind.UNREADABLE: "review these rows, take another judge, or {retry} tries them again",
    FailureKind.BUDGET: "raise run.budget_usd, then {start}",
    FailureKind.LOST: "possibly billed, and not kept: {retry} tries them again",
    FailureKind.CODE: "mend the code: enter shows the rows; then {retry}",
}


def next_step(kind: str) -> str:
    """Return what to do about a kind of failure; what an import brought under another name can be read."""
    step = _STEPS[FailureKind(kind)] if kind in list(FailureKind) else "enter shows the rows"
    return step.format(retry=press("run.retry"), start=press("run.start"))
