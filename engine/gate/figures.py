"""The figures of the gate as data: the JSON, the reports and the desk all show these.

Counts are exact. What is no whole number is rounded here, once, so that every place shows the same digits: a
share on its own side of the threshold that it is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from bothways.engine.analysis.accuracy import Accuracy
from bothways.engine.analysis.model import FirstShown, SideCosts
from bothways.engine.analysis.stats import (
    e_value,
    false_ship_chance,
    joint_chance,
    percent,
    rounded_at,
    share,
    sign_test,
    wilson,
)
from bothways.engine.analysis.tally import Ties, Votes
from bothways.engine.standing import Rule
from bothways.engine.verdicts import Outcome

__all__ = ["Audit", "Figures", "Flips", "Luck", "Reviews", "Strength", "WinRate"]


@dataclass(frozen=True, slots=True)
class WinRate:
    """The candidate's wins as a share of the decided rows, by one reading of the ties."""

    votes: Votes
    ties: Ties
    threshold: Fraction

    @property
    def wins(self) -> int:
        """The rows that the candidate wins."""
        return self.votes.candidate

    @property
    def of(self) -> int:
        """What the wins are a share of."""
        return self.votes.denominator(self.ties)

    @property
    def value(self) -> float | None:
        """The share; None where nothing is decided."""
        return rounded_at(self.votes.rate(self.ties), self.threshold)

    @property
    def wilson95(self) -> tuple[float, float] | None:
        """The bounds of its 95 % Wilson interval; None where nothing is decided."""
        bounds = wilson(self.wins, self.of)
        low, high = (rounded_at(bound, self.threshold, 4) for bound in bounds or (None, None))
        return None if low is None or high is None else (low, high)

    @property
    def other(self) -> WinRate:
        """The same votes by the other reading of the ties."""
        return replace(self, ties="exclude" if self.ties == "count" else "count")

    @property
    def percent(self) -> str:
        """The share as people read it."""
        return percent(self.votes.rate(self.ties), self.threshold)

    @property
    def words(self) -> str:
        """The wins, of how many, and the share."""
        return f"{self.wins} of {self.of} ({self.percent})"


@dataclass(frozen=True, slots=True)
class Flips:
    """The rows that flipped, of those with two readable passes; `most` is the share that is allowed."""

    number: int
    of: int
    most: Fraction

    @property
    def rate(self) -> float | None:
        """The share; None where no row was read both ways."""
        return rounded_at(share(self.number, self.of), self.most)

    @property
    def percent(self) -> str:
        """The share as people read it."""
        return percent(share(self.number, self.of), self.most)


class Strength(NamedTuple):
    """What wins and losses say against "equal"; both None where there are neither."""

    sign_test_p: float | None
    """Of the exact two-sided sign test."""
    e_value: float | None
    """20 or more is strong."""

    @classmethod
    def of(cls, votes: Votes) -> Strength:
        """Test wins against losses; ties say nothing."""
        p = sign_test(votes.candidate, votes.baseline)
        if p is None:
            return cls(None, None)
        return cls(_short(p, 6), _short(e_value(votes.candidate, votes.baseline), 4))


class Luck(NamedTuple):
    """The chance that two equal variants pass: once, and at least once in all that was `tried`.

    Both are None where nothing is decided. `tried` is on this snapshot.
    """

    once: float | None
    jointly: float | None
    tried: int

    @classmethod
    def of(cls, decided: int, threshold: Fraction, tried: int) -> Luck:
        """Compute it for so many decided rows, of which the share `threshold` has to be won."""
        once = false_ship_chance(decided, threshold)
        if once is None:
            return cls(None, None, tried)
        return cls(_short(once, 4), _short(joint_chance(once, tried), 4), tried)


class Audit(NamedTuple):
    """The rows drawn for people to read, and those of them that somebody read and voted on."""

    asked: int
    done: int


@dataclass(frozen=True, slots=True)
class Reviews:
    """What people were asked for and said; rows are counted once, by what counts on them.

    Of the cases that are `required` some are `missing` a verdict, some `unsigned`. Somebody voted on `read`
    rows after reading them; `unread` ones were confirmed with others, and by nobody else. On `differing` rows
    reviewers say different things; `disputed` are those of them that no rule settles but that of the latest
    verdict. `outdated` are those whose reviews were given on other answers.
    """

    required: tuple[str, ...]
    done: int
    missing: tuple[str, ...]
    unsigned: tuple[str, ...]
    reviewed: int
    read: int
    unread: int
    overrides: int
    rule: Rule
    differing: int
    disputed: tuple[str, ...]
    outdated: tuple[str, ...]
    audit: Audit


@dataclass(frozen=True, slots=True)
class Figures:
    """Every figure of one comparison. `final` are the votes as they count, `alone` those of the judge alone.

    `passes` counts the verdicts of single passes by whom they name, `undecided` the rows by why the judge
    decided nothing, `tags` those of each tag by who wins, with how many flipped among them. `costs` is by
    "baseline", "candidate" and "judge".
    """

    experiment: str
    baseline: str
    candidate: str
    judge: str
    rows: int
    passes: Mapping[Literal["first", "second"], Mapping[str, int]]
    undecided: Mapping[Outcome, int]
    flips: Flips
    first_shown: FirstShown
    win_rate: WinRate
    strength: Strength
    luck: Luck
    close: bool
    alone: Votes
    reviews: Reviews
    accuracy: Accuracy
    tags: Mapping[str, Mapping[str, int]]
    costs: Mapping[str, SideCosts]
    nights: int
    takes: int
    warnings: tuple[str, ...]
    facts_hash: str

    @property
    def final(self) -> Votes:
        """The votes as they count."""
        return self.win_rate.votes

    def left(self, votes: Votes) -> int:
        """Return how many rows these votes leave undecided."""
        return self.rows - votes.decided

    @property
    def win_rate_alone(self) -> WinRate:
        """The win rate by the judge alone."""
        return replace(self.win_rate, votes=self.alone)

    @property
    def flips_as_ties(self) -> Votes:
        """The judge alone by the older reading, in which a flip is a tie."""
        return self.alone.plus(tie=self.flips.number)

    @property
    def first_shown_rate(self) -> float | None:
        """How often the decisive verdicts named what was shown first; None where there are none."""
        shown = self.first_shown
        return _short(shown.named / shown.of, 6) if shown.of else None


def _short(value: float, digits: int) -> float:
    """Round for a file; what would become 0 keeps three digits of its own."""
    return round(value, digits) or float(f"{value:.3g}")
