"""What would change the decision: the fewest things that people can still say, and which.

Every other decision is looked for where it is nearest: all verdicts alike, on rows that were tried and on
which none of people's counts yet. For SHIP that is the candidate's side and every signature good, for DO NOT
SHIP the baseline's or one signature bad. Mixed verdicts would take no fewer rows, and so no fewer acts where
one verdict settles a row. Under `majority` a row that people differ on can take more of them for one side
than for another or for a tie: there a mixture can do with fewer acts than are told. What people have said
stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from bothways.engine.analysis.model import Evidence
from bothways.engine.gate.conditions import CONDITIONS
from bothways.engine.gate.crowd import Crowd, Kind, Move, Said
from bothways.engine.gate.model import Condition, Decision, GateResult, State
from bothways.engine.verdicts import FLIPS, Outcome, Verdict

__all__ = ["Outlook", "Path", "Step", "outlook"]


class Step(NamedTuple):
    """As many of these `cases` as it takes for so many `acts` are said to be `said`.

    `rows` is what they have in common, `each` how many people have to say it of a row until it counts.
    """

    said: Said
    acts: int
    rows: str
    cases: tuple[str, ...]
    each: int = 1


@dataclass(frozen=True, slots=True)
class Path:
    """The fewest acts of one kind that lead to `decision`, and none of them can be left out."""

    decision: Decision
    steps: tuple[Step, ...]

    @property
    def acts(self) -> int:
        """How many verdicts and signatures it takes."""
        return sum(step.acts for step in self.steps)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where people can still take the decision.

    `blocked` are the conditions that keep the gate from SHIP whatever people say of the rows that are open;
    each says in `resolve` what would do it instead. Empty where SHIP is reached, or stands.
    """

    paths: tuple[Path, ...]
    blocked: tuple[Condition, ...] = ()


def outlook(evidence: Evidence, result: GateResult) -> Outlook:
    """Return every decision that people can still bring about, the nearest first.

    Rows that are alike to every condition are looked at once, so this costs one walk over the rows.
    """
    crowd = Crowd(evidence, close=result.figures.close)
    now = result.decision
    found = [
        _fewest(crowd, "candidate", "ok", lambda then: then is Decision.SHIP),
        _fewest(crowd, "baseline", None, lambda then: then is Decision.DO_NOT_SHIP),
        _fewest(crowd, None, "bad", lambda then: then is Decision.DO_NOT_SHIP),
    ]
    if now is not Decision.INCONCLUSIVE:  # that one is left for one of the decisions above
        found += [_fewest(crowd, side, "ok", lambda then: then is not now) for side in _SIDES]
    paths = {(path.decision, path.steps): path for path in found if path is not None and path.steps}
    shortest = sorted(paths.values(), key=lambda path: path.acts)
    reached = now is Decision.SHIP or any(path.decision is Decision.SHIP for path in shortest)
    return Outlook(tuple(shortest), () if reached else _blocking(crowd))


_SIDES: tuple[Literal["candidate", "baseline"], ...] = ("candidate", "baseline")


def _fewest(
    crowd: Crowd, side: Verdict | None, signed: Said | None, goal: Callable[[Decision], bool]
) -> Path | None:
    """Return the shortest way to the goal, where more of the same never leads away from it.

    All that can be said is said first. Then as much as possible is taken back, the least useful first: what
    is left is needed.
    """
    moves = _moves(crowd, side, signed)
    times = [len(move.kind) for move in moves]

    def then(times: Sequence[int]) -> Decision:
        return crowd.decision(zip(moves, times, strict=True))

    def reached(at: int, number: int) -> bool:
        return goal(then([*times[:at], number, *times[at + 1 :]]))

    if not goal(then(times)):
        return None
    for at, most in enumerate(times):
        times[at] = _least(most, partial(reached, at))
    return Path(then(times), tuple(_steps(moves, times)))


def _blocking(crowd: Crowd) -> tuple[Condition, ...]:
    """Return what keeps the gate from SHIP even if every row that is open went to the candidate."""
    then = crowd.after((move, len(move.kind)) for move in _moves(crowd, "candidate", "ok"))
    found = (condition(then) for condition in CONDITIONS)
    return tuple(condition for condition in found if condition.state is not State.PASS)


def _moves(crowd: Crowd, side: Verdict | None, signed: Said | None) -> list[Move]:
    """Return what can be said, the least useful first."""
    kinds = sorted(crowd.kinds, key=lambda kind: _use(kind, side))
    signatures = [crowd.move(signed, kind) for kind in kinds if signed is not None and kind.row.unsigned]
    verdicts = [crowd.move(side, kind) for kind in kinds if side in _SIDES and kind.open]
    return [*signatures, *verdicts]


_GAIN: dict[Verdict | None, dict[Verdict | None, int]] = {
    "candidate": {"candidate": 0, None: 1, "tie": 2, "baseline": 3},
    "baseline": {"baseline": 0, "tie": 1, None: 2, "candidate": 3},
    None: {},
}
"""By how much a verdict moves the win rate, from the least: by what counts on the row now."""


def _use(kind: Kind, side: Verdict | None) -> tuple[bool, bool, int, int, bool]:
    """Order kinds by what a verdict on one of their rows does for a side, those that take several acts last.

    One required row for the baseline settles it; one for the candidate only has to be there.
    """
    unread = kind.row.outcome not in (Outcome.WIN, Outcome.TIE, *FLIPS)
    gain = _GAIN[side].get(kind.row.final, 0)
    dear = kind.acts(side) if side in _SIDES and kind.open else 1
    if side == "baseline":
        return kind.row.high_stakes, kind.required, -dear, gain, unread
    return False, not kind.required, -dear, gain, unread


def _least(most: int, holds: Callable[[int], bool]) -> int:
    """Return the least number for which something holds that holds for `most` and all above it."""
    if not most or holds(0):
        return 0
    low, high, step = 0, most, 1  # it does not hold for `low`; mostly one is enough, or none can be spared
    if not holds(most - 1):
        return most
    while low + step < high:
        if holds(low + step):
            high = low + step
            break
        low, step = low + step, step * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _steps(moves: Sequence[Move], counts: Sequence[int]) -> Iterator[Step]:
    """Yield what is left to be said, rows under the same name together."""
    cases: dict[tuple[Said, str, int], tuple[str, ...]] = {}
    taken: Counter[tuple[Said, str, int]] = Counter()
    for (said, kind, _, each), count in zip(moves, counts, strict=True):
        name = (said, kind.words if said in _SIDES else "changed tool calls", each)
        cases[name] = (*kind.cases, *cases.get(name, ())) if count else (*cases.get(name, ()), *kind.cases)
        taken[name] += count
    for (said, rows, each), count in taken.items():
        if count:
            yield Step(said, count * each, rows, cases[said, rows, each], each)
