"""Pairs in: from a file of JSON lines to an experiment and its rows.

The file is read twice, and nothing of it is kept, so that a million lines need little memory: once for the
names of what it compares, then to stream the rows. What is wrong inside a line is raised from the stream;
who stores the rows does so in one transaction.

What an experiment's `export` writes comes back: cases with their stakes (a row that the spec's tags make
high stakes is marked itself), answers of every candidate and night, passes of every take, votes, reviews
with the time and hash that they had at home, which of the tools called write and which read, and what was
attested. What the spec asks does not travel: thresholds and who must review what are the importer's own to
say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bothways.engine.errors import DataError, Place, UsageError
from bothways.engine.exchange.line import Line, Seating, line_of, night_of, pair_id_of, sides_of
from bothways.engine.exchange.row import rows_of
from bothways.engine.experiment import Attest, Experiment, Tool, Variant
from bothways.engine.files.fields import Fields, Problems
from bothways.engine.files.json import read_json_lines
from bothways.engine.files.text import stream_lines
from bothways.engine.ledger import ImportedRow
from bothways.engine.names import LONGEST_NAME, check_role, name_problem
from bothways.engine.text import excerpt

__all__ = ["read_pairs"]


def read_pairs(
    path: Path, *, name: str | None = None, baseline: str | None = None, as_reviews: bool = False
) -> tuple[Experiment, Iterator[ImportedRow]]:
    """Return the experiment that a file of pairs holds, and its rows as a stream.

    `name` is the experiment's (the file's, where None). `baseline` names the variant that the others are
    measured against; else the file's own `baseline` field does, else the first `a` is it. With
    `as_reviews` people's votes become reviews instead of labels.

    Raises DataError for the first line that is no pair, or a pair that stands twice, and UsageError for a
    baseline that is not in the file; the stream raises DataError for the first line with a wrong field.
    """
    survey = _survey(path)
    first = baseline or survey.baseline or next(iter(survey.variants))
    if first not in survey.variants:
        known = ", ".join(survey.variants)
        raise UsageError(f"No variant is called {first!r}", f"{path} compares {known}", "Name one of them.")
    experiment_name = name or path.stem
    if problem := name_problem(experiment_name):
        raise UsageError(
            "No experiment can have this name", problem, f"at most {LONGEST_NAME} characters of text"
        )
    survey.check_roles(first)
    experiment = Experiment(
        name=experiment_name,
        baseline=Variant(name=first, tools=survey.tools),
        candidates=tuple(Variant(name=one, tools=survey.tools) for one in survey.variants if one != first),
        attest=Attest(one_change=survey.attested),
        imported=True,
    )
    moved = first if baseline or len(survey.variants) == 2 else None
    return experiment, rows_of(_lines(path, Seating(experiment.name, first, moved, as_reviews)))


def _lines(path: Path, seating: Seating) -> Iterator[tuple[Place, Line]]:
    for fields in _records(path):
        line = line_of(fields, seating)
        fields.problems.raise_any()
        yield fields.place, line


def _records(path: Path) -> Iterator[Fields]:
    problems, place = Problems(), Place(str(path))
    for node in read_json_lines(stream_lines(path), str(path)):
        yield Fields(node, place, problems)


@dataclass(frozen=True, slots=True)
class _Survey:
    """What a first reading of a file found."""

    variants: Mapping[str, Place]
    baseline: str | None
    attested: str | None
    tools: tuple[Tool, ...]

    def check_roles(self, baseline: str) -> None:
        """Raise DataError where a variant is called like a verdict, or like a side that it is not."""
        problems = Problems()
        for name, place in self.variants.items():
            role: Literal["baseline", "candidate"] = "baseline" if name == baseline else "candidate"
            check_role(name, role, len(self.variants) <= 2, place, problems)
        problems.raise_any()


@dataclass(frozen=True, slots=True)
class _Pair:
    """What tells one line from another."""

    line: int
    id: str
    variants: tuple[str, ...]
    night: int

    @property
    def key(self) -> int:
        """A hash, not names: a million names would fill more memory than the rest of the import."""
        return hash((self.id, self.variants))


def _survey(path: Path) -> _Survey:
    variants: dict[str, Place] = {}
    writes: dict[str, bool] = {}
    doubles = _Doubles(path)
    baseline: str | None = None
    attested: str | None = None
    for fields in _records(path):
        pair = _pair(fields, variants)
        baseline = baseline or fields.optional("baseline")
        attested = _attested(fields, attested)
        for known, writing in (("reads", False), ("writes", True)):
            writes.update({tool: writing or writes.get(tool, False) for tool in fields.texts(known)})
        fields.problems.raise_any()
        doubles.check(pair)
    if not variants:
        raise DataError(Place(str(path)), "no pairs", "one JSON object a line, each with pair_id, a and b")
    tools = tuple(Tool(name=tool, writes=writing) for tool, writing in writes.items())
    return _Survey(variants, baseline, attested, tools)


def _attested(fields: Fields, before: str | None) -> str | None:
    """Return why the candidates count as one change, which a file says once, on one line or on many."""
    attest = fields.child("attest")
    if attest is None:
        return before
    reason = attest.required("one_change")
    if before not in (None, reason):
        attest.wrong(
            "one_change", excerpt(reason, 40), f"what an earlier line says: {excerpt(before or '', 40)}"
        )
    return reason


def _pair(fields: Fields, variants: dict[str, Place]) -> _Pair:
    sides = sides_of(fields)
    for name, side in sides.items():
        if name not in variants:
            variants[name] = side.at("model")
    return _Pair(fields.place.line, pair_id_of(fields), tuple(sorted(sides)), night_of(fields))


class _Doubles:
    """Refuses a pair that stands twice; its nights may, on neighbouring lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: set[int] = set()
        self._case = ""
        self._nights: set[tuple[int, int]] = set()

    def check(self, pair: _Pair) -> None:
        """Raise DataError naming both lines."""
        if pair.id != self._case:
            self._case, self._nights = pair.id, set()
        near = any(key == pair.key for key, _ in self._nights)
        if (pair.key, pair.night) in self._nights or (pair.key in self._seen and not near):
            self._refuse(pair)
        self._seen.add(pair.key)
        self._nights.add((pair.key, pair.night))

    def _refuse(self, pair: _Pair) -> None:
        """Raise, unless the hashes were equal by chance."""
        for fields in _records(self._path):
            if fields.place.line == pair.line:
                return
            other = _pair(fields, {})
            if (other.id, other.variants) == (pair.id, pair.variants):
                found = f"{pair.id!r} stands on line {other.line} already, with the same variants"
                expected = (
                    "each pair of variants once for each pair_id and night, its nights in neighbouring lines"
                )
                raise DataError(Place(str(self._path), pair.line, "pair_id"), found, expected)
