"""From the facts to the evidence on one candidate by one judge, streaming: only conclusions are held."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from bothways.engine.analysis.audit import drawn
from bothways.engine.analysis.choose import Choice, choose
from bothways.engine.analysis.costs import Spending
from bothways.engine.analysis.model import Evidence, RowEvidence, SideCosts, ToolState
from bothways.engine.analysis.outcomes import Asked, judged, newest_tried, tried
from bothways.engine.analysis.outdated import is_outdated, outdated_words
from bothways.engine.analysis.rows import Rows
from bothways.engine.analysis.tools import compare
from bothways.engine.analysis.verdicts import Verdicts
from bothways.engine.analysis.warnings import identical_warning, model_warnings, snapshot_warning
from bothways.engine.change import one_change
from bothways.engine.facts import Answer, JsonObject
from bothways.engine.keys import canonical, digest
from bothways.engine.ledger import AnswerFact, Facts, PassFact, RowFact, ToolFact
from bothways.engine.ledger.streams import RowStream
from bothways.engine.pairs import seen
from bothways.engine.rules import Call
from bothways.engine.standing import Rule, Standing, fold, standings
from bothways.engine.verdicts import Outcome

__all__ = ["gather"]

_MOST_PROBES = 1000
_NO_TOOLS = Answer().tools_digest


def gather(
    facts: Facts,
    experiment: str,
    *,
    candidate: str | None = None,
    judge: str | None = None,
    baseline: str | None = None,
    today: str,
) -> Evidence:
    """Return the evidence on one candidate by one judge.

    `today` is an ISO date or time, for the age of the snapshot. Raises UsageError, naming the choices,
    where there are several candidates or judges and none is named.
    """
    choice = choose(facts, experiment, candidate=candidate, judge=judge, baseline=baseline)
    walk = _Walk(facts, choice)
    rows = Rows(walk.rows())
    spec, name = choice.experiment, choice.candidate
    warnings = (
        *snapshot_warning("" if spec.imported else walk.oldest, today),
        *model_warnings(spec, name, walk.models()),
        *identical_warning(walk.identical),
        *([outdated_words(len(walk.outdated))] if walk.outdated else []),
    )
    return Evidence(
        experiment=spec,
        spec_id=choice.spec_id,
        candidate=name,
        judge=choice.judge,
        rows=rows,
        passes=walk.verdicts.counts(),
        first_shown=walk.verdicts.first_shown(),
        change=one_change(spec.baseline, spec.variant(name)),
        nights=walk.asked.nights,
        takes=walk.asked.takes,
        waiting=walk.verdicts.waiting(walk.asked.takes),
        tried=walk.tried(),
        costs=walk.costs(),
        warnings=warnings,
        facts_hash=walk.hash.hexdigest(),
        audit=drawn(spec, name, rows),
        outdated=tuple(walk.outdated),
    )


class _Sides(NamedTuple):
    """The answers of one row by the two variants that are compared."""

    baseline: list[AnswerFact]
    candidate: list[AnswerFact]

    def stand_on(self) -> tuple[AnswerFact | None, AnswerFact | None]:
        """Return the pair that the row stands on, as far as it was tried."""
        return newest_tried(self.baseline), newest_tried(self.candidate)


class _Walk:
    """One walk over the rows of a spec, with everything that is counted on the way."""

    def __init__(self, facts: Facts, choice: Choice) -> None:
        self._facts, self._choice = facts, choice
        spec, spec_id = choice.experiment, choice.spec_id
        self.asked = Asked.of(spec, choice.candidate, *facts.extent(spec_id))
        self._both = {spec.baseline.name, choice.candidate}
        self._several = len(spec.variants) > len(self._both)
        self.spent = {side: Spending() for side in ("baseline", "candidate", "judge")}
        self._sides_spent = (self.spent["baseline"], self.spent["candidate"])
        self.verdicts = Verdicts()
        self.oldest = ""
        what = (spec.digest, choice.candidate, choice.judge, self.asked.nights, self.asked.takes)
        self.hash = hashlib.sha256(digest(*what).encode())
        self._marked_tags: dict[tuple[str, str], bool] = {}
        self._tags: Mapping[str, str] = {}
        self._tagged_so = (str(self._tags), False)
        self.identical = 0
        self.outdated: list[str] = []
        self._writes = cache(spec.writes)
        self._snapshot = _Probes()
        records = facts.records(spec.name, "review")
        self._reviews = standings(records)
        self._rule = Rule.of(spec.review)
        self._answers = RowStream(facts.answers(spec_id))
        self._passes = RowStream(facts.passes(spec_id, choice.judge))
        self._tools = RowStream(facts.tools(spec_id))
        self._rules = RowStream(facts.case_rules(spec_id))
        self.hash.update("".join(record.hash for record in records).encode())

    def rows(self) -> Iterator[RowEvidence]:
        """Derive each row. An imported row that compares other variants is no row of this comparison."""
        asked = self.asked
        for row in self._facts.rows(self._choice.spec_id):
            answers, passes = self._answers.take(row.row_id), self._passes.take(row.row_id)
            if self._several:
                passes = [fact for fact in passes if self._both.issuperset(fact.shown)]
            sides = _Sides(
                [fact for fact in answers if fact.variant == asked.baseline],
                [fact for fact in answers if fact.variant == asked.candidate],
            )
            if asked.imported and not (sides.baseline and sides.candidate):
                continue
            rules = [rule for _, case in self._rules.take(row.row_id) for rule in case]
            self._count(sides, passes)
            calls = self._calls(row, sides)
            self._hash(row, sides, passes, [*calls, *rules])
            said = judged(sides.baseline, sides.candidate, passes, asked)
            self.verdicts.add(said)
            self.identical += said.outcome is Outcome.WIN and _alike(sides)
            yield RowEvidence(
                row.row_id,
                row.case_id,
                row.position,
                row.tags,
                self._high_stakes(row),
                said.outcome,
                said.winner,
                said.first,
                said.second,
                said.failed,
                self._tools_of(sides, calls, rules),
                self._standing(row, sides),
            )

    def _high_stakes(self, row: RowFact) -> bool:
        """The case's own mark beats the tags."""
        return self._tagged(row.tags)[1] if row.high_stakes is None else row.high_stakes

    def _tagged(self, tags: Mapping[str, str]) -> tuple[str, bool]:
        """Return tags in words and whether they mark high stakes. Equal ones are mostly the same mapping."""
        if tags is not self._tags:
            marks = self._choice.experiment.review.high_stakes_tags
            high = any(self._marked(tag) for tag in tags.items()) if marks else False
            self._tags, self._tagged_so = tags, (str(tags), high)
        return self._tagged_so

    def _marked(self, tag: tuple[str, str]) -> bool:
        if tag not in self._marked_tags:
            self._marked_tags[tag] = self._choice.experiment.review.marks(tag)
        return self._marked_tags[tag]

    def _calls(self, row: RowFact, sides: _Sides) -> list[ToolFact]:
        """Return the calls of the newest answers; they are looked for only where somebody called."""
        for side in sides:
            for fact in side:
                if fact.tools_digest not in ("", _NO_TOOLS):
                    return [call for call in self._tools.take(row.row_id) if call.variant in self._both]
        return []

    def _tools_of(self, sides: _Sides, calls: Sequence[ToolFact], rules: Sequence[JsonObject]) -> ToolState:
        """Compare the calls of the pair that the row stands on; a missing answer called nothing at all."""
        if not (calls or rules):
            return ToolState.NONE
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
        for spent, side in zip(self._sides_spent, sides, strict=True):
            for answer in side:
                if tried(answer):
                    spent.add(answer)
        for answer in sides.baseline:
            if answer.answer_id is not None and answer.failure is None:
                self._snapshot.add(answer.digest)
                if answer.at < self.oldest or not self.oldest:
                    self.oldest = answer.at
        for fact in passes:
            if fact.tried:
                self.spent["judge"].add(fact)

    def _hash(
        self, row: RowFact, sides: _Sides, passes: Sequence[PassFact], more: Sequence[ToolFact | JsonObject]
    ) -> None:
        """Hash what a row's evidence rests on, each in its place; what was not tried is no fact."""
        said = [ascii(row.case_id), f"{row.high_stakes}{self._tagged(row.tags)[0]}"]
        for mark, side in (("<", sides.baseline), (">", sides.candidate)):
            for answer in side:
                if answer.failure is not None:
                    said.append(f"{mark}{answer.night},{answer.repeat}{answer.failure}")
                elif answer.answer_id is not None:
                    tools = "" if answer.tools_digest == _NO_TOOLS else answer.tools_digest
                    said.append(f"{mark}{answer.night},{answer.repeat}{answer.digest}{tools}")
        said += [_in_words(p[2:9]) for p in passes if p.tried]
        if more:
            said.append("tools" + canonical([fact[1:] if isinstance(fact, tuple) else fact for fact in more]))
        self.hash.update(("\0".join(said) + "\n").encode("utf-8", "surrogatepass"))

    def models(self) -> Mapping[str, Sequence[str]]:
        """Return the models that answered for each side and for the judge, as they called themselves."""
        return {side: spent.models() for side, spent in self.spent.items()}

    def costs(self) -> Mapping[str, SideCosts]:
        """Return what each side and the judge used."""
        return {side: spent.total() for side, spent in self.spent.items()}

    def tried(self) -> int:
        """Count the chances that luck had on this snapshot: candidates, nights and takes."""
        pairings = {
            (experiment, name) for experiment, name, _ in self._facts.pairings(self._snapshot.digests)
        }
        return max(1, len(pairings)) + (self.asked.nights - 1) + (self.asked.takes - 1)


class _Probes:
    """Some of the digests that stream by, evenly chosen: enough to tell who else used a snapshot."""

    def __init__(self) -> None:
        self.digests: list[str] = []
        self._seen, self._step = 0, 1

    def add(self, digest: str) -> None:
        """Take one digest in, or let it pass."""
        if self._seen % self._step == 0:
            self.digests.append(digest)
            if len(self.digests) > _MOST_PROBES:
                del self.digests[1::2]
                self._step *= 2
        self._seen += 1


@lru_cache(maxsize=1024)
def _in_words(said: tuple[object, ...]) -> str:
    """Put one pass into words for the hash: what was shown in which order, and the choice. Few differ."""
    return canonical(said)


def _alike(sides: _Sides) -> bool:
    """Tell whether every answer of both sides is the same text."""
    return len({fact.digest for side in sides for fact in side}) == 1
