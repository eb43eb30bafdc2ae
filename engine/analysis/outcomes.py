"""What one row's answers and passes add up to: the judge alone, before any person spoke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.experiment import Experiment
from bothways.engine.ledger import AnswerFact, PassFact
from bothways.engine.methods.pair import Pair, mapped
from bothways.engine.pairs import newest
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = ["ORDERS", "Asked", "Judged", "Order", "judged", "newest_complete", "newest_tried"]

Order: TypeAlias = Literal["first", "second"]
ORDERS: tuple[Order, ...] = ("first", "second")
"""The first pass is, everywhere, the one that showed the baseline first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a spec asks of every row: two variants, one order or both, how many nights and takes."""

    baseline: str
    candidate: str
    both_orders: bool = True
    imported: bool = False
    nights: int = 1
    takes: int = 1

    @classmethod
    def of(
        cls, spec: Experiment, candidate: str, nights: int, takes: int, *, baseline: str | None = None
    ) -> Asked:
        """Return what a spec asks for of one candidate, against its own baseline or another variant."""
        both = spec.judge is None or spec.judge.swap
        return cls(baseline or spec.baseline.name, candidate, both, spec.imported, nights, takes)

    def over(self, passes: Iterable[PassFact]) -> list[PassFact]:
        """Return those of the passes that are over these two variants."""
        both = {self.baseline, self.candidate}
        return [fact for fact in passes if both.issuperset(fact.shown)]


class Judged(NamedTuple):
    """What the judge made of a row, or of one night of it.

    `orders` are the passes that are there. `take` is the take that counted, 0 where none did. `nights` are
    the single nights that a row of several adds up.
    """

    outcome: Outcome
    winner: Side | None = None
    first: Verdict | None = None
    second: Verdict | None = None
    failed: tuple[Side, ...] = ()
    orders: tuple[Order, ...] = ()
    take: int = 0
    nights: tuple[Judged, ...] = ()


_PENDING = Judged(Outcome.PENDING)


def judged(
    baseline: Sequence[AnswerFact], candidate: Sequence[AnswerFact], passes: Sequence[PassFact], asked: Asked
) -> Judged:
    """Return the outcome of one row from the answers of its two sides and its passes by one judge.

    The passes are over these two variants. Several nights count once: their majority, else a flip.
    """
    if asked.nights == 1 and len(baseline) == len(candidate) == 1:  # nearly every row there is
        return _night(baseline[0], candidate[0], passes, asked)
    nights = {(night, 1) for night in range(1, asked.nights + 1)}
    by_night: dict[tuple[int, int], list[PassFact]] = {
        night: [] for night in nights.union((fact.night, fact.repeat) for fact in candidate)
    }
    for fact in passes:
        by_night.setdefault((fact.night, fact.repeat), []).append(fact)
    results = [
        _night(_of(baseline, night), _of(candidate, night), found, asked)
        for night, found in sorted(by_night.items())
    ]
    return results[0] if len(results) == 1 else _together(tuple(results))


def _of(answers: Sequence[AnswerFact], night: tuple[int, int]) -> AnswerFact | None:
    """The answer of that night; a frozen one that is older serves every later night."""
    earlier = [fact for fact in answers if (fact.night, fact.repeat) <= night]
    return max(earlier, key=lambda fact: (fact.night, fact.repeat), default=None)


def _night(
    baseline: AnswerFact | None, candidate: AnswerFact | None, passes: Sequence[PassFact], asked: Asked
) -> Judged:
    if baseline is None or candidate is None or not baseline.tried or not candidate.tried:
        return _PENDING
    if baseline.failure is not None or candidate.failure is not None:
        sides: tuple[tuple[Side, AnswerFact], ...] = (("baseline", baseline), ("candidate", candidate))
        failed = tuple(side for side, fact in sides if fact.failure is not None)
        # A file may hold verdicts over an answer that is none: they decide nothing, and were said.
        said = _read(newest_complete(passes, asked), asked) if passes else _PENDING
        return said._replace(outcome=Outcome.ERROR, winner=None, failed=failed)
    return _read(newest_complete(passes, asked), asked)


def newest_tried(answers: Iterable[AnswerFact]) -> AnswerFact | None:
    """Return the answer that counts of those of one variant to a row; None where none was tried."""
    return newest((fact.night, fact.repeat, fact) for fact in answers if fact.tried)


def newest_complete(passes: Sequence[PassFact], asked: Asked) -> Sequence[PassFact] | None:
    """The passes of the newest take of which everything asked for was tried; None where there is none.

    What was asked of a judge whose passes came in with a file, its fullest take says.
    """
    if len(passes) == 2 and passes[0].take == passes[1].take and passes[0].tried and passes[1].tried:
        return passes
    takes: dict[int, list[PassFact]] = {}
    for fact in passes:
        takes.setdefault(fact.take, []).append(fact)
    asked_for = 2 if asked.both_orders else 1
    wanted = max(map(len, takes.values()), default=1) if asked.imported else asked_for
    for number in sorted(takes, reverse=True):
        take = takes[number]
        if len(take) >= wanted and all(fact.tried for fact in take):
            return take
    return [] if asked.imported else None


def _read(passes: Sequence[PassFact] | None, asked: Asked) -> Judged:
    if passes is None:
        return _PENDING
    if not passes:  # an import asks for nothing: there is no verdict to be read, and none to come
        return Judged(Outcome.UNANSWERED)
    said = tuple([(fact.shown, fact.choice) for fact in passes])
    return _verdicts(said, passes[0].take, asked.baseline, asked.candidate)


@lru_cache(maxsize=1024)
def _verdicts(
    said: tuple[tuple[tuple[str, ...], int | None], ...], take: int, baseline: str, candidate: str
) -> Judged:
    """Read what passes chose, mapped to the sides. Few of a hundred thousand rows say different things."""
    sides: dict[str, Verdict] = {baseline: "baseline", candidate: "candidate"}
    verdicts: dict[Order, Verdict | None] = {
        "first" if shown[0] == baseline else "second": mapped(choice, shown, sides) for shown, choice in said
    }
    first, second = verdicts.get("first"), verdicts.get("second")
    outcome, winner = Pair.outcome(tuple(verdicts.values()))
    return Judged(outcome, winner, first, second, (), tuple(o for o in ORDERS if o in verdicts), take)


def _together(nights: tuple[Judged, ...]) -> Judged:
    """The majority of the nights; none is a flip between nights, unless only unread nights are in its way."""
    outcome, winner = _settled(nights)
    failed = tuple(dict.fromkeys(side for night in nights for side in night.failed))
    return nights[-1]._replace(
        outcome=outcome,
        winner=winner,
        failed=failed if outcome is Outcome.ERROR else (),
        take=min(night.take for night in nights),
        nights=nights,
    )


def _settled(nights: tuple[Judged, ...]) -> tuple[Outcome, Side | None]:
    if any(night.outcome is Outcome.PENDING for night in nights):
        return Outcome.PENDING, None
    said, votes = Counter((night.outcome, night.winner) for night in nights).most_common(1)[0]
    return said if 2 * votes > len(nights) else (_split(nights), None)


def _split(nights: tuple[Judged, ...]) -> Outcome:
    unread = (Outcome.ERROR, Outcome.UNANSWERED, Outcome.ONE_PASS)
    said = {(n.outcome, n.winner) for n in nights if n.outcome not in unread}
    if len(said) > 1:
        return Outcome.FLIP_NIGHTS
    return next(outcome for outcome in unread if any(n.outcome is outcome for n in nights))
