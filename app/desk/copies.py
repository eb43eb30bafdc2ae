"""What can be copied out of a place: words that stand on the screen, exactly as they were written.

It is made of what the screen was given to show, and of nothing else: what is hidden there cannot be copied.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bothways.engine.facts import JsonObject
from bothways.engine.report.markdown import escaped, fenced
from bothways.engine.text import clean
from bothways.widgets.rowview import PassView, RowView, SideText

__all__ = ["LIMIT", "Copy", "copies_of_row", "free_path", "save", "size_of"]

LIMIT = 74_000
"""Bytes: what many terminals take by OSC 52 at most (100,000 characters once it is in base64)."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One thing to copy: what the menu calls it, the text, and the ending of a file of that kind."""

    name: str
    text: str
    ending: str = "txt"

    @property
    def clean(self) -> str:
        """The text without lone surrogates, which neither a file nor a terminal can be given."""
        return clean(self.text)

    @property
    def encoded(self) -> bytes:
        """The bytes that are sent or saved."""
        return self.clean.encode()


def size_of(copy: Copy) -> str:
    """Return how much it is, as people read it."""
    size = len(copy.encoded)
    return f"{size:,} bytes" if size < 1000 else f"{size / 1000:,.1f} KB"


def copies_of_row(view: RowView) -> Iterator[Copy]:
    """Yield what a row has to copy."""
    for place, side in (("left", view.left), ("right", view.right)):
        if side.text:
            yield Copy(f"the {place} answer: {side.title}", side.text)
    if view.left.text and view.right.text:
        yield Copy("both answers", "\n\n".join(map(_titled, (view.left, view.right))))
    if words := "\n\n".join(_reasons(view.passes)):
        yield Copy("the judge's reasons", words)
    yield Copy("the id of the row", view.case.id)
    yield Copy("the row as Markdown", _markdown(view), "md")
    yield Copy("the row as JSON", json.dumps(_line(view), ensure_ascii=False, indent=2), "json")


def _line(view: RowView) -> JsonObject:
    """Return what the screen shows of a row under the names that an export of pairs has; `a` stands left."""
    case = view.case
    said: JsonObject = {
        "pair_id": case.id,
        "prompt": [{"role": role, "content": words} for role, words in case.messages],
        "context": case.context,
        "reference": case.reference,
        "tags": {name: value for name, _, value in (tag.partition(": ") for tag in case.tags)},
        "high_stakes": case.high_stakes,
        "a": _side(view.left),
        "b": _side(view.right),
        "judgements": [_judgement(one, view.left) for one in view.passes],
    }
    return {name: value for name, value in said.items() if value or name in ("pair_id", "a", "b")}


def _side(side: SideText) -> JsonObject:
    said: JsonObject = {"model": side.title.rpartition(" · ")[0] or side.title, "text": side.text}
    return said | ({"error": side.missing} if side.missing else {})


def _judgement(one: PassView, left: SideText) -> JsonObject:
    named = one.named
    whose = None if named is None else "A" if named == _side(left)["model"] else "B"
    first = "A" if one.shown[0] == _side(left)["model"] else "B"
    verdict = "tie" if one.said == "tie" else whose
    said: JsonObject = {"shown_first": first, "verdict": verdict, "rationale": one.rationale}
    return said | ({"error": one.failure} if one.failure else {})


def _titled(side: SideText) -> str:
    return f"{side.title}\n\n{side.text}"


def _reasons(passes: Sequence[PassView]) -> Iterator[str]:
    for one in passes:
        if one.rationale:
            yield f"{one.shown[0]} shown first, {one.shown[1]} second: {one.said}\n{one.rationale}"


def _markdown(view: RowView) -> str:
    parts = [f"# {escaped(view.case.id)}"]
    parts += [f"## {escaped(role)}\n\n{fenced(words)}" for role, words in view.case.messages]
    for title, words in (("Context", view.case.context), ("Reference", view.case.reference)):
        parts += [f"## {title}\n\n{fenced(words)}"] if words else []
    for side in (view.left, view.right):
        parts.append(f"## {escaped(side.title)}\n\n{fenced(side.text or side.missing)}")
    parts += [f"## The judge\n\n{fenced(words)}" for words in _reasons(view.passes)]
    return "\n\n".join(parts) + "\n"


def free_path(folder: Path, copy: Copy) -> Path:
    """Return a path in a folder that no file has yet."""
    paths = (folder / f"bothways-copy-{number}.{copy.ending}" for number in count(1))
    return next(path for path in paths if not path.exists())


def save(copy: Copy, path: Path) -> None:
    """Write it into a new file; OSError where that cannot be, and where there is such a file already."""
    with path.open("xb") as out:
        out.write(copy.encoded)
