"""Charts as data: lengths in percent, so that they fit a phone, with everything they show also in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, cast

from bothways.engine.analysis.stats import percent
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.text import usd

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


def charts(figures: JsonObject) -> Mapping[str, Chart]:
    """Return the charts by the title of the section whose figures they show."""
    found: Mapping[str, Chart | None] = {
        "Decision": _tallies(figures),
        "Rows the judge did not decide": _flips(figures),
        "How sure": _rates(figures),
        "Costs": _costs(figures),
    }
    return {title: chart for title, chart in found.items() if chart is not None}


def _tallies(figures: JsonObject) -> Bars | None:
    rows = cast("int", figures["rows"])
    if not rows:
        return None
    passes = _part(figures, "passes")
    counted = {
        "first pass (baseline shown first)": _part(passes, "first"),
        "second pass (candidate shown first)": _part(passes, "second"),
        "judge alone, both passes": _part(figures, "judge_alone"),
        "with reviews": _part(figures, "final"),
    }
    bars = tuple(_stack(label, counts, rows) for label, counts in counted.items())
    legend: tuple[tuple[Series, str, str], ...] = (
        ("candidate", "C", f"candidate {figures['candidate']}"),
        ("baseline", "B", f"baseline {figures['baseline']}"),
        ("tie", "T", "tie"),
        ("undecided", "?", "undecided, unreadable or missing"),
    )
    return Bars("Who was named", bars, legend)


def _stack(label: str, counts: Mapping[str, JsonValue], rows: int) -> Bar:
    """Stack the counts of one reading over all rows; what is not counted in it is undecided."""
    named: dict[Series, int] = {side: _count(counts, side) for side in ("candidate", "baseline", "tie")}
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


_KINDS: Mapping[str, str] = {
    "flip_hard": "hard flips", "flip_soft": "soft flips", "flip_nights": "flips between nights",
    "unanswered": "unanswered", "error": "errors", "one_pass": "one order only", "pending": "not tried yet",
}  # fmt: skip


def _flips(figures: JsonObject) -> Bars | None:
    outcomes, rows = _part(figures, "outcomes"), cast("int", figures["rows"])
    counts = {label: _count(outcomes, name) for name, label in _KINDS.items()}
    shown = {label: count for label, count in counts.items() if count or label.endswith("flips")}
    if not rows or not any(shown.values()):
        return None
    bars = tuple(
        Bar(f"{label}: {count}", (Segment("count", 0, 100 * count / rows, ""),), f"{count} of {rows} rows")
        for label, count in shown.items()
    )
    return Bars(f"Undecided by kind, of {rows} rows", bars)


def _rates(figures: JsonObject) -> Ranges | None:
    rate = _part(figures, "win_rate")
    threshold = Fraction(str(rate["threshold"]))
    other = _part(rate, "other_reading")
    found = [
        _range(f"win rate (ties: {rate['ties']})", rate, "wilson95", threshold),
        _range(f"win rate (ties: {other['ties']})", other, "wilson95", threshold),
    ]
    accuracy = figures.get("judge_accuracy")
    if isinstance(accuracy, dict) and isinstance(corrected := accuracy.get("corrected"), dict):
        found.append(_range("judge's win rate, corrected", corrected, "interval95", threshold))
    ranges = tuple(one for one in found if one is not None)
    return Ranges("Win rate against the threshold", ranges, float(100 * threshold)) if ranges else None


def _range(label: str, rate: Mapping[str, JsonValue], interval: str, threshold: Fraction) -> Range | None:
    value = rate.get("value")
    if not isinstance(value, int | float):
        return None
    bounds = cast("Sequence[float] | None", rate.get(interval))
    low, high = (100 * bounds[0], 100 * bounds[1]) if bounds else (None, None)
    words = percent(value, threshold)
    if bounds:
        words += f" (95 %: {percent(bounds[0], threshold)} to {percent(bounds[1], threshold)})"
    return Range(label, 100 * value, low, high, words)


def _costs(figures: JsonObject) -> Bars | None:
    costs = _part(figures, "costs")
    known = {side: part for side in costs if isinstance((part := costs[side]), dict)}
    spent = {side: part for side, part in known.items() if part["cost_usd"] is not None}
    most = max((cast("float", part["cost_usd"]) for part in spent.values()), default=0.0)
    if not most:
        return None
    return Bars("Cost by side", tuple(_cost_bars(known, most)))


def _cost_bars(costs: Mapping[str, Mapping[str, JsonValue]], most: float) -> Iterator[Bar]:
    for side, part in costs.items():
        cost = cast("float | None", part["cost_usd"])
        unknown = f" and {part['unknown']} unknown" if part["unknown"] else ""
        words = f"{usd(cost, 4)}{unknown}" if cost is not None else "unknown"
        series: Series = "candidate" if side == "candidate" else "baseline" if side == "baseline" else "judge"
        segments = (Segment(series, 0, 100 * cost / most, ""),) if cost else ()
        if part["calls"]:
            yield Bar(f"{side}: {words}", segments, words)


def _part(figures: Mapping[str, JsonValue], name: str) -> Mapping[str, JsonValue]:
    return cast("Mapping[str, JsonValue]", figures[name])


def _count(counts: Mapping[str, JsonValue], name: str) -> int:
    return cast("int", counts.get(name, 0))
