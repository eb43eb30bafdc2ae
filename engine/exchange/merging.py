"""Reviews that were made on copies of an experiment elsewhere, brought together in one file.

Every review is known by the hash that it had where it was made, so that merging twice, or there and back,
adds nothing, and sorts by its time there, so that the order of merging does not matter. A review of something
that this file does not have is left out and named. Decisions stay where they were signed: each stands on
the facts of its own file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bothways.engine.errors import DataError, Place
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.reviews import carried, is_utc
from bothways.engine.facts import JsonObject
from bothways.engine.keys import canonical
from bothways.engine.ledger import Facts, Ledger, Record, origins
from bothways.engine.names import is_person
from bothways.engine.pairs import Seen, seen
from bothways.engine.text import excerpt

__all__ = ["LeftOut", "Merged", "Source", "from_pairs", "from_records", "merge"]

_NEEDED = ("seq", "at", "hash")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PLACE = {"seq", "at", "hash", "home", "experiment", "undoes"}
"""What differs between two copies of one review."""


@dataclass(frozen=True, slots=True)
class Source:
    """The reviews of one file, as an export writes them, and how many decisions it has besides."""

    name: str
    reviews: tuple[JsonObject, ...]
    decisions: int = 0


class LeftOut(NamedTuple):
    """A review that could not join this file, and why."""

    reviewer: str
    act: str
    case: str
    candidate: str
    why: str

    @classmethod
    def of(cls, review: JsonObject, why: str) -> LeftOut:
        """Name a review."""
        reviewer, act, case, candidate = (
            str(review.get(name, "")) for name in ("reviewer", "act", "case", "candidate")
        )
        return cls(reviewer, act, case, candidate, why)


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of the reviews of one file: appended, here already, or left out.

    `ahead` is when the newest of those appended counts as made, where a clock was wrong: in the future.
    """

    source: Source
    added: tuple[Record, ...]
    known: int
    left_out: tuple[LeftOut, ...]
    ahead: str | None = None

    def as_json(self) -> JsonObject:
        """Return it as JSON; `reviews` have their number and hash here, and where they were made."""
        return {
            "file": self.source.name,
            "added": len(self.added),
            "known": self.known,
            "left_out": [one._asdict() for one in self.left_out],
            "decisions_not_merged": self.source.decisions,
            "ahead": self.ahead,
            "reviews": [
                {"seq": record.seq, "hash": record.hash, "reviewer": record.body.get("reviewer"),
                 "case": record.body.get("case"), "home": record.body.get("home")}
                for record in self.added
            ],
        }  # fmt: skip


def from_pairs(path: Path) -> Source:
    """Read the reviews of a file of pairs; DataError where any of it cannot be read."""
    _, rows = read_pairs(path, name="merged")
    reviews = tuple(review for row in rows for review in row.reviews)
    for review in reviews:
        for name in _NEEDED:
            if name not in review:
                place = Place(str(path), 0, f"reviews of {review['case']}")
                raise DataError(place, f"{name} is missing", "reviews as an export writes them")
        if not _DIGEST.fullmatch(str(review["hash"])):
            place = Place(str(path), 0, f"reviews of {review['case']}")
            raise DataError(place, f"the hash {excerpt(str(review['hash']), 70)}", "64 hexadecimal digits")
    return Source(str(path), reviews)


def from_records(name: str, records: Sequence[Record]) -> Source:
    """Take the reviews from the records of an experiment in another database."""
    return Source(name, tuple(carried(records)), sum(record.kind == "decision" for record in records))


def merge(ledger: Ledger, experiment: str, sources: Iterable[Source], at: str) -> list[Merged]:
    """Append every review of the sources that is not here yet; call it inside one write transaction.

    Raises DataError where a review that is here already says something else in a source.
    """
    rows = _Rows(ledger, experiment)
    return [_merge(ledger, experiment, rows, source, at) for source in sources]


def _merge(ledger: Ledger, experiment: str, rows: _Rows, source: Source, at: str) -> Merged:
    here = {str(review["hash"]): review for review in carried(ledger.records(experiment, "review"))}
    fitting: dict[str, JsonObject] = {}
    numbered: dict[_Numbered, JsonObject] = {}
    left_out: list[LeftOut] = []
    for review in sorted(source.reviews, key=_number):
        own = str(review["hash"])
        known = here.get(own) or fitting.get(own)
        if known is not None:
            _refuse_changed(source, known, review)
        why = "" if known is not None else rows.misfit(review)
        if not why and review.get("undoes") is not None and _numbered(review, "undoes") not in numbered:
            why = "what it takes back is not here"
        if why:
            left_out.append(LeftOut.of(review, why))
            continue
        fitting[own] = review
        if numbered.setdefault(_numbered(review, "seq"), review)["hash"] != own:
            raise _ambiguous(source, review)
    added = ledger.adopt(experiment, list(fitting.values()), at)
    newest = max((origin.counts_at for _, origin in origins(added)), default="")
    ahead = newest if newest > at else None
    return Merged(source, tuple(added), len(fitting) - len(added), tuple(left_out), ahead)


class _Numbered(NamedTuple):
    """By what an undo knows what it takes back, in a file that may hold the reviews of several chains."""

    reviewer: str
    candidate: str
    case: str
    number: str


def _numbered(review: JsonObject, number: str) -> _Numbered:
    who, candidate, case = (str(review.get(name)) for name in ("reviewer", "candidate", "case"))
    return _Numbered(who, candidate, case, canonical(review.get(number)))


def _ambiguous(source: Source, review: JsonObject) -> DataError:
    return DataError(
        Place(source.name, 0, f"reviews of {review.get('case')}"),
        f"two reviews of number {review['seq']} by {review.get('reviewer')}",
        "each number once for a row",
        "Merge the files that this one was made of, one by one.",
    )


def _number(review: JsonObject) -> int:
    seq = review["seq"]
    return seq if isinstance(seq, int) else 0


def _refuse_changed(source: Source, known: JsonObject, review: JsonObject) -> None:
    """Raise where two copies of one review differ: one of them is not what somebody said."""
    names = sorted((known.keys() | review.keys()) - _PLACE)
    if changed := [name for name in names if known.get(name) != review.get(name)]:
        place = Place(source.name, 0, f"review {review['seq']}, of {review.get('case')}")
        raise DataError(
            place,
            f"another {' and '.join(changed)} than the same review has here",
            "what was recorded, unchanged",
            "Compare with the file that it comes from: bothways verify says whether that one holds.",
        )


class _Rows:
    """The pairs of answers that this file has, looked up as they are asked for."""

    def __init__(self, facts: Facts, experiment: str) -> None:
        info = facts.specs(experiment)[0]
        self._facts = facts
        self._baseline, *others = info.variants
        self._candidates = others
        self._ids: dict[str, list[int]] = defaultdict(list)
        for row in facts.rows(info.id):
            self._ids[row.case_id].append(row.row_id)
        self._pairs = cache(self._find)

    def misfit(self, review: JsonObject) -> str:
        """Say why a review is about nothing that this file has; "" where it fits."""
        candidate, case = str(review.get("candidate")), str(review.get("case"))
        if not all(is_utc(str(review[name])) for name in ("at", "counts_at") if name in review):
            return "no time"
        if not is_person(str(review.get("reviewer"))):
            return "nobody can sign with this name"
        if candidate not in self._candidates:
            return "unknown candidate"
        if case not in self._ids:
            return "unknown case"
        pairs = [one for one in self._pairs(candidate, case) if one.pair == review.get("pair")]
        if not pairs:
            return "other answers"
        signed = review.get("act") == "tools" and review.get("tools") not in {one.tools for one in pairs}
        return "other tool calls" if signed else ""

    def _find(self, candidate: str, case: str) -> Collection[Seen]:
        """Return what could be seen of a row: the answers of every night beside each other."""
        found: set[Seen] = set()
        for row_id in self._ids[case]:
            answers = self._facts.row(row_id).answers
            sides = ([one for unit, one, _ in answers if unit.variant == name]
                     for name in (self._baseline, candidate))  # fmt: skip
            found |= {pair for both in product(*sides) if (pair := seen(*both)) is not None}
        return found
