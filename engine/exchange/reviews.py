"""Reviews that leave a file and join another, as an export writes them. What is stored stays for good.

`seq` is a review's number in the chain that it comes from, which is what `undoes` speaks of. `at` and `hash`
are those of the chain that it was first written to; where that is a third, `home` has its number there too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta

from pydantic import TypeAdapter, ValidationError

from bothways.engine.facts import JsonObject
from bothways.engine.files.fields import Fields, nearest
from bothways.engine.ledger import Record, origins
from bothways.engine.names import check_person
from bothways.engine.standing import Review
from bothways.engine.text import excerpt

__all__ = ["carried", "is_utc", "read_reviews"]

_REVIEW = TypeAdapter(Review)
# What a record has of its own, in the chain that it joins.
_ASSIGNED = {"seq": 0, "at": ""}
_NEEDED = {"verdict": "verdict", "confirm": "verdict", "tools": "signed"}
"""The field without which an act says nothing."""


def carried(records: Iterable[Record]) -> Iterator[JsonObject]:
    """Yield the reviews of a chain as an export writes them."""
    for record, origin in origins(records):
        if record.kind == "review":
            yield {**record.body, "seq": record.seq, "at": origin.at, "hash": origin.hash}


def read_reviews(line: Fields, case: str, variants: Collection[str]) -> tuple[JsonObject, ...]:
    """Return the bodies of a line's reviews; notes everything that would make one unreadable later."""
    return tuple(_review(one, case, variants) for one in line.children("reviews"))


def _review(fields: Fields, case: str, variants: Collection[str]) -> JsonObject:
    body = fields.rest(())
    check_person(fields.required("reviewer"), fields.at("reviewer"), fields.problems)
    fields.whole("seq", 0)
    _text(fields, "hash")
    _time(fields)
    _time(fields, "counts_at")
    if (home := fields.child("home")) is not None:
        home.whole("seq", 0)
        _text(home, "hash")
        _time(home)
    if (candidate := fields.required("candidate")) and candidate not in variants:
        fields.wrong("candidate", excerpt(candidate, 40), nearest(candidate, variants))
    if (about := fields.required("case")) and about != case:
        fields.wrong("case", excerpt(about, 40), f"the pair_id of its line, {excerpt(case, 40)}")
    try:
        act = _REVIEW.validate_python({**body, **_ASSIGNED}).act
    except ValidationError as error:
        for wrong in error.errors():
            fields.wrong(str(wrong["loc"][0]), wrong["type"].replace("_", " "), wrong["msg"])
        return body
    needed = _NEEDED.get(act)
    if needed is not None and body.get(needed) is None:
        fields.wrong(needed, "missing", f"what the {act} says")
    return body


def _text(fields: Fields, name: str) -> None:
    node = fields.node(name)
    if node is not None and not isinstance(node.value, str):
        fields.wrong(name, "no text", "text")


def _time(fields: Fields, name: str = "at") -> None:
    """Between reviews of different files the time decides: it must be one, and of the same zone."""
    node = fields.node(name)
    if node is not None and not (isinstance(node.value, str) and is_utc(node.value)):
        fields.wrong(name, excerpt(str(node.value), 40), "a time in UTC, as in 2026-08-06T09:30:00.000Z")


def is_utc(text: str) -> bool:
    """Tell whether a text is a time that says it is in UTC."""
    try:
        return datetime.fromisoformat(text).utcoffset() == timedelta()
    except ValueError:
        return False
