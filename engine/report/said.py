"""What was said about one row: by the judge in each pass, by people in every act, and by each in the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from bothways.engine.analysis.afresh import counting
from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.facts import JsonObject
from bothways.engine.judging.labels import slot_labels
from bothways.engine.judging.meant import meant
from bothways.engine.ledger import Facts, PassUnit, RowDetail
from bothways.engine.methods.pair import mapped
from bothways.engine.standing import GIVES, Review, Standing, in_force, reviews
from bothways.engine.verdicts import Verdict

__all__ = ["ActSaid", "Acts", "PassSaid", "View", "acts_by_case", "acts_said", "judge_said", "views"]


class PassSaid(NamedTuple):
    """One pass, in the words of the judge, with names behind the labels of its rationale.

    `places` says whom each letter meant: in the second pass A is the candidate.
    """

    name: str
    places: tuple[tuple[str, str], ...]
    verdict: str
    rationale: str

    @property
    def title(self) -> str:
        """The pass in one line: which it was, and which letter stood for whom."""
        return f"{self.name} ({', '.join(f'{label} is {shown}' for label, shown in self.places)})"

    @property
    def words(self) -> str:
        """Whom the judge named in it, in one line."""
        return f"judge, {self.title}: {self.verdict}"


Ended: TypeAlias = Literal["", "undone", "replaced"]
"""An act is undone by its undo, a verdict replaced by its reviewer's next one, or by their clearing it."""


class ActSaid(NamedTuple):
    """One act of a person on one row; `ended` says what ended it, "" where it is in force."""

    at: str
    who: str
    what: str
    note: str
    reason: str
    blind: bool
    ended: Ended

    @property
    def title(self) -> str:
        """Who did what and when, in one line."""
        how = ", ".join(word for word, so in (("blind", self.blind), (self.ended, self.ended)) if so)
        return f"{self.who}: {self.what}" + (f" ({how})" if how else "") + f", {self.at[:10]}"


class View(NamedTuple):
    """What one person says of a row by now; without a verdict they only left a note."""

    who: str
    verdict: Verdict | None
    both_bad: bool
    reason: str
    note: str

    def words(self, evidence: Evidence) -> str:
        """Who says what, in one line."""
        said = evidence.said(self.verdict, both_bad=self.both_bad) if self.verdict else "note"
        return f"{self.who}: {said}"

    def as_json(self) -> JsonObject:
        """Return it as JSON; names are a contract."""
        verdict = "both bad" if self.both_bad else self.verdict or ""
        return {"who": self.who, "verdict": verdict, "reason": self.reason, "note": self.note}


def judge_said(detail: RowDetail, evidence: Evidence) -> Iterator[PassSaid]:
    """Yield what each pass said that the outcome rests on; one that was not tried said nothing."""
    names = {name: name for name in (evidence.experiment.baseline.name, evidence.candidate)}
    for unit, said in counting(detail, evidence):
        if said is not None:
            places = tuple(zip(slot_labels(len(unit.shown)), unit.shown, strict=True))
            verdict = mapped(said.choice, unit.shown, names) or "unreadable"
            why = meant(said.rationale, unit.shown) or (said.failure.message if said.failure else "")
            yield PassSaid(_pass_name(unit, evidence), places, verdict, why)


def _pass_name(unit: PassUnit, evidence: Evidence) -> str:
    name = "first pass" if unit.shown[0] == evidence.experiment.baseline.name else "second pass"
    return f"{name}, night {unit.night}" if evidence.nights > 1 else name


Acts: TypeAlias = Mapping[str, Sequence[Review]]
"""The acts on one candidate's rows by case, in the order in which they were made."""


def acts_by_case(facts: Facts, evidence: Evidence) -> Acts:
    """Read what people did in one comparison."""
    found: dict[str, list[Review]] = defaultdict(list)
    for review in reviews(facts.records(evidence.experiment.name, "review")):
        if review.candidate == evidence.candidate:
            found[review.case].append(review)
    return found


def acts_said(acts: Sequence[Review], evidence: Evidence) -> Iterator[ActSaid]:
    """Yield every act on one row, also what was undone: nothing that was said is hidden."""
    live = in_force(acts)
    voiced = [review for review in live if review.act in (*GIVES, "clear") and review.look == 1]
    last = {(review.reviewer, review.pair): review.seq for review in voiced}
    replaced = {review.seq for review in voiced if last[review.reviewer, review.pair] != review.seq}
    kept = {review.seq for review in live}
    for review in acts:
        yield ActSaid(
            at=review.at,
            who=review.reviewer,
            what=_act(review, evidence),
            note=review.note,
            reason=review.reason,
            blind=review.blind,
            ended="undone" if review.seq not in kept else "replaced" if review.seq in replaced else "",
        )


def views(row: RowEvidence) -> Iterator[View]:
    """Yield what each reviewer says, and what others noted who gave no verdict."""
    standing = row.standing or Standing()
    for voice in standing.voices:
        yield View(voice.reviewer, voice.verdict, voice.both_bad, voice.reason, voice.note)
    voters = {voice.reviewer for voice in standing.voices}
    yield from (View(who, None, False, "", note) for who, note in standing.notes if who not in voters)


def _act(review: Review, evidence: Evidence) -> str:
    if review.act == "tools":
        return f"tool calls {review.signed}"
    if review.verdict is None:
        return review.act
    said = evidence.said(review.verdict, both_bad=review.both_bad)
    return f"{said} (confirmed the judge)" if review.act == "confirm" else said
