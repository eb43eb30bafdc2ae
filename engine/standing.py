"""What people's acts on a row add up to, read back from their records.

A review stands on what was seen: the pair of answers, and for a signature the tool calls of both. Where one
of them changes, the old review no longer counts. Acts are never altered; undo is one more act.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple

from pydantic import TypeAdapter

from bothways.engine.ledger import Record, origins
from bothways.engine.pairs import Seen
from bothways.engine.verdicts import Verdict

__all__ = ["Kind", "Review", "Standing", "fold", "in_force", "reviews", "standings"]

Kind = Literal["verdict", "confirm", "clear", "skip", "note", "tools", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Review:
    """One act on one row, read back from its record. `undoes` is the `seq` that an undo or redo is about."""

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


_REVIEW = TypeAdapter(Review)


class Standing(NamedTuple):
    """What people's acts on one row add up to, after undo and clear."""

    verdict: Verdict | None = None
    both_bad: bool = False
    act: str = ""
    reviewer: str = ""
    note: str = ""
    at: str = ""
    skipped: str = ""
    tools: Literal["ok", "bad"] | None = None
    signed_by: str = ""
    """Who signed the tool difference, which may be somebody else."""


def standings(records: Iterable[Record]) -> dict[tuple[str, str], list[Review]]:
    """Return the acts that are in force, oldest first, by candidate and case."""
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

    An act stands behind what it undoes in every chain, though not always in time.
    """
    undone: set[int] = set()
    for later in sorted(acts, key=attrgetter("seq"), reverse=True):
        if later.undoes is not None and later.seq not in undone:
            undone.add(later.undoes)
    return [review for review in acts if review.seq not in undone]


def fold(acts: Iterable[Review], stands_on: Seen) -> Standing | None:
    """Return what acts in force add up to on the pair that a row stands on; None where nobody acted on it.

    Each reviewer has one verdict; between reviewers the latest stands.
    """
    on_pair = [review for review in acts if review.pair == stands_on.pair]
    if not on_pair:
        return None
    verdicts: dict[str, Review] = {}
    skipped = ""
    for review in on_pair:
        if review.act in ("verdict", "confirm", "clear"):
            verdicts.pop(review.reviewer, None)
            skipped = ""
        if review.act in ("verdict", "confirm"):
            verdicts[review.reviewer] = review
        if review.act == "skip":
            skipped = review.note or review.reason or "skipped"
    last = next(reversed(verdicts.values()), None)
    said = last or on_pair[-1]
    signed = [review for review in on_pair if review.act == "tools" and review.tools == stands_on.tools]
    notes = [review.note for review in on_pair if review.note]
    return Standing(
        verdict=last.verdict if last else None,
        both_bad=last.both_bad if last else False,
        act=said.act,
        reviewer=said.reviewer,
        note=notes[-1] if notes else "",
        at=said.at,
        skipped=skipped,
        tools=signed[-1].signed if signed else None,
        signed_by=signed[-1].reviewer if signed else "",
    )
