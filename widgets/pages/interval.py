"""An interval and a threshold on a scale from 0 to 100 %, drawn in text."""

from __future__ import annotations

from bothways.widgets.plain import Line, Run

__all__ = ["interval_bar"]

_TRACK, _WITHIN, _VALUE, _THRESHOLD = "·", "━", "●", "┃"


def interval_bar(low: float, value: float, high: float, threshold: float, width: int) -> list[Line]:
    """Return the bar and what its signs mean; all four are shares from 0 to 1.

    A cell is as wide as 1/`width`. Value and threshold that fall into the same cell stand side by side, each
    on its own side: a bar never says that a threshold is met which is not.
    """
    width = max(10, width)
    cells = [_TRACK] * width
    for at in range(_cell(low, width), _cell(high, width) + 1):
        cells[at] = _WITHIN
    mark, bound = _cell(value, width), _cell(threshold, width)
    if value < threshold and mark == bound:
        mark, bound = (mark - 1, bound) if mark else (mark, bound + 1)
    elif value >= threshold and mark == bound:
        mark, bound = (mark + 1, bound) if mark + 1 < width else (mark, bound - 1)
    cells[bound], cells[mark] = _THRESHOLD, _VALUE
    return [
        (Run("  0 % "), *_runs(cells, met=value >= threshold), Run(" 100 %")),
        (Run(f"      {_VALUE} win rate  {_WITHIN} 95 % interval  {_THRESHOLD} needed", "muted"),),
    ]


def _cell(share: float, width: int) -> int:
    return min(width - 1, max(0, int(share * width)))


def _runs(cells: list[str], *, met: bool) -> Line:
    tones = {_TRACK: "muted", _VALUE: "good" if met else "bad", _THRESHOLD: "warn"}
    runs: list[Run] = []
    for cell in cells:
        tone = tones.get(cell, "")
        if runs and runs[-1].tone == tone:
            runs[-1] = Run(runs[-1].text + cell, runs[-1].tone)
        else:
            runs.append(Run(cell, tone))  # type: ignore[arg-type]
    return tuple(runs)
