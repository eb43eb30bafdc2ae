"""Reviews that a file of pairs brings: as an export wrote them, or refused. What is stored stays for good."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import TypeAdapter, ValidationError

from bothways.engine.facts import JsonObject
from bothways.engine.files.fields import Fields, nearest
from bothways.engine.standing import Review
from bothways.engine.text import excerpt

__all__ = ["read_reviews"]

_REVIEW = TypeAdapter(Review)
# What a record has of its own, in the chain that it joins.
_ASSIGNED = {"seq": 0, "at": ""}
_NEEDED = {"verdict": "verdict", "confirm": "verdict", "tools": "signed"}
"""The field without which an act says nothing."""


def read_reviews(line: Fields, case: str, variants: Collection[str]) -> tuple[JsonObject, ...]:
    """Return the bodies of a line's reviews; notes everything that would make one unreadable later."""
    return tuple(_review(one, case, variants) for one in line.children("reviews"))


def _review(fields: Fields, case: str, variants: Collection[str]) -> JsonObject:
    body = fields.rest(())
    fields.required("reviewer")
    fields.whole("seq", 0)
    for name in ("at", "hash"):
        _text(fields, name)
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
