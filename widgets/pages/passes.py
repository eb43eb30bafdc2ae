"""Both passes as they happened, and what happened in a plain sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.widgets.plain import Line, Run, line

__all__ = ["PassView", "Said", "passes_page", "sentence"]

Said: TypeAlias = Literal["first", "second", "tie", "unreadable", "not tried"]
_PLACE = ("first", "second")


@dataclass(frozen=True, slots=True)
class PassView:
    """One pass: the names in the order in which the judge saw them, and what it said.

    `said` is in the judge's own terms: which of the two shown. `detail` holds the judge's model, how its
    verdict was read, night and take.
    """

    shown: tuple[str, str]
    said: Said
    rationale: str = ""
    failure: str = ""
    detail: str = ""

    @property
    def named(self) -> str | None:
        """The name of the variant that it named; None where it named none."""
        return self.shown[_PLACE.index(self.said)] if self.said in _PLACE else None


def sentence(passes: Sequence[PassView]) -> str:
    """Say in plain words what the judge did over both orders."""
    if len(passes) < 2:
        return "only one order was asked: whether the order mattered cannot be known" if passes else ""
    one, two = passes[:2]
    if "not tried" in (one.said, two.said):
        return "not judged yet"
    if "unreadable" in (one.said, two.said):
        which = "neither pass" if one.said == two.said else f"the {_unreadable(passes)} pass not"
        return f"{which} could be read" if one.said == two.said else f"{which} readable"
    if one.said == two.said == "tie":
        return "found them equally good, or both unacceptable, both times"
    if one.said == two.said:
        return f"named whichever answer came {one.said}, both times"
    if one.named and one.named == two.named:
        return f"named {one.named} both times, wherever it stood"
    decisive = one if one.named else two
    return f"named {decisive.named} when it was shown {decisive.said}, and a tie the other way round"


def _unreadable(passes: Sequence[PassView]) -> str:
    return "first" if passes[0].said == "unreadable" else "second"


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
