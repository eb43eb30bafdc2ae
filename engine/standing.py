"""What people's acts on a row add up to, read back from their records.

A review stands on what was seen: the pair of answers, and for a signature the tool calls of both. Where one
of them changes, the old review no longer counts. Acts are never altered; undo is one more act.

Each reviewer has one verdict on a pair; where reviewers differ, a rule says what counts. A second look is
measured and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple

from pydantic import TypeAdapter

from bothways.engine.experiment import Policy, ReviewSettings
from bothways.engine.ledger import Record, origins
from bothways.engine.pairs import Seen
from bothways.engine.text import counted
from bothways.engine.verdicts import Side, Verdict

__all__ = [
    "GIVES", "Kind", "Review", "Rule", "Standing", "Voice", "fold", "in_force", "reviews", "standings",
]  # fmt: skip

Kind = Literal["verdict", "confirm", "clear", "skip", "note", "tools", "undo", "redo"]
GIVES: tuple[Kind, ...] = ("verdict", "confirm")
"""The acts that give a verdict."""


@dataclass(frozen=True, slots=True)
class Review:
    """One act on one row, read back from its record. `undoes` is the `seq` that an undo or redo is about.

    `at` is what the clock said then, wherever that was. `left` is whose answer stood left (None: nobody noted
    it), `blind` whether names and judge were hidden, `look` 2 for a second look, and `changed_mind` whether
    somebody says otherwise than before. `bulk` marks a row that was confirmed unread, together with others.
    """

    seq: int
    at: str
    candidate: str
    case: str
    pair: str
    tools: str
    act: Kind
    reviewer: str
    verdict: Verdict | None = None
    both_bad: bool = False
    signed: Literal["ok", "bad"] | None = None
    note: str = ""
    reason: str = ""
    judge: str = ""
    judge_said: str = ""
    undoes: int | None = None
    left: Side | None = None
    blind: bool = False
    look: Literal[1, 2] = 1
    changed_mind: bool = False
    bulk: str = ""

    @property
    def voice(self) -> tuple[str, str, str]:
        """Who spoke of which row."""
        return self.reviewer, self.candidate, self.case


_REVIEW = TypeAdapter(Review)


class Voice(NamedTuple):
    """The verdict of one reviewer that is in force on the pair, why, and their last note; `at` is when.

    `unread` says that they confirmed the judge on many rows at once.
    """

    reviewer: str
    verdict: Verdict
    both_bad: bool = False
    note: str = ""
    at: str = ""
    blind: bool = False
    reason: str = ""
    unread: bool = False


class Rule(NamedTuple):
    """What counts where reviewers differ: the latest verdict, the most frequent one, or one person's."""

    policy: Policy = "latest"
    adjudicator: str | None = None

    @classmethod
    def of(cls, settings: ReviewSettings) -> Rule:
        """Return the rule of an experiment."""
        return cls(settings.policy, settings.adjudicator)

    @property
    def words(self) -> str:
        """What counts where reviewers differ, as people read it."""
        whose = f"{self.adjudicator}'s verdict" if self.policy == "adjudicator" else f"the {self.policy}"
        return f"{whose} counts"

    def over(self, differing: int, disputed: int) -> str:
        """Say on how many rows reviewers differ, what counts there, and how many that leaves undecided."""
        open_ = 0 if self.policy == "latest" else disputed
        left = f", which leaves {open_} undecided" if open_ else ""
        return f"on {counted(differing, 'row')}: {self.words}{left}"

    def settle(self, voices: Sequence[Voice]) -> Verdict | None:
        """Return the verdict that counts of voices in the order of time; None where nothing settles it."""
        votes = Counter(voice.verdict for voice in voices)
        if len(votes) < 2 or self.policy == "latest":
            return voices[-1].verdict if voices else None
        if self.policy == "adjudicator":
            return next((voice.verdict for voice in voices if voice.reviewer == self.adjudicator), None)
        (first, most), (_, next_most) = votes.most_common(2)
        return first if most > next_most else None

    def carriers(self, voices: Sequence[Voice]) -> Sequence[Voice]:
        """Return the voices that the verdict in force rests on: one, or all that say it under a majority.

        The one is the latest, or the adjudicator's. While they are silent, all who are of one mind stand in.
        """
        verdict = self.settle(voices)
        saying_so = [voice for voice in voices if voice.verdict == verdict]
        if self.policy == "latest":
            return saying_so[-1:]
        own = [voice for voice in saying_so if voice.reviewer == self.adjudicator]
        return own if own and self.policy == "adjudicator" else saying_so


class Standing(NamedTuple):
    """What people's acts on one row add up to, after undo and clear.

    `act`, `reviewer`, `note` and `at` are of whoever gave the verdict that counts: the adjudicator, else the
    latest who says just that, also of `both_bad`; without one, of whoever acted last.
    """

    verdict: Verdict | None = None
    both_bad: bool = False
    """More than half of those whose verdict counts say that both answers are bad, and not just level."""
    act: str = ""
    reviewer: str = ""
    note: str = ""
    at: str = ""
    skipped: str = ""
    """Why it was skipped by somebody who has given no verdict since."""
    tools: Literal["ok", "bad"] | None = None
    signed_by: str = ""
    """Who signed the tool difference, which may be somebody else."""
    voices: tuple[Voice, ...] = ()
    """The verdict in force of each reviewer, in the order of time."""
    disputed: bool = False
    """Two verdicts differ, and no rule but that of the latest settles it."""
    blind: bool = False
    """All whose verdict counts gave it without seeing names or judge."""
    unread: bool = False
    """All whose verdict counts confirmed the judge on many rows at once: it says nothing of the judge."""
    notes: tuple[tuple[str, str], ...] = ()
    """Who noted what, each reviewer's last note."""

    @property
    def heard(self) -> bool:
        """Whether anybody gave a verdict, be it that none of several counts."""
        return self.verdict is not None or bool(self.voices)

    @property
    def read(self) -> bool:
        """Whether anybody gave a verdict on the row after reading it."""
        return any(not voice.unread for voice in self.voices)

    @property
    def differ(self) -> bool:
        """Whether two reviewers say different things, settled or not."""
        return len({voice.verdict for voice in self.voices}) > 1


def standings(records: Iterable[Record]) -> dict[tuple[str, str], list[Review]]:
    """Return the acts that are in force, in the order in which they were said, by candidate and case."""
    by_row: dict[tuple[str, str], list[Review]] = {}
    for review in reviews(records):
        by_row.setdefault((review.candidate, review.case), []).append(review)
    return {row: [r for r in in_force(acts) if r.act not in ("undo", "redo")] for row, acts in by_row.items()}


def reviews(records: Iterable[Record]) -> Iterable[Review]:
    """Read the reviews back from their records, in the order in which they were made, here or elsewhere."""
    made = [(origin, record) for record, origin in origins(records) if record.kind == "review"]
    for origin, record in sorted(made, key=itemgetter(0)):
        yield _REVIEW.validate_python({**record.body, "seq": record.seq, "at": origin.at})


def in_force(acts: Sequence[Review]) -> list[Review]:
    """Drop what was undone. A redo undoes the undo, so what the undo was about is back in force.

    An act stands behind what it undoes in every chain, though not always in time. Nobody takes back what
    somebody else said, or what was said of another row: such an act does nothing.
    """
    by_seq = {review.seq: review for review in acts}
    undone: set[int] = set()
    for later in sorted(acts, key=attrgetter("seq"), reverse=True):
        taken_back = None if later.undoes is None else by_seq.get(later.undoes)
        if taken_back is not None and later.seq not in undone and later.voice == taken_back.voice:
            undone.add(taken_back.seq)
    return [review for review in acts if review.seq not in undone]


def fold(acts: Iterable[Review], stands_on: Seen, rule: Rule) -> Standing | None:
    """Return what acts in force add up to on the pair that a row stands on; None where nobody acted on it."""
    on_pair = [review for review in acts if review.pair == stands_on.pair and review.look == 1]
    if not on_pair:
        return None
    said, skips = _current(on_pair)
    notes = {review.reviewer: review.note for review in on_pair if review.note}
    voices = tuple(
        Voice(
            who, one.verdict, one.both_bad, notes.get(who, ""), one.at, one.blind, one.reason, bool(one.bulk)
        )
        for who, one in said.items()
        if one.verdict is not None
    )
    verdict = rule.settle(voices)
    carriers = rule.carriers(voices)
    both_bad = 2 * sum(voice.both_bad for voice in carriers) > len(carriers)
    sayers = [voice.reviewer for voice in carriers if voice.both_bad == both_bad]
    last = said[sayers[-1]] if sayers else on_pair[-1]
    signed = [review for review in on_pair if review.act == "tools" and review.tools == stands_on.tools]
    differ = len({voice.verdict for voice in voices}) > 1
    return Standing(
        verdict=verdict,
        both_bad=both_bad,
        act=last.act,
        reviewer=last.reviewer,
        note=notes.get(last.reviewer, ""),
        at=last.at,
        skipped=skips[-1] if skips else "",
        tools=signed[-1].signed if signed else None,
        signed_by=signed[-1].reviewer if signed else "",
        voices=voices,
        disputed=differ and (verdict is None or rule.policy == "latest"),
        blind=bool(carriers) and all(voice.blind for voice in carriers),
        unread=bool(carriers) and all(voice.unread for voice in carriers),
        notes=tuple(notes.items()),
    )


def _current(acts: Iterable[Review]) -> tuple[Mapping[str, Review], Sequence[str]]:
    """Return each reviewer's verdict, and why others skipped the row, in the order of time."""
    said: dict[str, Review] = {}
    skips: dict[str, str] = {}
    for review in acts:
        if review.act in (*GIVES, "clear"):
            said.pop(review.reviewer, None)
            skips.pop(review.reviewer, None)
        if review.act in GIVES:
            said[review.reviewer] = review
        if review.act == "skip":
            skips.pop(review.reviewer, None)
            skips[review.reviewer] = review.note or review.reason or "skipped"
    return said, list(skips.values())
