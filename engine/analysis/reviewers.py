"""What the reviewers of an experiment say beside each other and beside the judge, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.compared import compared
from bothways.engine.analysis.consistency import Consistency, consistency
from bothways.engine.analysis.raters import Match, krippendorff_alpha, match, pairwise
from bothways.engine.facts import JsonObject
from bothways.engine.ledger import Facts, SpecInfo
from bothways.engine.standing import Review, Rule, Voice, fold, standings
from bothways.engine.verdicts import Outcome, Verdict

__all__ = ["Reviewed", "Reviewers", "View", "reviewers"]

View: TypeAlias = Literal["all", "blind", "in_view"]
"""Which verdicts: all, those given blind, or those with the judge in view."""
_VIEWS: Mapping[View, tuple[bool, ...]] = {"all": (True, False), "blind": (True,), "in_view": (False,)}


class Reviewed(NamedTuple):
    """A row that people read and gave verdicts on; `judge` is None where the judge decided nothing."""

    case: str
    candidate: str
    judge: Verdict | None
    voices: tuple[Voice, ...]

    @property
    def differ(self) -> bool:
        """Whether two reviewers say different things."""
        return len({voice.verdict for voice in self.voices}) > 1

    def as_json(self) -> JsonObject:
        """Return the row with who says what."""
        return {
            "case": self.case,
            "candidate": self.candidate,
            "judge": self.judge,
            "said": [
                {"reviewer": one.reviewer, "verdict": one.verdict, "both_bad": one.both_bad,
                 "blind": one.blind, "note": one.note, "at": one.at}
                for one in self.voices
            ],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reviewers:
    """The judge against each reviewer, reviewers among themselves and with themselves, and where they differ.

    Everybody's verdict is the one in force on the pair of answers that the row stands on, unless they
    confirmed it unread, with others; `consistency` is of the rows that came back to those who had read them.
    """

    judge: Mapping[str, Mapping[View, Match]]
    pairs: Mapping[tuple[str, str], Match]
    alpha: float | None
    differ: Sequence[Reviewed]
    consistency: Sequence[Consistency]

    def as_json(self) -> JsonObject:
        """Return it as JSON; names are a contract."""
        return {
            "judge_vs_reviewers": [
                {"reviewer": name, **{view: one.as_json() for view, one in views.items()}}
                for name, views in self.judge.items()
            ],
            "reviewers": [{"a": a, "b": b, **one.as_json()} for (a, b), one in self.pairs.items()],
            "reviewers_alpha": None if self.alpha is None else round(self.alpha, 6),
            "disagreements": [row.as_json() for row in self.differ],
            "consistency": [one.as_json() for one in self.consistency],
        }


def reviewers(facts: Facts, info: SpecInfo, judge: str, candidate: str | None = None) -> Reviewers:
    """Compare the verdicts of reviewers, of one candidate's rows or of all, with the judge's and each other.

    Only rows that the judge decided are compared with it: over a flip there is no verdict to agree with.
    """
    records = facts.records(info.experiment, "review")
    rows = _reviewed(facts, info, standings(records), judge, candidate)
    votes = [{voice.reviewer: str(voice.verdict) for voice in row.voices} for row in rows]
    return Reviewers(
        judge={name: _against(rows, name) for name in sorted({name for row in votes for name in row})},
        pairs=pairwise(votes),
        alpha=krippendorff_alpha([list(row.values()) for row in votes]),
        differ=[row for row in rows if row.differ],
        consistency=consistency(records, candidate),
    )


def _reviewed(
    facts: Facts,
    info: SpecInfo,
    acts: Mapping[tuple[str, str], Sequence[Review]],
    judge: str,
    candidate: str | None,
) -> list[Reviewed]:
    if not acts:
        return []
    rule = Rule.of(facts.spec(info.id).review)
    rows: list[Reviewed] = []
    for one in compared(facts, info, judge):
        said = acts.get((one.candidate, one.row.case_id))
        if not said or one.stands_on is None or candidate not in (None, one.candidate):
            continue
        standing, passes = fold(said, one.stands_on, rule), one.judged.get(judge)
        if standing is not None and standing.read:
            decided: Verdict | None = None
            if passes is not None:
                decided = "tie" if passes.outcome is Outcome.TIE else passes.winner
            read = tuple(voice for voice in standing.voices if not voice.unread)
            rows.append(Reviewed(one.row.case_id, one.candidate, decided, read))
    return rows


def _against(rows: Iterable[Reviewed], reviewer: str) -> dict[View, Match]:
    said = [
        (row.judge, voice) for row in rows if row.judge for voice in row.voices if voice.reviewer == reviewer
    ]
    return {
        view: match([(judge, voice.verdict) for judge, voice in said if voice.blind in blind])
        for view, blind in _VIEWS.items()
    }
