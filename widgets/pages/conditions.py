"""The gate's conditions, as rows of a list and as a page about one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bothways.widgets.columns import Cells, Column
from bothways.widgets.plain import Line, Run, Tone, line
from bothways.widgets.wrap import wrapped

__all__ = ["COLUMNS", "ConditionView", "State", "condition_page", "condition_rows", "state_run"]

State: TypeAlias = Literal["pass", "fail", "unknown"]
COLUMNS = (Column("state", 9), Column("condition", 15), Column("rows", 5, from_width=100), Column("why"))
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


def condition_rows(view: ConditionView, width: int) -> list[Cells]:
    """Return one condition as rows of a list of this width: the reason of one that passes may be cut.

    Width 0 leaves it one row.
    """
    room = width - 1 - sum(column.width + 1 for column in COLUMNS if width >= column.from_width)
    wraps = view.state != "pass" and room > 0
    why = list(wrapped(line(view.detail, "muted"), room)) if wraps else [line(view.detail, "muted")]
    rows = Run(str(view.rows) if view.rows else "")
    head: Cells = (state_run(view.state), Run(view.name.replace("_", " ")), rows)
    return [(*(head if not number else _NOTHING), _joined(said)) for number, said in enumerate(why)]


_NOTHING = (Run(""), Run(""), Run(""))


def _joined(said: Line) -> Run:
    return Run("".join(run.text for run in said), "muted")


def condition_page(view: ConditionView, extra: Sequence[Line] = ()) -> list[Line]:
    """Return all that is known about one condition."""
    lines: list[Line] = [(state_run(view.state), Run(f"  {view.name.replace('_', ' ')}", "title"))]
    lines.append(line(view.detail))
    if view.resolve:
        lines.append((Run("what settles it: ", "muted"), Run(view.resolve)))
    lines += [(Run(f"  {name}: ", "muted"), Run(value)) for name, value in view.figures]
    return [*lines, *extra]
