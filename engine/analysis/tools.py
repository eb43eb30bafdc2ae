"""A candidate's tool calls beside the baseline's: deterministic, and never shown to the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from bothways.engine.analysis.model import ToolState
from bothways.engine.facts import JsonObject
from bothways.engine.rules import Call, rule_kept, sentence

__all__ = ["Aligned", "Comparison", "align", "compare"]


class Comparison(NamedTuple):
    """What comparing one row's calls says, with a sentence for each difference that counts."""

    state: ToolState
    reasons: tuple[str, ...] = ()


class Aligned(NamedTuple):
    """One line of two call lists laid beside each other; None where a side has no such call."""

    baseline: Call | None
    candidate: Call | None
    change: Literal["same", "arguments", "gone", "new"]


def compare(
    baseline: Sequence[Call],
    candidate: Sequence[Call],
    rules: Iterable[JsonObject] = (),
    *,
    writes: Callable[[str], bool],
) -> Comparison:
    """Compare two call lists: rules first, then the set of names, then the multiset of writing calls.

    The order and number of reading calls may differ: the same agent run twice differs there on most cases.
    """
    broken = tuple(
        f"breaks {sentence(rule)}"
        for rule in rules
        if rule_kept(rule, baseline) and not rule_kept(rule, candidate)
    )
    if broken:
        return Comparison(ToolState.BROKEN, broken)
    if not baseline and not candidate:
        return Comparison(ToolState.NONE)
    changed = (*_names(baseline, candidate), *_writes(baseline, candidate, writes))
    return Comparison(ToolState.CHANGED if changed else ToolState.SAME, changed)


def _names(baseline: Sequence[Call], candidate: Sequence[Call]) -> tuple[str, ...]:
    before, after = {call.name for call in baseline}, {call.name for call in candidate}
    if before == after:
        return ()
    gone, new = sorted(before - after), sorted(after - before)
    return (*(f"no longer calls {name}" for name in gone), *(f"now calls {name}" for name in new))


def _writes(
    baseline: Sequence[Call], candidate: Sequence[Call], writes: Callable[[str], bool]
) -> tuple[str, ...]:
    before, after = (
        Counter((call.name, call.arguments) for call in calls if writes(call.name))
        for calls in (baseline, candidate)
    )
    gone, new = sorted((before - after).elements()), sorted((after - before).elements())
    return (
        *(f"no longer writes {name} {arguments}" for name, arguments in gone),
        *(f"now writes {name} {arguments}" for name, arguments in new),
    )


def align(baseline: Sequence[Call], candidate: Sequence[Call]) -> tuple[Aligned, ...]:
    """Lay two call lists side by side: equal calls together, then calls of the same tool."""
    left, right = ([(call.name, call.arguments) for call in calls] for calls in (baseline, candidate))
    lines: list[Aligned] = []
    for _, a, a_end, b, b_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        lines.extend(_stretch(baseline[a:a_end], candidate[b:b_end]))
    return tuple(lines)


def _stretch(baseline: Sequence[Call], candidate: Sequence[Call]) -> list[Aligned]:
    """Lay two stretches that are equal, or have no equal call in the same place, side by side by name."""
    lines: list[Aligned] = []
    left, right = ([call.name for call in calls] for calls in (baseline, candidate))
    for tag, a, a_end, b, b_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            lines.extend(map(_pair, baseline[a:a_end], candidate[b:b_end]))
        else:
            lines.extend(Aligned(call, None, "gone") for call in baseline[a:a_end])
            lines.extend(Aligned(None, call, "new") for call in candidate[b:b_end])
    return lines


def _pair(baseline: Call, candidate: Call) -> Aligned:
    return Aligned(baseline, candidate, "same" if baseline.arguments == candidate.arguments else "arguments")
