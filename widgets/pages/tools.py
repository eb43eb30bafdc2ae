"""The tool calls of both sides laid beside each other, with what differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bothways.widgets.plain import Line, Run, Tone, line

__all__ = ["CallView", "ToolsView", "tools_page"]

_SHOWN = 4_000
"""Characters of a tool's result that are shown."""


@dataclass(frozen=True, slots=True)
class CallView:
    """One tool call. `writes` marks a tool that changes the world."""

    name: str
    arguments: str
    result: str = ""
    turn: int = 0
    writes: bool = False


@dataclass(frozen=True, slots=True)
class ToolsView:
    """The aligned calls of the left and the right side (None: no such call), and what comparing them says.

    `reasons` are the differences that count, `signed` who stands for them.
    """

    left: str
    right: str
    calls: tuple[tuple[CallView | None, CallView | None], ...] = ()
    state: str = ""
    reasons: tuple[str, ...] = ()
    signed: str = ""


def tools_page(view: ToolsView) -> list[Line]:
    """Return both logs as one: `=` made by both, `-` only left, `+` only right, `~` with other arguments."""
    if not view.calls:
        return [line("neither side called a tool", "muted")]
    lines: list[Line] = [(Run("Tool calls: ", "title"), Run(view.state, "strong"))]
    lines += [line(f"  ! {reason}", "warn") for reason in view.reasons]
    if view.signed:
        lines.append(line(view.signed, "muted"))
    lines.append(
        line(f"= both  - only {view.left}  + only {view.right}  ~ other arguments  W writes", "muted")
    )
    for left, right in view.calls:
        lines += _aligned(left, right)
    return lines


def _aligned(left: CallView | None, right: CallView | None) -> Iterator[Line]:
    if left is not None and right is not None and left.arguments == right.arguments:
        yield from _call(right, "=", "")
        return
    sign = "~" if left is not None and right is not None else ""
    if left is not None:
        yield from _call(left, sign + "-", "removed")
    if right is not None:
        yield from _call(right, sign + "+", "added")


def _call(call: CallView, sign: str, tone: Tone) -> Iterator[Line]:
    mark = "W" if call.writes else " "
    yield (
        Run(f"{sign:>2} {mark} {call.turn + 1:>2} ", tone or "muted"),
        Run(call.name, tone or "strong"),
        Run(f" {call.arguments}"),
    )
    if call.result:
        cut = "…" if len(call.result) > _SHOWN else ""
        yield line(f"         → {call.result[:_SHOWN]}{cut}", "muted")
