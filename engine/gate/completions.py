"""Three-valued answers: what holds however the rows that are still open turn out.

A required row that nobody has reviewed could be anything: candidate, baseline or tie. A row whose passes
have not been tried could be any of these or stay undecided. A condition over all these completions is
PASS or FAIL where it is that in every one, and UNKNOWN otherwise. The extremes decide; nothing is listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from bothways.engine.analysis.tally import Ties, Votes
from bothways.engine.gate.model import State

__all__ = ["OpenPasses", "OpenVotes", "unanimous"]


def unanimous(states: Iterable[State]) -> State:
    """Return the state that all agree on, else UNKNOWN."""
    found = set(states)
    return found.pop() if len(found) == 1 else State.UNKNOWN


@dataclass(frozen=True, slots=True)
class OpenVotes:
    """Votes that stand, rows whose review will decide them, and rows not tried that may stay undecided."""

    votes: Votes
    missing: int = 0
    untried: int = 0

    @property
    def open(self) -> int:
        """All rows that could still be anything."""
        return self.missing + self.untried

    def wins(self) -> tuple[int, int]:
        """Return the fewest and the most rows that the candidate can end up with."""
        return self.votes.candidate, self.votes.candidate + self.open

    def win_rate(self, threshold: Fraction, ties: Ties) -> State:
        """Does the win rate meet the threshold? The rate grows with each win and falls with each loss."""
        extremes = [
            self.votes.plus(candidate=self.open),
            self.votes.plus(baseline=self.open),
            self.votes.plus(tie=self.open),
            self.votes.plus(tie=self.missing),
        ]
        return unanimous(_state(votes.meets(threshold, ties)) for votes in extremes)

    def margin(self, threshold: Fraction, ties: Ties, votes: int) -> State:
        """Is the win rate more than `votes` votes away from the threshold? One step per possible win."""
        near = any(self._near(wins, threshold, ties, votes) for wins in range(self.open + 1))
        return State.UNKNOWN if near else State.PASS

    def _near(self, wins: int, threshold: Fraction, ties: Ties, votes: int) -> bool:
        """With `wins` more wins: can the number of rows they are a share of land within the margin?"""
        if ties == "count":
            fewest, most = max(wins, self.missing), self.open
        else:
            fewest, most = wins, self.open
        won, of = self.votes.candidate + wins, self.votes.denominator(ties)
        if not threshold:
            return won <= votes
        # |won - threshold * (of + more)| <= votes, solved for the whole numbers `more`, and in whole numbers:
        # this is asked once for each row that is open, and a fraction takes twenty times as long
        part, whole = threshold.numerator, threshold.denominator
        low = -((votes - won) * whole // part) - of
        high = (won + votes) * whole // part - of
        return max(low, fewest) <= min(high, most)

    def enough(self, decided: int) -> State:
        """Are at least `decided` rows decided? Reviews will decide, untried rows may not."""
        return State.PASS if self.votes.decided + self.missing >= decided else State.UNKNOWN


@dataclass(frozen=True, slots=True)
class OpenPasses:
    """What the judge's passes said, and how many rows it has not been asked about.

    A lead is by how many the candidate is named more often than the baseline, over the first or the second
    passes; an untried row can move each by one a night.
    """

    flips: int
    readable: int
    first_lead: int
    second_lead: int
    untried: int = 0
    nights: int = 1

    @property
    def phantom(self) -> bool:
        """Whether the two passes, taken alone, name different leaders."""
        return self.first_lead * self.second_lead < 0

    def health(self, most: Fraction) -> State:
        """Does the judge flip on at most this share of the rows, and name one leader?

        The untried rows could all agree and all name one side, which is best for it, or all flip.
        """
        rows, swing = self.readable + self.untried, self.untried * self.nights
        lead = min(abs(self.first_lead), abs(self.second_lead))
        if (self.readable and self.flips > most * rows) or (self.phantom and lead > swing):
            return State.FAIL
        if self.untried and (self.flips + self.untried > most * rows or self._may_part(swing)):
            return State.UNKNOWN
        return State.PASS if self.readable else State.UNKNOWN

    def _may_part(self, swing: int) -> bool:
        low, high = sorted((self.first_lead, self.second_lead))
        return low - swing < 0 < high + swing


def _state(met: bool | None) -> State:
    if met is None:
        return State.UNKNOWN
    return State.PASS if met else State.FAIL
