"""What would change the decision: the fewest things that people can still say, and which.

SHIP and DO NOT SHIP are looked for, and where one of them stands whatever leads away from it. Anything else
that people can bring about is on the way to one of these. First on rows that are open; then on all rows,
since what counts now can be said anew: a later verdict, a changed mind, another signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bothways.engine.analysis.model import Evidence, ToolState
from bothways.engine.gate.aims import Aim, Aims
from bothways.engine.gate.conditions import CONDITIONS
from bothways.engine.gate.crowd import SIGNATURES, SIGNED, Crowd, Kind, Move, Said
from bothways.engine.gate.model import Condition, Decision, GateResult, State
from bothways.engine.gate.price import STANDS
from bothways.engine.gate.ways import Group, Option, Way, cheapest

__all__ = ["Outlook", "Path", "Step", "outlook"]


class Step(NamedTuple):
    """As many of these `cases` as it takes for so many `acts` are said to be `said`.

    `rows` is what they have in common, `each` how many acts it takes on one of them until it counts.
    `confirms` says that the judge said the same, `again` that something else counts now, and `rest` that
    these are the rows which the step before leaves.
    """

    said: Said
    acts: int
    rows: str
    cases: tuple[str, ...]
    each: int = 1
    confirms: bool = False
    again: bool = False
    rest: bool = False

    @property
    def number(self) -> int:
        """How many rows it takes."""
        return self.acts // self.each


@dataclass(frozen=True, slots=True)
class Path:
    """Acts that lead to `decision`; `fewest` says that no fewer do.

    Under a majority that is not known of ways through very many rows.
    """

    decision: Decision
    steps: tuple[Step, ...]
    fewest: bool = True

    @property
    def acts(self) -> int:
        """How many verdicts and signatures it takes."""
        return sum(step.acts for step in self.steps)

    @property
    def again(self) -> bool:
        """Whether it takes that something which counts now is said anew."""
        return any(step.again for step in self.steps)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where people can still take the decision: on rows that are open, and with fewer acts by all of them.

    `blocked` are the conditions that keep the gate from SHIP whatever people say; each says in `resolve` what
    would do it instead. Empty where SHIP is reached, or stands.
    """

    paths: tuple[Path, ...]
    blocked: tuple[Condition, ...] = ()


def outlook(evidence: Evidence, result: GateResult) -> Outlook:
    """Return every decision that people can still bring about, the nearest first.

    Rows that are alike to every condition are looked at once, so this costs one walk over the rows.
    """
    crowd = Crowd(evidence, close=result.figures.close)
    aims, now = _aims(Aims(crowd.after(())), result.decision), result.decision
    open_ = _nearest(_paths(crowd, aims, now, again=False))
    fewest = {path.decision: path.acts for path in open_}
    anew = _nearest(_paths(crowd, aims, now, again=True))
    paths = [*open_, *(path for path in anew if path.acts < fewest.get(path.decision, path.acts + 1))]
    reached = now is Decision.SHIP or any(path.decision is Decision.SHIP for path in paths)
    return Outlook(tuple(sorted(paths, key=lambda path: path.acts)), () if reached else _blocking(crowd))


def _aims(aims: Aims, now: Decision) -> list[Aim]:
    """Return what leads away from the decision that stands."""
    if now is Decision.SHIP:
        return [*aims.fail(), *aims.waver()]
    return [aims.ship(), *([aims.recover()] if now is Decision.DO_NOT_SHIP else aims.fail())]


def _paths(crowd: Crowd, aims: Iterable[Aim], now: Decision, *, again: bool) -> Iterator[Path]:
    """Yield the cheapest path to each aim, unless what people have no part in keeps the decision as it is."""
    for aim in aims:
        groups = _groups(crowd, aim, again=again)
        way = cheapest(groups, aim.needs)
        if way is not None:
            path = Path(crowd.decision(_moves(crowd, groups, way)), tuple(_steps(groups, way)), way.fewest)
            if path.decision is not now:
                yield path


def _nearest(paths: Iterable[Path]) -> list[Path]:
    """Return those paths than which no other to the same decision takes fewer acts."""
    different = {(path.decision, path.steps): path for path in paths}.values()
    least: dict[Decision, int] = {}
    for path in different:
        least[path.decision] = min(path.acts, least.get(path.decision, path.acts))
    return [path for path in different if path.acts == least[path.decision]]


def _blocking(crowd: Crowd) -> tuple[Condition, ...]:
    """Return what keeps the gate from SHIP even if every row went to the candidate, and all were signed."""
    best = [(crowd.move("candidate", kind), len(kind)) for kind in crowd.kinds if kind.judgeable]
    best += [(crowd.move("ok", kind), len(kind)) for kind in crowd.kinds if _signable(kind)]
    then = crowd.after(best)
    found = (condition(then) for condition in CONDITIONS)
    return tuple(condition for condition in found if condition.state is not State.PASS)


def _signable(kind: Kind) -> bool:
    return kind.row.tools is ToolState.CHANGED


def _groups(crowd: Crowd, aim: Aim, *, again: bool) -> list[Group]:
    """Return what rows offer to an aim: their verdicts, and apart from these their signatures."""
    alike: dict[Group, list[Kind]] = {}
    for kind in crowd.kinds:
        for offer in (_verdicts(kind, aim, again=again), _signatures(kind, aim, again=again)):
            alike.setdefault(offer, []).append(kind)
    return [replace(offer, kinds=tuple(kinds)) for offer, kinds in alike.items()]


def _verdicts(kind: Kind, aim: Aim, *, again: bool) -> Group:
    row, options = kind.row, list[Option]()
    if aim.verdicts(row):
        options.append(Option(None, 0, aim.weighs(row)))
    for stand in STANDS if kind.judgeable and (again or not row.spoken) else ():
        acts, after = kind.acts(stand), kind.after(stand)
        if acts and aim.verdicts(after):
            options.append(Option(stand, acts, aim.weighs(after)))
    return Group(kind.words, row.spoken, row.judged, tuple(options))


def _signatures(kind: Kind, aim: Aim, *, again: bool) -> Group:
    """Their verdicts are weighed already: here by how much a signature changes that."""
    row, now = kind.row, aim.weighs(kind.row)
    signed = row.standing.tools if row.standing is not None else None
    options = [Option(None, 0, (0,) * len(now))] if aim.tools(row) else []
    for said in SIGNATURES if _signable(kind) and (again or signed is None) else ():
        after = kind.after(said)
        if said != signed and aim.tools(after):
            gains = tuple(then - before for then, before in zip(aim.weighs(after), now, strict=True))
            options.append(Option(said, 1, gains))
    words = "changed tool calls" + ("" if signed is None else f" signed as {SIGNED[signed]}")
    return Group(words, signed is not None, None, tuple(options))


def _moves(crowd: Crowd, groups: Sequence[Group], way: Way) -> Iterator[tuple[Move, int]]:
    """Yield what is said of how many rows of which kind."""
    for group, options in zip(groups, way.chosen, strict=True):
        sizes = [len(kind) for kind in group.kinds]
        for option, count in options.items():
            if option.said is None:
                continue
            for at, kind in enumerate(group.kinds):
                taken = min(count, sizes[at])
                sizes[at], count = sizes[at] - taken, count - taken
                if taken:
                    yield crowd.move(option.said, kind), taken


def _steps(groups: Sequence[Group], way: Way) -> Iterator[Step]:
    """Yield what is left to be said of rows, what counts now last."""
    chosen = [(group, _said(options)) for group, options in zip(groups, way.chosen, strict=True)]
    for group, options in sorted(chosen, key=lambda one: one[0].again):
        cases = tuple(case for kind in group.kinds for case in kind.cases) if options else ()
        taken = 0
        for said, acts, count in options:
            yield Step(
                said,
                acts * count,
                group.words,
                cases[taken:],
                acts,
                said == group.judged,
                group.again,
                taken > 0,
            )
            taken += count


def _said(options: Mapping[Option, int]) -> list[tuple[Said, int, int]]:
    """Return what is said, in how many acts a row, on how many."""
    return [(one.said, one.acts, count) for one, count in options.items() if one.said is not None and count]
