"""Conclusions about rows: derived from the facts whenever asked for, stored nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

from bothways.engine.change import Change
from bothways.engine.experiment import Experiment
from bothways.engine.standing import Standing
from bothways.engine.text import usd
from bothways.engine.verdicts import Outcome, Side, Verdict

__all__ = ["Evidence", "FirstShown", "RowEvidence", "SideCosts", "ToolState"]


class ToolState(StrEnum):
    """What comparing a row's tool calls says, before anybody signed."""

    NONE = "none"
    SAME = "same"
    CHANGED = "changed"
    """The set of tool names, or the multiset of writing calls, differs: wants a signature."""
    BROKEN = "broken"
    """The baseline keeps the case's rules and the candidate breaks one."""


class RowEvidence(NamedTuple):
    """One row, of one candidate, by one judge.

    `first` and `second` are the two verdicts, mapped to the variants (None: unreadable or not there);
    `first` is of the pass that showed the baseline first. `winner` is set for WIN ("baseline" or
    "candidate"). `failed` are the sides that gave no answer. `standing` is None where nobody acted.
    """

    row_id: int
    case_id: str
    position: int
    tags: Mapping[str, str]
    high_stakes: bool
    outcome: Outcome
    winner: Side | None
    first: Verdict | None
    second: Verdict | None
    failed: tuple[Side, ...] = ()
    tools: ToolState = ToolState.NONE
    standing: Standing | None = None

    @property
    def judged(self) -> Verdict | None:
        """The judge's decided verdict: a winner or a tie; None where it decided nothing."""
        if self.outcome is Outcome.WIN:
            return self.winner
        return "tie" if self.outcome is Outcome.TIE else None

    @property
    def final(self) -> Verdict | None:
        """The verdict that counts: a person's stands over the judge's, whatever that was.

        None where people differ and nothing settles it: the judge does not decide between them.
        """
        if self.standing is None or not (self.standing.verdict or self.standing.disputed):
            return self.judged
        return self.standing.verdict

    @property
    def unsigned(self) -> bool:
        """Whether its tool difference waits for a signature."""
        return self.tools is ToolState.CHANGED and (self.standing is None or self.standing.tools is None)

    @property
    def other_tools(self) -> bool:
        """Whether the candidate calls other tools, writes otherwise, or breaks a rule of theirs."""
        return self.tools in (ToolState.CHANGED, ToolState.BROKEN)

    @property
    def disputed(self) -> bool:
        """Whether people differ on it, and nothing settles it but that the latest counts."""
        return self.standing is not None and self.standing.disputed

    @property
    def spoken(self) -> bool:
        """Whether a verdict of people counts on it."""
        return self.standing is not None and self.standing.verdict is not None


class FirstShown(NamedTuple):
    """How many decisive verdicts of rows judged both ways named what was shown first, and of how many."""

    named: int
    of: int


@dataclass(frozen=True, slots=True)
class SideCosts:
    """What one side, or the judge, used. `cost_usd` sums what is known; `unknown` counts what is not."""

    calls: int = 0
    cost_usd: float = 0.0
    unknown: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    median_duration_s: float | None = None

    @property
    def known_usd(self) -> float | None:
        """The dollars that are known; where nothing is, that is None and not 0."""
        return round(self.cost_usd, 6) if self.calls > self.unknown else None

    @property
    def words(self) -> str:
        """The dollars as people read them, and how many calls may have cost more."""
        if self.known_usd is None:
            return "unknown"
        return usd(self.known_usd, 4) + (f" and {self.unknown} unknown" if self.unknown else "")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything the gate, the reports and the desk look at for one candidate and one judge.

    `passes` counts {"first": {"candidate", "baseline", "tie", "unreadable"}, "second": …} over single
    passes. `change` says in how many places the candidate differs.
    `warnings` are sentences for people: an old snapshot, a judge of the candidate's family, another model
    version than asked for.
    """

    experiment: Experiment
    spec_id: int
    candidate: str
    judge: str
    rows: Sequence[RowEvidence]
    passes: Mapping[Literal["first", "second"], Mapping[str, int]]
    first_shown: FirstShown
    change: Change
    nights: int = 1
    takes: int = 1
    waiting: int = 0
    """Rows that stand on an older take, because the newest one asked for has not been tried on them."""
    tried: int = 1
    """Candidates and repeats judged against this snapshot so far, for the joint false-ship chance."""
    costs: Mapping[str, SideCosts] = field(default_factory=dict)
    """By "baseline", "candidate" and "judge"."""
    warnings: tuple[str, ...] = ()
    facts_hash: str = ""
    """Hash of everything this rests on: spec, answers, passes and reviews."""
    audit: frozenset[str] = frozenset()
    """The cases drawn by lot from those that the judge decided both ways, for people to read."""
    outdated: tuple[str, ...] = ()
    """The cases whose reviews count no longer, because they were given on other answers."""

    @property
    def names(self) -> Mapping[str, str]:
        """What the verdicts are called: the names of both variants, and a tie as it is."""
        return {"baseline": self.experiment.baseline.name, "candidate": self.candidate, "tie": "tie"}

    def said(self, verdict: Verdict, *, both_bad: bool = False) -> str:
        """Return what somebody said in a person's words: the name of a variant, tie, or both bad."""
        return "both bad" if both_bad else self.names[verdict]
