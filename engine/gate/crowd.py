"""What the gate would say if so many rows had another verdict or signature than now.

All rows by what the conditions can tell of them, and the situation as a sum over these kinds: so the gate is
asked again without walking over the rows again.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.tally import Votes
from bothways.engine.gate.gate import decision_in
from bothways.engine.gate.model import Decision
from bothways.engine.gate.price import STANDS, Stand, price
from bothways.engine.gate.required import asks_verdict, is_empty, lacks_verdict
from bothways.engine.gate.situation import Mark, Number, Situation, situated, situation
from bothways.engine.standing import Rule, Standing, Voice
from bothways.engine.verdicts import FLIPS, Outcome, Verdict

__all__ = ["SIGNATURES", "SIGNED", "Crowd", "Kind", "Move", "Said", "Signature"]

Signature: TypeAlias = Literal["ok", "bad"]
"""What is signed under a tool difference."""
Said: TypeAlias = Stand | Signature
Counted: TypeAlias = Mark | Number | tuple[bool, str]
"""What rows are counted by: what they mean, or whom they name, of all votes or (True) the settled ones."""
SIGNATURES: tuple[Signature, ...] = get_args(Signature)
SIGNED: Mapping[Signature, str] = {"ok": "right", "bad": "bad"}
"""Signatures, for people."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows that no condition can tell apart: one of them, and the places of all among `rows`.

    `asked` is whether high-stakes rows have to be reviewed.
    """

    row: RowEvidence
    rows: Rows
    places: array[int]
    asked: bool
    rule: Rule

    def __len__(self) -> int:
        return len(self.places)

    @property
    def cases(self) -> tuple[str, ...]:
        """The ids of their cases."""
        return tuple(self.rows.case_at(place) for place in self.places)

    @property
    def ids(self) -> Iterator[int]:
        """The ids of the rows."""
        ids = self.rows.ids()
        return (ids[place] for place in self.places)

    @property
    def required(self) -> bool:
        """Whether people have to say who is better."""
        return self.asked and self.row.high_stakes

    @property
    def missing(self) -> bool:
        """Whether a verdict that is required is not there."""
        return self.asked and lacks_verdict(self.row)

    @property
    def judgeable(self) -> bool:
        """Whether people can say who is better: it was tried, and there is an answer."""
        tried = self.row.outcome is not Outcome.PENDING or self.row.spoken
        return tried and not is_empty(self.row)

    @property
    def words(self) -> str:
        """What the rows have in common, for people."""
        stakes = "required, " if self.required else "high-stakes, " if self.row.high_stakes else ""
        return stakes + self._state

    @property
    def _state(self) -> str:
        if self.row.spoken and self.row.final is not None:
            return f"reviewed {_NAMED[self.row.final]}"
        if self.row.disputed:
            return "disputed"
        if self.row.judged is not None:
            return f"judged {_NAMED[self.row.judged]}"
        return "flipped" if self.row.outcome in FLIPS else self.row.outcome.value.replace("_", " ")

    def acts(self, stand: Stand) -> int | None:
        """Return how few acts it takes until one of its rows stands like this; None where none do."""
        return price(self.rule, self.row.standing.voices if self.row.standing is not None else (), stand)

    def after(self, said: Said) -> RowEvidence:
        """Return one of its rows once so much has been said that it stands like this."""
        standing = self.row.standing or Standing()
        if said == "ok" or said == "bad":
            return self.row._replace(standing=standing._replace(tools=said))
        verdict = None if said == "split" or said == "silent" else said
        voices = standing.voices if said != "silent" else ()
        after = standing._replace(verdict=verdict, disputed=said == "split", voices=voices)
        return self.row._replace(standing=after)


_NAMED: Mapping[Verdict, str] = {
    "candidate": "for the candidate", "baseline": "for the baseline", "tie": "equal",
}  # fmt: skip


class Move(NamedTuple):
    """Something that can be said of every row of a kind, and by how much one of them changes the counts."""

    said: Said
    kind: Kind
    by: Counter[Counted]


class Crowd:
    """The rows of one comparison, by kind."""

    def __init__(self, evidence: Evidence, *, close: bool) -> None:
        self._evidence = evidence
        self._close = close
        self.kinds = _kinds(evidence, asked=asks_verdict(evidence, close=close))
        self._now: Counter[Counted] = Counter()
        for kind in self.kinds:
            for name, count in self._counts(kind.row).items():
                self._now[name] += count * len(kind)

    def move(self, said: Said, kind: Kind) -> Move:
        """Return what it does to the counts when this is said of a row of a kind."""
        by = self._counts(kind.after(said))
        by.subtract(self._counts(kind.row))
        return Move(said, kind, by)

    def after(self, made: Iterable[tuple[Move, int]]) -> Situation:
        """Return the situation once each move was made so many times."""
        total = self._now.copy()
        for move, times in made:
            for name, by in move.by.items():
                total[name] += by * times
        return _situated(self._evidence, total, close=self._close)

    def decision(self, made: Iterable[tuple[Move, int]]) -> Decision:
        """Return what the gate says once each move was made so many times."""
        return decision_in(self.after(made))

    def _counts(self, row: RowEvidence) -> Counter[Counted]:
        return _counted(situation(replace(self._evidence, rows=(row,)), close=self._close))


def _kinds(evidence: Evidence, *, asked: bool) -> list[Kind]:
    """Sort the rows by kind; of those that nobody acted on and that are alike, one is looked at."""
    rows, rule = Rows.of(evidence.rows), Rule.of(evidence.experiment.review)
    found: dict[Hashable, array[int]] = {}
    untouched: dict[int, array[int]] = {}
    prices: dict[Hashable, Hashable] = {}
    for place, (_, _, number, standing) in enumerate(rows.likenesses()):
        alike = untouched.get(number) if standing is None else None
        if alike is None:
            voices = standing.voices if standing is not None else ()
            heard = tuple((voice.reviewer == rule.adjudicator, voice.verdict) for voice in voices)
            if heard not in prices:
                prices[heard] = _prices(rule, voices)
            alike = found.setdefault((*_likeness(rows[place]), prices[heard]), array("I"))
            if standing is None:
                untouched[number] = alike
        alike.append(place)
    return [Kind(rows[places[0]], rows, places, asked, rule) for places in found.values()]


def _prices(rule: Rule, voices: Sequence[Voice]) -> Hashable:
    return tuple(price(rule, voices, stand) for stand in STANDS)


def _likeness(row: RowEvidence) -> tuple[Hashable, ...]:
    standing = row.standing or Standing()
    return (
        row.high_stakes, row.outcome, row.winner, row.failed, row.tools, standing.verdict, standing.tools,
        standing.disputed, standing.differ,
    )  # fmt: skip


def _counted(one: Situation) -> Counter[Counted]:
    """Return a situation as numbers that can be added up."""
    counts: Counter[Counted] = Counter({mark: len(getattr(one, mark)) for mark in Mark})
    counts.update({number: getattr(one, number) for number in Number})
    for settled, votes in ((False, one.votes), (True, one.settled)):
        counts.update({(settled, verdict): count for verdict, count in votes.named.items()})
    return counts


def _situated(evidence: Evidence, counts: Counter[Counted], *, close: bool) -> Situation:
    """Return the situation of these numbers; conditions ask how many cases there are, not which."""
    votes, settled = (
        Votes(*(counts[poll, verdict] for verdict in ("candidate", "baseline", "tie")))
        for poll in (False, True)
    )
    cases = {mark: ("",) * counts[mark] for mark in Mark}
    numbers = {number: counts[number] for number in Number}
    return situated(evidence, (votes, settled), cases, numbers, close=close)
