"""What acts mean, told a second time and in another way: beside the program's own fold of its records.

Here nothing is a record. What somebody said stands in a list in the order of time; undo takes it out and redo
puts it back, as in any editor. What somebody said last on a row is their verdict on it; what they say when it
comes back to them for a second look changes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.experiment import Policy
from bothways.engine.review import Act
from bothways.engine.verdicts import Verdict

__all__ = ["Home", "Meaning", "RowMeans"]

Home: TypeAlias = Literal["here", "elsewhere"]
"""Whether an act was made in the file or on a copy of it: an undo reaches what was said in its own."""

_VERDICTS: Mapping[Act, Verdict] = {
    Act.BASELINE: "baseline", Act.CANDIDATE: "candidate", Act.TIE: "tie", Act.BOTH_BAD: "tie",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class _Said:
    """One act on one row: whether it stands where it was made, and whether it counts in this file.

    `again` says that it was a second look, which says nothing by itself.
    """

    who: str
    case: str
    what: Act
    verdict: Verdict | None
    home: Home
    group: list[_Said]
    again: bool
    counts: bool
    at: float
    stands: bool = True


class RowMeans(NamedTuple):
    """What a row adds up to, and who said so last."""

    final: Verdict | None
    human: Verdict | None
    both_bad: bool
    who: str
    disputed: bool


@dataclass(slots=True)
class Meaning:
    """Everything that people said of one candidate, in the order of time, and what follows from it.

    Clocks may disagree: whatever `clock` says, something counts as said after all that was known there.
    """

    clock: Callable[[], datetime]
    policy: Policy
    adjudicator: str
    judged: Mapping[str, Verdict | None]
    other_tools: frozenset[str]
    _said: list[_Said] = field(default_factory=list)
    _taken_back: dict[tuple[str, Home], list[list[_Said]]] = field(default_factory=lambda: defaultdict(list))
    _last_at: dict[Home, float] = field(default_factory=lambda: {"here": 0.0, "elsewhere": 0.0})
    _came_in_at: float = 0.0

    def refuses(self, who: str, case: str, what: Act, home: Home = "here", *, again: bool = False) -> bool:
        """Say whether an act on a row is impossible, whoever may see the judge."""
        if again and (what not in (*_VERDICTS, Act.SKIP, Act.NOTE) or who not in self._voices(case, home)):
            return True
        match what:
            case Act.CONFIRM:
                return self.judged[case] is None
            case Act.CLEAR:
                return who not in self._voices(case, home)
            case Act.TOOLS_OK | Act.TOOLS_BAD:
                return case not in self.other_tools
            case _:
                return False

    def says(
        self, who: str, cases: Sequence[str], what: Act, home: Home = "here", *, again: bool = False
    ) -> None:
        """Take in one act on one row, or the same on several at once."""
        group: list[_Said] = []
        at = self._moment(home)
        for case in cases:
            verdict = self.judged[case] if what is Act.CONFIRM else _VERDICTS.get(what)
            group.append(_Said(who, case, what, verdict, home, group, again, home == "here", at))
        self._said += group
        if group:
            self._taken_back[who, home].clear()

    def undo(self, who: str, home: Home = "here", case: str | None = None) -> bool:
        """Take back what somebody did last, all of it; with a case, only what they did there."""
        mine = [one for one in self._said if (one.who, one.home, one.stands) == (who, home, True)]
        mine = [one for one in mine if case in (None, one.case)]
        if not mine:
            return False
        group = [mine[-1]] if case else [one for one in mine[-1].group if one.stands]
        self._taken_back[who, home].append(group)
        self._moment(home)
        _put(group, stands=False)
        return True

    def redo(self, who: str, home: Home = "here") -> bool:
        """Say again what was taken back last, unless something else was said since."""
        if not self._taken_back[who, home]:
            return False
        self._moment(home)
        _put(self._taken_back[who, home].pop(), stands=True)
        return True

    def merge(self) -> None:
        """Know by now what was said elsewhere, and what of it still stands there."""
        for one in self._said:
            one.counts = one.stands
        self._came_in_at = self._last_at["elsewhere"]

    def _moment(self, home: Home) -> float:
        """Return when something counts as said that is said now."""
        now = max(self.clock().timestamp(), self._last_at[home])
        if home == "here" and self._came_in_at >= now:
            now = self._came_in_at + 0.001
        self._last_at[home] = now
        return now

    def row(self, case: str) -> RowMeans:
        """Return what a row adds up to."""
        voices = list(self._voices(case, "here").values())
        votes = Counter(one.verdict for one in voices)
        differ = len(votes) > 1
        ruling = [one for one in voices if one.who == self.adjudicator]
        if self.policy == "latest":
            counting = voices[-1:]
        elif self.policy == "adjudicator" and (ruling or differ):
            counting = ruling
        else:  # a majority, or all of one mind
            most = max(votes.values(), default=0)
            first = [verdict for verdict, count in votes.items() if count == most]
            counting = [one for one in voices if [one.verdict] == first]
        human = counting[-1].verdict if counting else None
        bad = [one for one in counting if one.what is Act.BOTH_BAD]
        both_bad = len(bad) > len(counting) - len(bad)
        agreeing = [one for one in counting if (one in bad) == both_bad]
        return RowMeans(
            final=human if counting or differ else self.judged[case],
            human=human,
            both_bad=both_bad,
            who=agreeing[-1].who if agreeing else "",
            disputed=differ and (not counting or self.policy == "latest"),
        )

    def rows(self) -> dict[str, RowMeans]:
        """Return what each row adds up to."""
        return {case: self.row(case) for case in self.judged}

    def _voices(self, case: str, home: Home) -> dict[str, _Said]:
        """Return the verdict of each person on a row, in the order of time."""
        voices: dict[str, _Said] = {}
        for one in sorted(self._said, key=attrgetter("at")):
            known = one.counts if home == "here" else one.stands and one.home == home
            if known and one.case == case and not one.again and (one.verdict or one.what is Act.CLEAR):
                voices.pop(one.who, None)
                if one.verdict:
                    voices[one.who] = one
        return voices


def _put(group: Sequence[_Said], *, stands: bool) -> None:
    for one in group:
        one.stands = stands
        if one.home == "here":
            one.counts = stands
