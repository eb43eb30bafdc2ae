"""A recording as the assistant: JSON lines of answers, or of whole pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from bothways.engine.errors import CallFailed, DataError, Place
from bothways.engine.experiment import Variant
from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject, JsonValue
from bothways.engine.targets.base import Ask, Calls
from bothways.engine.targets.result import to_answer
from bothways.engine.text import cleaned

__all__ = ["ReplayTarget"]


class _Spot(NamedTuple):
    """Where in the file an answer stands; `side` is `a` or `b` of a pair, or "" for the line itself."""

    line: int
    start: int
    side: str


class ReplayTarget:
    """Plays back what was recorded. Nothing is paid, so nothing goes through `calls`."""

    def __init__(self, variant: Variant) -> None:
        assert variant.replay is not None
        self._path = Path(variant.replay)
        self._variant = variant.name

    async def answer(self, ask: Ask, calls: Calls) -> Answer:  # noqa: ARG002 - a recording calls nobody
        """Return the recorded answer, which may be a recorded failure; CallFailed where there is none."""
        spot = self._spot(ask.case.id)
        if spot is None:
            missing = f"no answer of {self._variant} to case {ask.case.id} in {self._path.name}"
            raise CallFailed(Failure(FailureKind.MISSING, missing), "give_up")
        answer = to_answer(self._recorded(spot), blame=FailureKind.SERVER)
        if answer.failure is not None:
            raise CallFailed(answer.failure, "give_up", usage=answer.usage, cost_usd=answer.cost_usd)
        return answer

    def lacks(self, case_id: str) -> bool:
        """Tell whether nothing is recorded for a case; DataError where the recording cannot be read."""
        return self._spot(case_id) is None

    async def close(self) -> None:
        """Nothing to give back."""

    def _spot(self, case_id: str) -> _Spot | None:
        return self._index.get((case_id, self._variant)) or self._index.get((case_id, None))

    @cached_property
    def _index(self) -> dict[tuple[str, str | None], _Spot]:
        """Where each case's answers stand; made once, when the first is asked for."""
        index: dict[tuple[str, str | None], _Spot] = {}
        for line, start, record in self._lines():
            for key, side in _keys(record):
                if not key[0]:
                    raise DataError(Place(str(self._path), line), "no case", "the field `case` or `pair_id`")
                if key in index:
                    found = f"case {key[0]} stands in line {index[key].line} already"
                    raise DataError(Place(str(self._path), line, "case"), found, "each case once per variant")
                index[key] = _Spot(line, start, side)
        return index

    def _lines(self) -> Iterator[tuple[int, int, JsonObject]]:
        start = 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield number, start, self._parse(number, line)
                    start += len(line)
        except OSError as error:
            raise DataError(Place(str(self._path)), error.strerror or "unreadable", "a recording") from error

    def _parse(self, number: int, line: bytes) -> JsonObject:
        try:
            record: JsonValue = cleaned(json.loads(line.decode("utf-8-sig")))
        except (ValueError, RecursionError) as error:
            raise DataError(Place(str(self._path), number), str(error), "one JSON object a line") from error
        if not isinstance(record, dict):
            raise DataError(Place(str(self._path), number), type(record).__name__, "one JSON object a line")
        return record

    def _recorded(self, spot: _Spot) -> JsonValue:
        with self._path.open("rb") as file:
            file.seek(spot.start)
            record = self._parse(spot.line, file.readline())
        if spot.side:
            return record[spot.side]
        return {key: value for key, value in record.items() if key not in ("case", "variant")}


def _keys(record: JsonObject) -> Iterator[tuple[tuple[str, str | None], str]]:
    """Yield (case, variant) and side for each answer in a line."""
    sides = [(side, answer) for side in ("a", "b") if isinstance(answer := record.get(side), dict)]
    if sides:
        for side, answer in sides:
            yield (_name(record, "pair_id", "id"), _name(answer, "model") or side.upper()), side
    else:
        yield (_name(record, "case", "case_id", "id"), _name(record, "variant") or None), ""


def _name(record: JsonObject, *fields: str) -> str:
    values = (record.get(field) for field in fields)
    return next((str(value) for value in values if isinstance(value, str | int)), "")
