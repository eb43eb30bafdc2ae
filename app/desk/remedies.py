"""What to do about each kind of failure: the next step beside its count on the run screen."""

from __future__ import annotations

from collections.abc import Mapping

from bothways.engine.facts import FailureKind

__all__ = ["next_step"]

_AGAIN = "f tries them again"
_STEPS: Mapping[FailureKind, str] = {
    FailureKind.TIMEOUT: f"raise run.timeout_s, or {_AGAIN} when the server is quicker",
    FailureKind.CONNECTION: f"see whether the server is up (bothways doctor); {_AGAIN}",
    FailureKind.RATE_LIMIT: f"lower run.concurrency, or wait; {_AGAIN}",
    FailureKind.SERVER: f"the server's own trouble: {_AGAIN}",
    FailureKind.NO_KEY: "put the key into the environment (see bothways doctor), start the desk anew, then s",
    FailureKind.AUTH: "put the right key into the environment, start the desk anew, then s",
    FailureKind.NOT_FOUND: "correct the model's name or the address in the spec, then bothways run SPEC",
    FailureKind.BAD_REQUEST: "read the message: the spec asks for what this server does not take",
    FailureKind.TOO_LONG: "shorten the case or the prompt, or take a model with a larger context",
    FailureKind.CONTENT_FILTER: "the provider refuses the text: enter shows the rows",
    FailureKind.CUT_OFF: "raise max_tokens in the spec",
    FailureKind.EXTRACTION: "enter shows the rows: the reply holds no answer where the spec looks for it",
    FailureKind.TOOL: "raise the limit of tool rounds, or mend the tools that the model keeps calling",
    FailureKind.MISSING: "the recording lacks these cases: record them, or name another one",
    FailureKind.UNREADABLE: f"review these rows, take another judge, or {_AGAIN}",
    FailureKind.BUDGET: "raise run.budget_usd, then s",
    FailureKind.LOST: f"possibly billed, and not kept: {_AGAIN}",
    FailureKind.CODE: "mend the code: enter shows the rows; then f",
}


def next_step(kind: str) -> str:
    """Return what to do about a kind of failure; what an import brought under another name can be read."""
    return _STEPS[FailureKind(kind)] if kind in list(FailureKind) else "enter shows the rows"
