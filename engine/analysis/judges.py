"""How each judge has been doing over all experiments of a file, and whether it flips more than it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bothways.engine.analysis.compared import Compared, compared
from bothways.engine.analysis.model import FirstShown
from bothways.engine.analysis.outcomes import Judged
from bothways.engine.analysis.raters import Match, majority, match
from bothways.engine.analysis.stats import fisher_greater, percent, share
from bothways.engine.analysis.verdicts import Verdicts
from bothways.engine.experiment import Experiment, Judge
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, SpecInfo
from bothways.engine.standing import Review, Rule, fold, standings
from bothways.engine.text import counted
from bothways.engine.verdicts import FLIPS, READABLE, Outcome, Verdict

__all__ = ["JudgeHistory", "Judging", "judge_history"]

Unread: TypeAlias = Literal["unread"]

ENOUGH = 20
"""Rows judged both ways, newest and earlier each, below which flip rates are not compared."""
RARELY = 0.05


@dataclass(frozen=True, slots=True)
class Judging:
    """What one judge did in one experiment. `since` and `until` are when its passes were made.

    `rows` have two readable passes. `passes` are those of the takes that count, `unreadable` those of them
    without a verdict. `people` compares what the judge decided with the verdict of people who read it: that
    of the reviews, else what most annotators say; `unread` decided rows were confirmed with others instead.
    `models` are the names that answered, `made` is what the experiment has the judge be (None: its passes
    came in with a file).
    """

    experiment: str
    since: str
    until: str
    models: tuple[str, ...]
    made: Judge | None
    rows: int
    flips: int
    passes: int
    unreadable: int
    first_shown: FirstShown
    people: Match
    unread: int

    def as_json(self) -> JsonObject:
        """Return it as JSON; None where there is nothing to divide by."""
        return {
            "experiment": self.experiment,
            "since": self.since,
            "until": self.until,
            "models": list(self.models),
            "setup": self.made.digest if self.made else None,
            "rows": self.rows,
            "flips": self.flips,
            "flip_rate": _rate(self.flips, self.rows),
            "passes": self.passes,
            "unreadable": self.unreadable,
            "unreadable_rate": _rate(self.unreadable, self.passes),
            "first_shown": {**self.first_shown._asdict(), "rate": _rate(*self.first_shown)},
            "people": {**self.people.as_json(), "unread": self.unread},
        }


@dataclass(frozen=True, slots=True)
class JudgeHistory:
    """One judge, its experiments by date of their passes, the oldest first."""

    judge: str
    judgings: tuple[Judging, ...]

    @property
    def flips_more_p(self) -> float | None:
        """How likely chance alone makes the newest experiment flip so much more than all before it.

        One-sided, by Fisher's exact test; None where either has fewer than `ENOUGH` rows.
        """
        *before, newest = self.judgings
        rows, flips = sum(one.rows for one in before), sum(one.flips for one in before)
        if min(rows, newest.rows) < ENOUGH:
            return None
        return fisher_greater(newest.flips, newest.rows, flips, rows)

    @property
    def flips_more(self) -> bool:
        """Whether it flips more often than before, by more than chance would explain one time in twenty."""
        return self.flips_more_p is not None and self.flips_more_p < RARELY

    @property
    def remarks(self) -> tuple[str, ...]:
        """Say what a person should know before trusting the newest figures as they trusted the older ones."""
        *before, newest = self.judgings
        said = list(_changed(before, newest))
        if self.flips_more:
            rows, flips = sum(one.rows for one in before), sum(one.flips for one in before)
            said.insert(
                0,
                f"flips more often than before: {percent(share(newest.flips, newest.rows))} of "
                f"{counted(newest.rows, 'row')} in {newest.experiment}, "
                f"{percent(share(flips, rows))} of {rows} earlier ones "
                f"(p = {self.flips_more_p:.2g}, Fisher's exact test, one-sided)",
            )
        return tuple(said)

    def as_json(self) -> JsonObject:
        """Return it as JSON; names are a contract."""
        return {
            "judge": self.judge,
            "experiments": [one.as_json() for one in self.judgings],
            "flips_more": self.flips_more,
            "flips_more_p": self.flips_more_p,
            "remarks": list(self.remarks),
        }


def judge_history(facts: Facts) -> tuple[JudgeHistory, ...]:
    """Return every judge that has judged anything, by name, in the newest spec of each experiment."""
    found: dict[str, list[Judging]] = {}
    for name in facts.experiments():
        info = facts.specs(name)[0]
        for judge, tally in _tallies(facts, info).items():
            if tally.dates:
                found.setdefault(judge, []).append(tally.judging(name))
    return tuple(
        JudgeHistory(judge, tuple(sorted(judgings, key=lambda one: (one.until, one.since))))
        for judge, judgings in sorted(found.items())
    )


@dataclass(slots=True)
class _Tally:
    """What is added up for one judge while the rows of an experiment go by."""

    made: Judge | None
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    verdicts: Verdicts = field(default_factory=Verdicts)
    dates: set[str] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    people: list[tuple[Verdict, Verdict]] = field(default_factory=list)
    unread: int = 0

    def add(self, judge: str, pair: Compared, judged: Judged, person: Verdict | Unread | None) -> None:
        self.outcomes[judged.outcome] += 1
        self.verdicts.add(judged)
        own = [fact for fact in pair.passes if fact.judge == judge and fact.tried]
        self.dates.update(fact.at for fact in own)
        self.models.update(fact.model for fact in own if fact.model)
        decided: Verdict | None = "tie" if judged.outcome is Outcome.TIE else judged.winner
        if decided is None or person is None:
            return
        if person == "unread":
            self.unread += 1
        else:
            self.people.append((decided, person))

    def judging(self, experiment: str) -> Judging:
        counts = self.verdicts.counts().values()
        return Judging(
            experiment=experiment,
            since=min(self.dates),
            until=max(self.dates),
            models=tuple(sorted(self.models)),
            made=self.made,
            rows=sum(self.outcomes[outcome] for outcome in READABLE),
            flips=sum(self.outcomes[outcome] for outcome in FLIPS),
            passes=sum(sum(said.values()) for said in counts),
            unreadable=sum(said["unreadable"] for said in counts),
            first_shown=self.verdicts.first_shown(),
            people=match(self.people),
            unread=self.unread,
        )


def _tallies(facts: Facts, info: SpecInfo) -> dict[str, _Tally]:
    spec = facts.spec(info.id)
    acts = standings(facts.records(info.experiment, "review"))
    votes: dict[int, list[str]] = {}
    for label in facts.labels(info.id):
        if label.verdict is not None:
            votes.setdefault(label.row_id, []).append(label.verdict)
    tallies: dict[str, _Tally] = {}
    for pair in compared(facts, info):
        said = acts.get((pair.candidate, pair.row.case_id), ())
        person = _person(pair, said, Rule.of(spec.review), votes.get(pair.row.row_id, ()))
        for judge, judged in pair.judged.items():
            if judge not in tallies:
                tallies[judge] = _Tally(_made(spec, judge))
            tallies[judge].add(judge, pair, judged, person)
    return tallies


def _made(spec: Experiment, judge: str) -> Judge | None:
    """Return what the judge is made of; which recording stands in for it, and what it holds, is no part."""
    if spec.judge is None or spec.judge.name != judge:
        return None
    recorded = {"version": None} if spec.judge.replay else {}
    return spec.judge.model_copy(update={"replay": None, "folder": None, **recorded})


def _person(
    pair: Compared, acts: Sequence[Review], rule: Rule, votes: Sequence[str]
) -> Verdict | Unread | None:
    """Return what people say of a pair: their reviews, else the majority of the votes that came with it.

    "unread" where those whose verdict counts confirmed it with others, and no vote came with it.
    """
    standing = fold(acts, pair.stands_on, rule) if acts and pair.stands_on else None
    if standing is not None and standing.voices and not standing.unread:
        return standing.verdict
    sides: Mapping[str, Verdict] = {pair.baseline: "baseline", pair.candidate: "candidate", "tie": "tie"}
    known = [vote for vote in votes if vote in sides]
    if known:
        return sides.get(majority(known))
    return "unread" if standing is not None and standing.unread else None


def _changed(before: Sequence[Judging], newest: Judging) -> Iterator[str]:
    """Say where another model, or another prompt, goes by the judge's name."""
    earlier = {model for one in before for model in one.models}
    if earlier and (new := sorted(set(newest.models) - earlier)):
        yield (
            f"answered by another model: {', '.join(new)} in {newest.experiment}, "
            f"{', '.join(sorted(earlier))} before"
        )
    made = [one.made for one in before if one.made]
    if newest.made and made and newest.made.digest not in {one.digest for one in made}:
        yield f"set up otherwise in {newest.experiment} than before: {_parts(made[-1], newest.made)}"


def _parts(before: Judge, now: Judge) -> str:
    """Name the settings in which two judges differ."""
    old, new = before.model_dump(mode="json"), now.model_dump(mode="json")
    return ", ".join(name for name in old if name != "name" and old[name] != new[name])


def _rate(part: int, of: int) -> float | None:
    found = share(part, of)
    return None if found is None else round(float(found), 6)
