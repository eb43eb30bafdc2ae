"""Both passes as they happened, and what happened in a plain sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bothways.widgets.plain import Line, Run, line
from bothways.widgets.rowview import PassView, sentence

__all__ = ["passes_page"]


def passes_page(passes: Sequence[PassView]) -> list[Line]:
    """Return what the judge saw and said, pass by pass."""
    if not passes:
        return [line("no judge looked at this row", "muted")]
    says = sentence(passes)
    lines: list[Line] = [(Run("The judge "), Run(says, "strong"))] if says else []
    for number, one in enumerate(passes, 1):
        lines += [(), *_pass(number, one)]
    return lines


def _pass(number: int, one: PassView) -> Iterator[Line]:
    yield (
        Run(f"Pass {number}", "title"),
        Run(f"  shown first: {one.shown[0]} · second: {one.shown[1]}", "muted"),
    )
    if one.named:
        yield (Run("  → "), Run(one.named, "strong"), Run(f" (the {one.said} shown)"))
    else:
        yield (Run("  → "), Run(one.said, "warn" if one.said != "tie" else "strong"))
    if one.failure:
        yield (Run(f"  {one.failure}", "warn"),)
    if one.rationale:
        yield (Run(one.rationale),)
    if one.detail:
        yield (Run(one.detail, "muted"),)
