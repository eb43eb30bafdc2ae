"""The cheapest way to reach sums over many rows, where each row offers a few ways to stand.

Where every act counts for itself, taking the most useful rows first is the cheapest. Where several go
together, as under a majority, that is where a search starts which tries everything that is cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add, le, sub
from typing import NamedTuple, TypeAlias

from bothways.engine.gate.crowd import Kind, Said
from bothways.engine.verdicts import Verdict

__all__ = ["Group", "Option", "Way", "cheapest"]

Sums: TypeAlias = tuple[int, ...]
_LABELS = 20_000
"""How many sums a search looks at before it gives up: a second or so."""


class Option(NamedTuple):
    """A way for a row to stand: how many acts it takes, and by how much that raises the sums.

    `said` is None where the row is left as it is.
    """

    said: Said | None
    acts: int
    gains: Sums


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that offer the same under the same name. `again` says that what was said counts already."""

    words: str
    again: bool
    judged: Verdict | None
    options: tuple[Option, ...]
    kinds: tuple[Kind, ...] = ()

    @property
    def size(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.kinds))

    @property
    def base(self) -> Option:
        """The option that takes the fewest acts, and of those the most useful."""
        return min(self.options, key=lambda one: (one.acts, [-gain for gain in one.gains]))

    @property
    def best(self) -> Option:
        """The most useful option."""
        return min(self.options, key=lambda one: ([-gain for gain in one.gains], one.acts))

    @property
    def upgrades(self) -> list[Option]:
        """The options that are worth their acts: none is as useful for as few."""
        base, found = self.base, list[Option]()
        for one in sorted(self.options, key=lambda one: (one.acts, [-gain for gain in one.gains])):
            if not any(all(map(le, one.gains, other.gains)) for other in (base, *found)):
                found.append(one)
        return found


Chosen: TypeAlias = list[dict[Option, int]]


@dataclass(frozen=True, slots=True)
class Way:
    """How many rows of each group take which option; `fewest` says that nothing takes fewer acts."""

    chosen: Chosen
    fewest: bool

    @property
    def acts(self) -> int:
        """How many acts it takes."""
        return _acts(self.chosen)


def cheapest(groups: Sequence[Group], needs: Sums) -> Way | None:
    """Return the way with the fewest acts to sums of at least `needs`, the rest by the least that will do."""
    if any(not group.options for group in groups):
        return None
    base: Chosen = [{group.base: group.size} for group in groups]
    start = _greedy(groups, base, needs)
    if start is None:
        return None
    least, spent = _acts(base), _acts(start)
    if spent == least or _plain(groups, needs):
        return Way(_modest(groups, start, needs), fewest=True)
    found, all_tried = _search(groups, base, needs, spent - least)
    return Way(_modest(groups, found or start, needs), all_tried)


def _acts(chosen: Chosen) -> int:
    return sum(option.acts * count for options in chosen for option, count in options.items())


def _short(chosen: Chosen, needs: Sums) -> Sums:
    """Return what the sums lack, below zero what they have to spare."""
    short = list(needs)
    for options in chosen:
        for option, count in options.items():
            for at, gain in enumerate(option.gains):
                short[at] -= gain * count
    return tuple(short)


def _plain(groups: Sequence[Group], needs: Sums) -> bool:
    """Whether the rows differ in what they give or in what that takes, not in both: then greed is best."""
    steps = [(group.base, group.upgrades) for group in groups]
    if any(len(found) > 1 for _, found in steps):
        return False
    acts = {one.acts - base.acts for base, found in steps for one in found}
    gains = {one.gains[0] - base.gains[0] for base, found in steps for one in found}
    return acts <= {1} or (len(needs) == 1 and (len(acts) == 1 or len(gains) == 1))


def _greedy(groups: Sequence[Group], base: Chosen, needs: Sums) -> Chosen | None:
    """Raise one sum after the other, the last first, by the rows that give most for an act."""
    chosen = [dict(options) for options in base]
    for at in reversed(range(len(needs))):
        for place in sorted(range(len(groups)), key=lambda place: _use(groups[place], at)):
            low, high = groups[place].base, groups[place].best
            short, gain = _short(chosen, needs)[at], high.gains[at] - low.gains[at]
            if short > 0 and gain > 0 and chosen[place].get(low, 0):
                _move(chosen[place], low, high, min(chosen[place][low], -(-short // gain)))
    return chosen if max(_short(chosen, needs)) <= 0 else None


def _use(group: Group, at: int) -> tuple[float, bool]:
    """Order groups by how many acts it takes to raise a sum by one; what is open comes first."""
    gain, acts = group.best.gains[at] - group.base.gains[at], group.best.acts - group.base.acts
    return acts / gain if gain > 0 else 0.0, group.again


def _move(options: dict[Option, int], old: Option, new: Option, count: int) -> None:
    options[old] -= count
    options[new] = options.get(new, 0) + count


class _Label(NamedTuple):
    """How few acts lead to sums, by one more row of a group that takes an option."""

    acts: int
    place: int = -1
    option: Option | None = None
    before: _Label | None = None


def _search(groups: Sequence[Group], base: Chosen, needs: Sums, below: int) -> tuple[Chosen | None, bool]:
    """Return the cheapest of all that takes fewer acts above the base, and whether everything was tried."""
    labels: dict[Sums, _Label] = {(0,) * len(needs): _Label(0)}
    short, looked = _short(base, needs), 0
    for place, group in enumerate(groups):
        raises = _raises(group)
        free = any(not acts for _, acts, _ in raises)
        for _ in range(group.size if free else min(group.size, below)):
            looked += len(labels)
            if looked > _LABELS:
                return None, False
            if not _extend(labels, place, raises, below):
                break
    reached = [label for sums, label in labels.items() if all(map(le, short, sums))]
    if not reached:
        return None, True
    return _traced(groups, base, min(reached, key=lambda label: label.acts)), True


def _raises(group: Group) -> list[tuple[Option, int, Sums]]:
    """Return what is worth its acts, with what it takes and gives above the base."""
    base = group.base
    return [(one, one.acts - base.acts, tuple(map(sub, one.gains, base.gains))) for one in group.upgrades]


def _extend(
    labels: dict[Sums, _Label], place: int, raises: Sequence[tuple[Option, int, Sums]], below: int
) -> bool:
    """Let one more row of a group take any option; say whether that led to anything new."""
    more: dict[Sums, _Label] = {}
    for sums, label in labels.items():
        for one, more_acts, gains in raises:
            acts, then = label.acts + more_acts, tuple(map(add, sums, gains))
            known = more.get(then) or labels.get(then)
            if acts < below and (known is None or acts < known.acts):
                more[then] = _Label(acts, place, one, label)
    labels.update(more)
    return bool(more)


def _traced(groups: Sequence[Group], base: Chosen, label: _Label) -> Chosen:
    chosen = [dict(options) for options in base]
    at: _Label | None = label
    while at is not None and at.option is not None:
        _move(chosen[at.place], groups[at.place].base, at.option, 1)
        at = at.before
    return chosen


def _modest(groups: Sequence[Group], chosen: Chosen, needs: Sums) -> Chosen:
    """Let rows take what is easier to say for as many acts where that will do: what the judge said, a tie."""
    spare = [-short for short in _short(chosen, needs)]
    for place, high, low in _easier(groups, chosen):
        losses = [more - less for more, less in zip(high.gains, low.gains, strict=True)]
        room = [has // loss for has, loss in zip(spare, losses, strict=True) if loss > 0]
        count = min([chosen[place][high], *room])
        _move(chosen[place], high, low, count)
        spare = [has - loss * count for has, loss in zip(spare, losses, strict=True)]
    return chosen


def _easier(groups: Sequence[Group], chosen: Chosen) -> Iterator[tuple[int, Option, Option]]:
    for judge in (True, False):
        for place, group in enumerate(groups):
            easy = group.judged if judge else "tie"
            low = next((one for one in group.options if one.said == easy and easy), None)
            for high in list(chosen[place]):
                if low is not None and high.acts == low.acts and high.said not in (None, group.judged, easy):
                    yield place, high, low
