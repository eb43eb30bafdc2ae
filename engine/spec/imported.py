"""What a person adds to an imported experiment, because its file cannot say it."""

from __future__ import annotations

from collections.abc import Iterable

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Attest, Experiment, Tool

__all__ = ["read_attestation", "with_writing"]


def with_writing(experiment: Experiment, names: Iterable[str]) -> Experiment:
    """Return the experiment with these tools marked as changing the world, for every variant alike."""
    wanted = dict.fromkeys(names)
    baseline, *candidates = (
        variant.model_copy(update={"tools": _marked(variant.tools, wanted)})
        for variant in experiment.variants
    )
    return experiment.model_copy(update={"baseline": baseline, "candidates": tuple(candidates)})


def _marked(tools: tuple[Tool, ...], wanted: Iterable[str]) -> tuple[Tool, ...]:
    known = {tool.name: tool for tool in tools}
    known |= {name: known.get(name, Tool(name=name)).model_copy(update={"writes": True}) for name in wanted}
    return tuple(known.values())


def read_attestation(text: str) -> Attest:
    """Read `one_change=REASON`; UsageError where there is no reason, which would answer for nothing."""
    field, _, reason = text.partition("=")
    if field.strip() != "one_change" or not reason.strip():
        raise UsageError(f"--attest {text!r}", "expected one_change=REASON", "Give the reason, too.")
    return Attest(one_change=reason.strip())
