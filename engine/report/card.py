"""One row in full: what was asked, answered, called and said, each worked out when a report shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.analysis.tools import align, compare
from bothways.engine.facts import Answer
from bothways.engine.ledger import RowDetail
from bothways.engine.report.said import ActSaid, PassSaid, View, acts_said, judge_said, views
from bothways.engine.rules import Call
from bothways.engine.standing import Review
from bothways.engine.text import tag_words, visible

__all__ = ["MOST_TEXT", "CallLine", "Card", "Text", "verdict_words"]

MOST_TEXT = 20_000
"""Characters shown of one text."""


class Text(NamedTuple):
    """The beginning of a text, made safe to show, and how many characters are not shown."""

    shown: str
    left: int = 0

    @classmethod
    def of(cls, written: str) -> Text:
        """Take as much of a text as a report shows."""
        return cls(visible(written[:MOST_TEXT]), max(0, len(written) - MOST_TEXT))

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.shown)


class CallLine(NamedTuple):
    """One line of both sides' tool calls beside each other; "" where a side has no such call."""

    baseline: Text
    candidate: Text
    change: Literal["same", "arguments", "gone", "new"]


@dataclass(frozen=True)
class Card:
    """One row in full; `why` says what makes it matter. `acts` are what people did on it.

    The fix list takes what it says as it was written (`said`, `views`), a page as much of it as is shown.
    """

    row: RowEvidence
    detail: RowDetail
    evidence: Evidence
    why: tuple[str, ...] = ()
    acts: Sequence[Review] = ()

    @property
    def position(self) -> int:
        """The number of the row in its experiment."""
        return self.row.position

    @property
    def case(self) -> str:
        """The id of its case."""
        return self.row.case_id

    @property
    def high_stakes(self) -> bool:
        """Whether much hangs on it."""
        return self.row.high_stakes

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags in words."""
        return tuple(tag_words(name, value) for name, value in self.row.tags.items())

    @property
    def judge(self) -> str:
        """What the judge said of it."""
        return verdict_words(self.row, self.evidence)[0]

    @property
    def final(self) -> str:
        """What counts on it."""
        return verdict_words(self.row, self.evidence)[1]

    @property
    def asked(self) -> tuple[tuple[str, Text], ...]:
        """The conversation, by role."""
        return tuple((message.role, Text.of(message.content)) for message in self.detail.case.messages)

    @property
    def context(self) -> Text:
        """What was given to answer from."""
        return Text.of(self.detail.case.context)

    @property
    def reference(self) -> Text:
        """A good answer, where the case has one."""
        return Text.of(self.detail.case.reference)

    @property
    def baseline(self) -> Text:
        """The baseline's answer."""
        return _shown(self._answers[0])

    @property
    def candidate(self) -> Text:
        """The candidate's answer."""
        return _shown(self._answers[1])

    @property
    def failures(self) -> tuple[str, str]:
        """What stands in place of either answer; "" where there is one."""
        old, new = self._answers
        return _failure(old), _failure(new)

    @cached_property
    def calls(self) -> tuple[CallLine, ...]:
        """Both sides' tool calls beside each other."""
        return tuple(
            CallLine(_call(line.baseline), _call(line.candidate), line.change)
            for line in align(*self._called)
        )

    @property
    def call_reasons(self) -> tuple[str, ...]:
        """A sentence for each difference between the calls that counts."""
        rules, writes = self.detail.case.tool_rules, self.evidence.experiment.writes
        return compare(*self._called, rules, writes=writes).reasons if self.calls else ()

    @property
    def said(self) -> tuple[PassSaid, ...]:
        """What each pass of the judge said."""
        return tuple(judge_said(self.detail, self.evidence))

    @cached_property
    def passes(self) -> tuple[PassSaid, ...]:
        """What each pass of the judge said, as much of it as is shown."""
        return tuple(_shortened(said) for said in self.said)

    @cached_property
    def reviews(self) -> tuple[ActSaid, ...]:
        """Every act of people."""
        return tuple(acts_said(self.acts, self.evidence))

    @property
    def views(self) -> tuple[View, ...]:
        """What each person says of it by now."""
        return tuple(views(self.row))

    @property
    def size(self) -> int:
        """Characters of everything that a page shows of it."""
        texts = [self.context, self.reference, self.baseline, self.candidate]
        texts += [text for _, text in self.asked]
        texts += [side for call in self.calls for side in (call.baseline, call.candidate)]
        notes = sum(len(said.note) + len(said.reason) for said in self.reviews)
        return sum(len(text.shown) for text in texts) + notes + sum(len(s.rationale) for s in self.passes)

    @property
    def _answers(self) -> tuple[Answer | None, Answer | None]:
        spec = self.evidence.experiment
        return self.detail.newest(spec.baseline.name), self.detail.newest(self.evidence.candidate)

    @property
    def _called(self) -> tuple[list[Call], list[Call]]:
        old, new = (
            [Call.of(call) for call in answer.tool_calls] if answer else [] for answer in self._answers
        )
        return old, new


def verdict_words(row: RowEvidence, evidence: Evidence) -> tuple[str, str]:
    """Return what the judge and what everybody together said of a row, by the names of the variants."""
    judge = evidence.said(row.judged) if row.judged else row.outcome.value.replace("_", " ")
    both_bad = row.standing is not None and row.standing.both_bad
    return judge, evidence.said(row.final, both_bad=both_bad) if row.final else "undecided"


def _shown(answer: Answer | None) -> Text:
    return Text.of(answer.shown if answer else "")


def _failure(answer: Answer | None) -> str:
    if answer is None:
        return "not tried yet"
    return f"{answer.failure.kind}: {answer.failure.message}" if answer.failure else ""


def _shortened(said: PassSaid) -> PassSaid:
    text = Text.of(said.rationale)
    more = f" … ({text.left} more characters)" if text.left else ""
    return said._replace(rationale=text.shown + more)


def _call(call: Call | None) -> Text:
    return Text.of(f"{call.name} {call.arguments}") if call else Text("")
