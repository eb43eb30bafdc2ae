"""One walk over the rows of a comparison: each is derived and forgotten, what is counted stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bothways.engine.analysis.choose import Choice
from bothways.engine.analysis.costs import Spending
from bothways.engine.analysis.fingerprint import Fingerprint
from bothways.engine.analysis.model import RowEvidence, SideCosts, ToolState
from bothways.engine.analysis.outcomes import Asked, judged, newest_tried
from bothways.engine.analysis.outdated import is_outdated
from bothways.engine.analysis.probes import Probes
from bothways.engine.analysis.tags import Tags
from bothways.engine.analysis.tools import compare
from bothways.engine.analysis.verdicts import Verdicts
from bothways.engine.facts import NO_TOOLS, JsonObject
from bothways.engine.ledger import AnswerFact, Facts, PassFact, RowFact, ToolFact
from bothways.engine.ledger.streams import RowStream
from bothways.engine.pairs import seen
from bothways.engine.rules import Call
from bothways.engine.standing import Rule, Standing, fold, standings
from bothways.engine.verdicts import Outcome

__all__ = ["Walk"]


class _Sides(NamedTuple):
    """The answers of one row by the two variants that are compared."""

    baseline: list[AnswerFact]
    candidate: list[AnswerFact]

    def stand_on(self) -> tuple[AnswerFact | None, AnswerFact | None]:
        """Return the pair that the row stands on, as far as it was tried."""
        return newest_tried(self.baseline), newest_tried(self.candidate)


class _Spent(NamedTuple):
    """What each side and the judge used."""

    baseline: Spending
    candidate: Spending
    judge: Spending


class Walk:
    """Derives the rows, with everything that is counted on the way: read it when all of them went by."""

    def __init__(self, facts: Facts, choice: Choice) -> None:
        self._facts, self._choice = facts, choice
        spec, spec_id = choice.experiment, choice.spec_id
        records = facts.records(spec.name, "review")
        self.asked = asked = Asked.of(spec, choice.candidate, *facts.extent(spec_id))
        self.fingerprint = Fingerprint(
            spec.digest, asked.candidate, choice.judge, asked.nights, asked.takes, records=records
        )
        self.snapshot = Probes()
        self.verdicts = Verdicts()
        self.identical = 0
        self.outdated: list[str] = []
        self._spent = _Spent(Spending(), Spending(), Spending())
        self._tags = Tags(spec.review)
        self._writes = cache(spec.writes)
        self._reviews = standings(records)
        self._rule = Rule.of(spec.review)
        self._several = len(spec.variants) > 2
        self._answers = RowStream(facts.answers(spec_id))
        self._passes = RowStream(facts.passes(spec_id, choice.judge))
        self._tools = RowStream(facts.tools(spec_id))
        self._rules = RowStream(facts.case_rules(spec_id))

    def rows(self) -> Iterator[RowEvidence]:
        """Derive each row. An imported row that compares other variants is no row of this comparison."""
        asked = self.asked
        for row in self._facts.rows(self._choice.spec_id):
            answers, passes = self._answers.take(row.row_id), self._passes.take(row.row_id)
            if self._several:
                passes = asked.over(passes)
            sides = _Sides(
                [fact for fact in answers if fact.variant == asked.baseline],
                [fact for fact in answers if fact.variant == asked.candidate],
            )
            if asked.imported and not (sides.baseline and sides.candidate):
                continue
            rules = [rule for _, case in self._rules.take(row.row_id) for rule in case]
            calls, tagged = self._calls(row, sides), self._tags.of(row)
            self._count(sides, passes)
            self.fingerprint.row(row.case_id, tagged.words, *sides, passes, calls, rules)
            said = judged(*sides, passes, asked)
            self.verdicts.add(said)
            self.identical += said.outcome is Outcome.WIN and _alike(sides)
            yield RowEvidence(
                row.row_id,
                row.case_id,
                row.position,
                row.tags,
                tagged.high_stakes,
                said.outcome,
                said.winner,
                said.first,
                said.second,
                said.failed,
                self._tools_of(sides, calls, rules) if calls or rules else ToolState.NONE,
                self._standing(row, sides) if self._reviews else None,
            )

    def _calls(self, row: RowFact, sides: _Sides) -> list[ToolFact]:
        """Return the calls of the newest answers; they are looked for only where somebody called."""
        for side in sides:
            for fact in side:
                if fact.tools_digest not in ("", NO_TOOLS):
                    both = (self.asked.baseline, self.asked.candidate)
                    return [call for call in self._tools.take(row.row_id) if call.variant in both]
        return []

    def _tools_of(self, sides: _Sides, calls: Sequence[ToolFact], rules: Sequence[JsonObject]) -> ToolState:
        """Compare the calls of the pair that the row stands on; a missing answer called nothing at all."""
        if any(fact is None or fact.failure is not None for fact in sides.stand_on()):
            return ToolState.NONE
        before, after = (
            [Call(fact.turn, fact.name, fact.arguments) for fact in calls if fact.variant == side]
            for side in (self.asked.baseline, self.asked.candidate)
        )
        return compare(before, after, rules, writes=self._writes).state

    def _standing(self, row: RowFact, sides: _Sides) -> Standing | None:
        """Fold the acts that were made on the pair of answers that the row stands on."""
        acts = self._reviews.get((self.asked.candidate, row.case_id))
        if not acts:
            return None
        stands_on = seen(*sides.stand_on())
        if stands_on is None:
            return None
        if is_outdated(acts, stands_on):
            self.outdated.append(row.case_id)
        return fold(acts, stands_on, self._rule)

    def _count(self, sides: _Sides, passes: Sequence[PassFact]) -> None:
        """Add up what the row cost."""
        spent = self._spent
        spent.baseline.answers(sides.baseline)
        spent.candidate.answers(sides.candidate)
        spent.judge.passes(passes)
        for answer in sides.baseline:
            if answer.answer_id is not None and answer.failure is None:
                self.snapshot.add(answer)

    def models(self) -> Mapping[str, Sequence[str]]:
        """Return the models that answered for each side and for the judge, as they called themselves."""
        return {side: spending.models() for side, spending in self._spent._asdict().items()}

    def costs(self) -> Mapping[str, SideCosts]:
        """Return what each side and the judge used."""
        return {side: spending.total() for side, spending in self._spent._asdict().items()}

    def tried(self) -> int:
        """Count the chances that luck had on this snapshot: candidates, nights and takes."""
        pairings = {(experiment, name) for experiment, name, _ in self._facts.pairings(self.snapshot.digests)}
        return max(1, len(pairings)) + (self.asked.nights - 1) + (self.asked.takes - 1)


def _alike(sides: _Sides) -> bool:
    """Tell whether every answer of both sides is the same text."""
    return len({fact.digest for side in sides for fact in side}) == 1
