"""The tool calls of both sides laid beside each other, with what differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bothways.engine.diff import word_diff
from bothways.engine.text import visible_line
from bothways.widgets.beside import PLACES, SIGNS, TONES, Marks
from bothways.widgets.plain import Line, Run, Tone, line
from bothways.widgets.rowview import CallView, ToolsView
from bothways.widgets.wrap import columns

__all__ = ["tools_page"]

_ROOMY = 90
"""From this width on the calls stand in two columns."""
_COMPARED = 8_000
"""Characters of two results that are compared by word."""


class _Row(NamedTuple):
    """One thing to say of both calls; where it is the `same` for both it is said once in one column."""

    left: Line
    right: Line
    same: bool


def tools_page(view: ToolsView, width: int = 0) -> Iterator[Line]:
    """Yield both logs: beside each other where there is room, else as one with `-` left and `+` right."""
    if not view.calls:
        yield line("neither side called a tool", "muted")
        return
    yield (Run("Tool calls: ", "title"), Run(view.state, "strong"))
    yield from (line(f"  ! {reason}", "warn") for reason in view.reasons)
    if view.signed:
        yield line(view.signed, "muted")
    writes = "W may write: nobody has said which tools do" if view.undeclared else "W writes"
    signs = f"= both  ~ other arguments  - only {view.left}  + only {view.right}  {writes}"
    yield line(signs, "muted")
    if width >= _ROOMY:
        yield from columns([line(f"- {view.left}", "title")], [line(f"+ {view.right}", "title")], width)
    for left, right in view.calls:
        for row in _rows(left, right):
            yield from _beside(row, width) if width >= _ROOMY else _stacked(row)


def _beside(row: _Row, width: int) -> Iterator[Line]:
    return columns([row.left], [row.right], width)


def _stacked(row: _Row) -> Iterator[Line]:
    if row.left:
        yield row.left
    if row.right and not row.same:
        yield row.right


def _rows(left: CallView | None, right: CallView | None) -> Iterator[_Row]:
    same = left is not None and right is not None and left.arguments == right.arguments
    sign = "=" if same else "~" if left is not None and right is not None else ""
    heads = [_head(call, sign or "-+"[place]) for call, place in zip((left, right), PLACES, strict=True)]
    yield _Row(heads[0], heads[1], bool(sign))
    before, after = (dict(call.arguments) if call is not None else {} for call in (left, right))
    for name in dict.fromkeys((*before, *after)):
        yield _argument(name, before.get(name), after.get(name))
    results = [call.result if call is not None else "" for call in (left, right)]
    if any(results):
        yield _results(results[0], results[1])


def _head(call: CallView | None, sign: str) -> Line:
    if call is None:
        return ()
    mark = " W" if call.writes else ""
    tone: Tone = SIGNS["-+".index(sign)] if sign in "-+" else "strong"
    return (Run(f"{sign} ", tone), Run(call.name + mark, tone), Run(f"  turn {call.turn + 1}", "muted"))


def _argument(name: str, left: str | None, right: str | None) -> _Row:
    if left == right:
        both = (Run(f"    {name}: ", "muted"), Run(left or ""))
        return _Row(both, both, same=True)
    values = _compared(left or "", right or "")
    lines = [
        (Run(f"  {sign} ", tone), Run(f"{name}: ", "strong"), *value) if known is not None else ()
        for sign, tone, known, value in zip("-+", SIGNS, (left, right), values, strict=True)
    ]
    return _Row(lines[0], lines[1], same=False)


def _results(left: str, right: str) -> _Row:
    if left == right:
        return _Row(line(f"    → {left}", "muted"), line("    → the same", "muted"), same=True)
    values = _compared(left, right) if len(left) + len(right) <= _COMPARED else (line(left), line(right))
    lines = [
        (Run(f"  {sign} → ", tone), *value) if known else ()
        for sign, tone, known, value in zip("-+", SIGNS, (left, right), values, strict=True)
    ]
    return _Row(lines[0], lines[1], same=False)


def _compared(left: str, right: str) -> tuple[Line, Line]:
    """Return two values on a line each, with the words marked that the other has not."""
    left, right = visible_line(left), visible_line(right)
    diff = word_diff(left, right)
    return (
        Marks(diff.left, TONES[0]).on(line(left), 0),
        Marks(diff.right, TONES[1]).on(line(right), 0),
    )
