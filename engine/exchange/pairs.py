"""Pairs in: from a file of JSON lines to an experiment and its rows.

The file is read twice: once to see that all of it holds, and which variants it compares, then again to
stream the rows. Nothing is kept between the two but names, so that a million lines need little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bothways.engine.errors import DataError, Place, UsageError
from bothways.engine.exchange.jsonl import field_error, read_lines
from bothways.engine.exchange.line import PairLine
from bothways.engine.exchange.row import Seating, row_of
from bothways.engine.ledger import ImportedRow
from bothways.engine.spec.model import Experiment, Variant

__all__ = ["read_pairs"]


def read_pairs(
    path: Path, *, name: str | None = None, baseline: str | None = None, as_reviews: bool = False
) -> tuple[Experiment, Iterator[ImportedRow]]:
    """Return the experiment that a file of pairs holds, and its rows as a stream.

    `name` is the experiment's (the file's, where None). `baseline` names the variant that the others are
    measured against; else the file's own `baseline` field does, else the first `a` is it. With
    `as_reviews` people's votes become reviews instead of labels.

    Raises DataError for the first line that is wrong, before anything is streamed, and UsageError for a
    baseline that is not in the file.
    """
    survey = _survey(path)
    first = baseline or survey.baseline or survey.variants[0]
    if first not in survey.variants:
        known = ", ".join(survey.variants)
        raise UsageError(f"No variant is called {first!r}", f"{path} compares {known}", "Name one of them.")
    experiment = Experiment(
        name=name or path.stem,
        baseline=Variant(name=first),
        candidates=tuple(Variant(name=variant) for variant in survey.variants if variant != first),
        imported=True,
    )
    moved = first if baseline or len(survey.variants) == 2 else None
    seating = Seating(experiment.name, first, moved, as_reviews)
    return experiment, (row_of(pair, seating) for _, pair in _pairs(path))


@dataclass(frozen=True, slots=True)
class _Survey:
    """What a first reading of a file found."""

    variants: tuple[str, ...]
    baseline: str | None


def _survey(path: Path) -> _Survey:
    variants: dict[str, None] = {}
    seen: set[int] = set()
    baseline: str | None = None
    for line, pair in _pairs(path):
        variants.update(dict.fromkeys(pair.variants))
        baseline = baseline or pair.baseline
        # Hashes, not names: a million names would fill more memory than the rest of the import.
        key = hash(_identity(pair))
        if key in seen:
            _refuse_double(path, line, pair)
        seen.add(key)
    if not variants:
        raise DataError(Place(str(path)), "no pairs", "one JSON object a line, each with pair_id, a and b")
    return _Survey(tuple(variants), baseline)


def _pairs(path: Path) -> Iterator[tuple[int, PairLine]]:
    for line, fields in read_lines(path):
        try:
            pair = PairLine.model_validate(fields)
        except ValidationError as error:
            raise field_error(error, str(path), line) from error
        _check(pair, Place(str(path), line))
        yield line, pair


def _check(pair: PairLine, place: Place) -> None:
    for letter, side in (("a", pair.a), ("b", pair.b)):
        if side.text is None and not side.messages and side.error is None:
            field = Place(place.file, place.line, letter)
            raise DataError(field, "no answer", "text, messages, or the error that stands in their place")
    first, second = pair.variants
    if first == second:
        field = Place(place.file, place.line, "b.model")
        raise DataError(field, f"{second!r} on both sides", "two different variants")


def _identity(pair: PairLine) -> tuple[str, ...]:
    return (pair.pair_id, *sorted(pair.variants))


def _refuse_double(path: Path, line: int, pair: PairLine) -> None:
    """Raise DataError naming both lines, unless the hashes were equal by chance."""
    identity = _identity(pair)
    for earlier, other in _pairs(path):
        if earlier == line:
            return
        if _identity(other) == identity:
            expected = "each pair of variants once for each pair_id"
            found = f"{pair.pair_id!r} stands on line {earlier} already, with the same variants"
            raise DataError(Place(str(path), line, "pair_id"), found, expected)
