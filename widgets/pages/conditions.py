"""The gate's conditions, as rows of a list and as a page about one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Line, Run, Tone, line

__all__ = ["COLUMNS", "ConditionView", "State", "condition_cells", "condition_page", "state_run"]

State: TypeAlias = Literal["pass", "fail", "unknown"]
COLUMNS = (Column("state", 9), Column("condition", 16), Column("rows", 5), Column("why"))
_SIGNS: dict[State, tuple[str, Tone]] = {
    "pass": ("✓ PASS", "good"),
    "fail": ("✗ FAIL", "bad"),
    "unknown": ("? UNKNOWN", "warn"),
}


@dataclass(frozen=True, slots=True)
class ConditionView:
    """One condition: state, sentence, figures, the rows behind it, and what would settle it."""

    name: str
    state: State
    detail: str
    rows: int = 0
    figures: tuple[tuple[str, str], ...] = ()
    resolve: str = ""


def state_run(state: State) -> Run:
    """Return a state with its sign, its word and its colour."""
    return Run(*_SIGNS[state])


def condition_cells(view: ConditionView) -> Cells:
    """Return one condition as a row of the list."""
    rows = Run(str(view.rows) if view.rows else "")
    return (state_run(view.state), Run(view.name.replace("_", " ")), rows, Run(view.detail, "muted"))


def condition_page(view: ConditionView, extra: Sequence[Line] = ()) -> list[Line]:
    """Return all that is known about one condition."""
    lines: list[Line] = [(state_run(view.state), Run(f"  {view.name.replace('_', ' ')}", "title"))]
    lines.append(line(view.detail))
    if view.resolve:
        lines.append((Run("what settles it: ", "muted"), Run(view.resolve)))
    lines += [(Run(f"  {name}: ", "muted"), Run(value)) for name, value in view.figures]
    return [*lines, *extra]
