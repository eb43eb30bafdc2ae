"""Charts as data: lengths in percent, so that they fit a phone, with everything they show also in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.model import SideCosts
from bothways.engine.analysis.stats import percent
from bothways.engine.gate.figures import Figures
from bothways.engine.text import usd
from bothways.engine.verdicts import Outcome

__all__ = ["Bar", "Bars", "Chart", "Range", "Ranges", "Segment", "charts"]

Series: TypeAlias = Literal["candidate", "baseline", "tie", "undecided", "count", "judge"]
_SIGNS: Mapping[Series, str] = {"candidate": "C", "baseline": "B", "tie": "T", "undecided": "?"}
_NARROW = 7.0
"""Percent of the width below which a segment is too narrow to be written into."""


class Segment(NamedTuple):
    """One part of a bar: where it begins and how long it is, in percent; `label` fits into it."""

    series: Series
    start: float
    width: float
    label: str


class Bar(NamedTuple):
    """One bar with its label; `words` says what it shows."""

    label: str
    segments: tuple[Segment, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars below each other; `legend` names the series that need a name."""

    title: str
    bars: tuple[Bar, ...]
    legend: tuple[tuple[Series, str, str], ...] = ()
    """Each a series, the letter that stands for it, and what it means."""
    threshold: float | None = None
    kind: Literal["bars"] = "bars"

    @property
    def words(self) -> str:
        """The whole chart, for whoever does not see it."""
        return "; ".join(f"{bar.label}: {bar.words}" for bar in self.bars)


class Range(NamedTuple):
    """A rate with its interval, all in percent; `low` and `high` are None where there is no interval."""

    label: str
    value: float
    low: float | None
    high: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Ranges:
    """Rates on one scale from 0 to 100 %, with the threshold they have to reach where there is one."""

    title: str
    ranges: tuple[Range, ...]
    threshold: float | None = None
    kind: Literal["ranges"] = "ranges"

    @property
    def words(self) -> str:
        """The whole chart, for whoever does not see it."""
        said = "; ".join(f"{one.label}: {one.words}" for one in self.ranges)
        return said if self.threshold is None else f"{said}; needed: {self.threshold:g} %"


Chart: TypeAlias = Bars | Ranges


def charts(figures: Figures) -> Mapping[str, Chart]:
    """Return the charts by the title of the section whose figures they show."""
    found: Mapping[str, Chart | None] = {
        "Decision": _tallies(figures),
        "Rows the judge did not decide": _flips(figures),
        "How sure": _rates(figures),
        "Costs": _costs(figures),
    }
    return {title: chart for title, chart in found.items() if chart is not None}


def _tallies(figures: Figures) -> Bars | None:
    if not figures.rows:
        return None
    counted: Mapping[str, Mapping[str, int]] = {
        "first pass (baseline shown first)": figures.passes["first"],
        "second pass (candidate shown first)": figures.passes["second"],
        "judge alone, both passes": figures.alone.named,
        "with reviews": figures.final.named,
    }
    bars = tuple(_stack(label, counts, figures.rows) for label, counts in counted.items())
    legend: tuple[tuple[Series, str, str], ...] = (
        ("candidate", "C", f"candidate {figures.candidate}"),
        ("baseline", "B", f"baseline {figures.baseline}"),
        ("tie", "T", "tie"),
        ("undecided", "?", "undecided, unreadable or missing"),
    )
    return Bars("Who was named", bars, legend)


def _stack(label: str, counts: Mapping[str, int], rows: int) -> Bar:
    """Stack the counts of one reading over all rows; what is not counted in it is undecided."""
    named: dict[Series, int] = {side: counts.get(side, 0) for side in ("candidate", "baseline", "tie")}
    named["undecided"] = rows - sum(named.values())
    segments: list[Segment] = []
    start = 0.0
    for series, count in named.items():
        width = 100 * count / rows
        if count:
            segments.append(Segment(series, start, width, _label(f"{_SIGNS[series]} {count}", width)))
        start += width
    return Bar(label, tuple(segments), ", ".join(f"{name} {count}" for name, count in named.items()))


def _label(text: str, width: float) -> str:
    return text if width >= _NARROW * max(1, len(text) / 4) else ""


_KINDS: Mapping[Outcome, str] = {
    Outcome.FLIP_HARD: "hard flips", Outcome.FLIP_SOFT: "soft flips",
    Outcome.FLIP_NIGHTS: "flips between nights", Outcome.UNANSWERED: "unanswered", Outcome.ERROR: "errors",
    Outcome.ONE_PASS: "one order only", Outcome.PENDING: "not tried yet",
}  # fmt: skip


def _flips(figures: Figures) -> Bars | None:
    rows = figures.rows
    counts = {label: figures.undecided[kind] for kind, label in _KINDS.items()}
    shown = {label: count for label, count in counts.items() if count or label.endswith("flips")}
    if not rows or not any(shown.values()):
        return None
    bars = tuple(
        Bar(f"{label}: {count}", (Segment("count", 0, 100 * count / rows, ""),), f"{count} of {rows} rows")
        for label, count in shown.items()
    )
    return Bars(f"Undecided by kind, of {rows} rows", bars)


def _rates(figures: Figures) -> Ranges | None:
    rate, fixed = figures.win_rate, figures.accuracy.corrected
    threshold = rate.threshold
    found = [
        _range(f"win rate (ties: {rate.ties})", rate.value, rate.wilson95, threshold),
        _range(f"win rate (ties: {rate.other.ties})", rate.other.value, None, threshold),
    ]
    if fixed is not None:
        found.append(_range("judge's win rate, corrected", float(fixed.value), fixed.interval, threshold))
    ranges = tuple(one for one in found if one is not None)
    return Ranges("Win rate against the threshold", ranges, float(100 * threshold)) if ranges else None


def _range(
    label: str, value: float | None, bounds: tuple[float, float] | None, threshold: Fraction
) -> Range | None:
    if value is None:
        return None
    low, high = (100 * bounds[0], 100 * bounds[1]) if bounds else (None, None)
    words = percent(value, threshold)
    if bounds:
        words += f" (95 %: {percent(bounds[0], threshold)} to {percent(bounds[1], threshold)})"
    return Range(label, 100 * value, low, high, words)


def _costs(figures: Figures) -> Bars | None:
    most = max((of.known_usd or 0.0 for of in figures.costs.values()), default=0.0)
    return Bars("Cost by side", tuple(_cost_bars(figures.costs, most))) if most else None


def _cost_bars(costs: Mapping[str, SideCosts], most: float) -> Iterator[Bar]:
    for side, of in costs.items():
        cost = of.known_usd
        unknown = f" and {of.unknown} unknown" if of.unknown else ""
        words = f"{usd(cost, 4)}{unknown}" if cost is not None else "unknown"
        series: Series = "candidate" if side == "candidate" else "baseline" if side == "baseline" else "judge"
        segments = (Segment(series, 0, 100 * cost / most, ""),) if cost else ()
        if of.calls:
            yield Bar(f"{side}: {words}", segments, words)
