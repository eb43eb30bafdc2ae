"""A recording of judge passes: JSON lines, one pass a line, or the lines of a file of pairs.

A pass: `{"case": "r-17", "candidate": "v5", "shown_first": "baseline", "verdict": "candidate", "rationale":
"…", "raw": "…", "judge": "…", "model": "…", "usage": {…}, "cost_usd": 0.002, "duration_s": 1.9}`

* `shown_first` is `baseline`, `candidate`, or the name of a variant; so is `verdict`, which may also be
  `tie` or null (unreadable). It is mapped already: it names a side, not a place.
* `raw` is what the judge wrote. Where a line has `raw` and no `verdict` the text is read by the reading
  ladder, its labels in the order shown. Where both are there `verdict` counts, even null: somebody has read
  the text before, and `raw` is kept as evidence.
* `candidate` and `baseline` name the variants where one file holds several pairs of a case.

In a line of pairs each of its `judgements` is a pass; A and B stand for the names of its sides, or for
baseline and candidate where the sides have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bothways.engine.errors import Place
from bothways.engine.facts import Usage
from bothways.engine.files.fields import Fields, Problems
from bothways.engine.files.json import read_json_lines
from bothways.engine.files.text import stream_lines

__all__ = ["RecordedPass", "read_recording"]


@dataclass(frozen=True, slots=True)
class RecordedPass:
    """One pass as recorded. `between` are the names it gives of the variants: two, one or none.

    `was_read` is whether the line says what the verdict was (None: unreadable) or leaves it to be read.
    """

    place: Place
    case: str
    between: frozenset[str]
    shown_first: str
    was_read: bool
    verdict: str | None = None
    rationale: str = ""
    raw: str = ""
    judge: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    duration_s: float | None = None


def read_recording(path: Path) -> list[RecordedPass]:
    """Read a recording whole; raises one DataError with everything that is wrong with it."""
    file = str(path)
    problems = Problems()
    passes: dict[object, RecordedPass] = {}
    for node in read_json_lines(stream_lines(path), file):
        fields = Fields(node, Place(file), problems)
        for recorded in _pair(fields) if "judgements" in fields.names else [_pass(fields)]:
            identity = (recorded.case, recorded.between, recorded.shown_first, recorded.judge)
            if identity in passes:
                first = passes[identity].place.line
                problems.add(
                    recorded.place, "a pass that stands twice", f"each pass once (first on line {first})"
                )
            passes.setdefault(identity, recorded)
    problems.raise_any()
    return list(passes.values())


def _pass(fields: Fields) -> RecordedPass:
    names = frozenset(name for name in (fields.text("baseline"), fields.text("candidate")) if name)
    return _recorded(fields, fields.required("case"), names, {})


def _pair(fields: Fields) -> Iterator[RecordedPass]:
    sides = {letter: side.text("model") if (side := fields.child(letter)) else "" for letter in ("a", "b")}
    roles = {"A": sides["a"] or "baseline", "B": sides["b"] or "candidate"}
    names = frozenset(name for name in sides.values() if name)
    case = fields.required("pair_id")
    for judgement in fields.children("judgements"):
        yield _recorded(judgement, case, names, roles)


def _recorded(fields: Fields, case: str, between: frozenset[str], sides: dict[str, str]) -> RecordedPass:
    shown_first, verdict = fields.required("shown_first"), fields.optional("verdict")
    if "verdict" not in fields.names and "raw" not in fields:
        fields.wrong("verdict", "missing", "a verdict, or raw: what the judge wrote")
    usage = fields.child("usage")
    return RecordedPass(
        place=fields.at("shown_first"),
        case=case,
        between=between,
        shown_first=sides.get(shown_first, shown_first),
        was_read="verdict" in fields.names,
        verdict=None if verdict is None else sides.get(verdict, verdict),
        rationale=fields.text("rationale"),
        raw=fields.text("raw"),
        judge=fields.optional("judge"),
        model=fields.optional("model"),
        usage=Usage() if usage is None else _usage(usage),
        cost_usd=fields.number("cost_usd", "an amount in USD", 0),
        duration_s=fields.number("duration_s", "seconds", 0),
    )


def _usage(fields: Fields) -> Usage:
    names = ("prompt_tokens", "completion_tokens", "cached_tokens")
    return Usage(*(fields.whole(name, 0) if name in fields else None for name in names))
