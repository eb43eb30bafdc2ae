"""What a candidate changes of the baseline, counted in places: one place is one experiment."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from bothways.engine.experiment import Tool, Variant

__all__ = ["Change", "differences", "one_change"]


@dataclass(frozen=True, slots=True)
class Change:
    """The difference of two variants; `count` is None where it cannot be known, and `sentence` says why."""

    count: int | None
    sentence: str
    places: tuple[str, ...] = ()


def one_change(baseline: Variant, candidate: Variant) -> Change:
    """Count the places in which the candidate differs.

    A place is a run of neighbouring prompt lines, one part of one tool, the model with its endpoint, or one
    parameter. Names and the path and content of recordings are no difference.
    """
    places = (
        *_prompt_places(baseline.prompt, candidate.prompt),
        *_tool_places(baseline, candidate),
        *_model_place(baseline, candidate),
        *_parameter_places(baseline, candidate),
    )
    unknown = _unknown(baseline, candidate)
    if unknown:
        seen = f"; what the spec itself says differs in: {'; '.join(places)}" if places else ""
        return Change(None, f"what differs is not known: {unknown}{seen}", places)
    if not places:
        return Change(0, "nothing differs", places)
    listed = "; ".join(places)
    return Change(
        len(places),
        f"one change: {listed}" if len(places) == 1 else f"{len(places)} changes: {listed}",
        places,
    )


def differences(baseline: Variant, candidate: Variant) -> tuple[str, ...]:
    """Return the lines of a unified diff of each text that both have: the prompt, descriptions of tools."""
    before, after = _texts(baseline), _texts(candidate)
    return tuple(
        line
        for name in before
        if name in after
        for line in difflib.unified_diff(
            before[name].split("\n"),
            after[name].split("\n"),
            f"{baseline.name}, {name}",
            f"{candidate.name}, {name}",
            lineterm="",
        )
    )


def _texts(variant: Variant) -> dict[str, str]:
    return {"prompt": variant.prompt, **{f"tool {tool.name}": tool.description for tool in variant.tools}}


def _unknown(baseline: Variant, candidate: Variant) -> str:
    """Say why a difference may hide where the spec cannot see it; empty where it cannot."""
    makers = [_maker(variant) for variant in (baseline, candidate)]
    for variant, maker in zip((baseline, candidate), makers, strict=True):
        if maker is None:
            said = f"nothing is said of what made the answers of {variant.name}"
            return f"{said} (write model: beside its replay:)" if variant.replay else said
    if makers[0] == makers[1] == "model":
        return ""
    if makers[0] != makers[1]:
        return f"answers of a {makers[0]} are compared with answers of a {makers[1]}"
    if (baseline.http, baseline.function, baseline.command) != (
        candidate.http,
        candidate.function,
        candidate.command,
    ):
        return f"the two are not the same {makers[0]}"
    if "replay" in (baseline.kind, candidate.kind) or baseline.version is None or candidate.version is None:
        return f"the {makers[0]} has no version"
    return f"the {makers[0]} has two versions" if baseline.version != candidate.version else ""


def _maker(variant: Variant) -> str | None:
    """Return what made a variant's answers, also where they are replayed."""
    kind = variant.model_copy(update={"replay": None}).kind
    return None if kind == "none" else kind


def _prompt_places(before: str, after: str) -> Iterator[str]:
    for start, end in _runs(before.split("\n"), after.split("\n")):
        yield f"prompt line {start}" if end <= start else f"prompt lines {start}–{end}"


def _runs(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """Return the changed runs as first and last line, counted in `after` from 1.

    Runs with nothing but blank lines between them are one. A run that only takes lines away has its place,
    but no lines: it ends before it starts.
    """
    runs: list[tuple[int, int]] = []
    apart = True
    for kind, old_start, old_end, start, end in difflib.SequenceMatcher(
        None, before, after, False
    ).get_opcodes():
        if kind == "equal":
            apart = any(line.strip() for line in before[old_start:old_end])
        elif apart or not runs:
            runs.append((start + 1, end))
        else:
            runs[-1] = (runs[-1][0], end)
    return runs


def _tool_places(baseline: Variant, candidate: Variant) -> Iterator[str]:
    before = {tool.name: tool for tool in baseline.tools}
    after = {tool.name: tool for tool in candidate.tools}
    yield from (f"tool {name} removed" for name in before if name not in after)
    yield from (f"tool {name} added" for name in after if name not in before)
    for name in before:
        if name in after:
            yield from _parts(before[name], after[name])
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield "order of the tools"
    if (baseline.tool_module, baseline.tool_module_version) != (
        candidate.tool_module,
        candidate.tool_module_version,
    ):
        yield "module of the tools"
    if baseline.max_tool_rounds != candidate.max_tool_rounds:
        yield "max_tool_rounds"


def _parts(before: Tool, after: Tool) -> Iterator[str]:
    for part in ("description", "parameters", "writes", "result"):
        if getattr(before, part) != getattr(after, part):
            yield f"{part} of tool {before.name}"


def _model_place(baseline: Variant, candidate: Variant) -> Iterator[str]:
    if (baseline.model, baseline.endpoint) != (candidate.model, candidate.endpoint):
        yield "model"


def _parameter_places(baseline: Variant, candidate: Variant) -> Iterator[str]:
    for name in sorted(baseline.params.keys() | candidate.params.keys()):
        if (name in baseline.params, baseline.params.get(name)) != (
            name in candidate.params,
            candidate.params.get(name),
        ):
            yield f"parameter {name}"
