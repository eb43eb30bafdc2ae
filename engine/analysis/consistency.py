"""How steady people are: of the rows that came back to a reviewer, blind, on how many they say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bothways.engine.analysis.model import Evidence
from bothways.engine.analysis.stats import share, wilson
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Record
from bothways.engine.lots import part, pick
from bothways.engine.standing import GIVES, Review, standings
from bothways.engine.verdicts import Verdict

__all__ = ["Consistency", "consistency", "second_looks"]


@dataclass(frozen=True, slots=True)
class Consistency:
    """Of `n` second looks of one reviewer, how many say the `same` as they had said before."""

    reviewer: str
    n: int
    same: int

    def as_json(self) -> JsonObject:
        """Return the counts with the share and its 95 % Wilson interval."""
        value, interval = share(self.same, self.n), wilson(self.same, self.n)
        return {
            "reviewer": self.reviewer,
            "n": self.n,
            "same": self.same,
            "value": None if value is None else round(float(value), 6),
            "wilson95": [round(bound, 4) for bound in interval] if interval else None,
        }


def consistency(records: Iterable[Record], candidate: str | None = None) -> tuple[Consistency, ...]:
    """Compare each reviewer's second looks with what they had said by then, over one candidate or all.

    A pair counts once for a reviewer. A change of mind after the second look changes nothing here. Those
    who never looked twice are left out; the others come by name.
    """
    counts: dict[str, list[bool]] = {}
    for (about, _), acts in standings(records).items():
        if candidate in (None, about):
            for second, before in _looked_twice(acts):
                counts.setdefault(second.reviewer, []).append(_says(second) == _says(before))
    return tuple(Consistency(who, len(said), sum(said)) for who, said in sorted(counts.items()))


def _says(act: Review) -> tuple[Verdict | None, bool]:
    return act.verdict, act.both_bad


def _looked_twice(acts: Iterable[Review]) -> Iterator[tuple[Review, Review]]:
    """Yield each first second look with the verdict of the same reviewer that was in force then, if read."""
    said: dict[tuple[str, str], Review] = {}
    twice: set[tuple[str, str]] = set()
    for act in acts:
        key = (act.reviewer, act.pair)
        if act.look == 1 and act.act in (*GIVES, "clear"):
            said[key] = act
        elif act.act in GIVES and key in said and not said[key].bulk and key not in twice:
            twice.add(key)
            yield act, said[key]


def second_looks(evidence: Evidence, records: Iterable[Record], reviewer: str) -> frozenset[str]:
    """Return the cases that are to come back to a reviewer, blind, and have not yet.

    They are drawn by lot from the rows that they read and on which their verdict is in force, as many in all
    as the spec asks for: the more somebody has read, the more come back. `records` are the experiment's.
    """
    wanted = evidence.experiment.review.second_look
    if not wanted:
        return frozenset()
    own = {
        row.case_id
        for row in evidence.rows
        if row.standing is not None
        and any(voice.reviewer == reviewer and not voice.unread for voice in row.standing.voices)
    }
    acts = standings(records)
    seen = {case for case in own if _seen_again(acts.get((evidence.candidate, case), ()), reviewer)}
    due = part(wanted, len(own)) - len(seen)
    return pick(due, own - seen, "second look", evidence.experiment.name, evidence.candidate, reviewer)


def _seen_again(acts: Sequence[Review], reviewer: str) -> bool:
    """Tell whether a reviewer took, or declined, a second look at the pair that they spoke about last."""
    own = [act for act in acts if act.reviewer == reviewer]
    pair = next((act.pair for act in reversed(own) if act.look == 1 and act.act in GIVES), None)
    return any(act.look == 2 and act.pair == pair and act.act in (*GIVES, "skip") for act in own)
