"""Verdicts in free text: only what is marked as one, and only where it is final.

Two marks are known: `[[B]]` and `winner: B` (also verdict, final answer, final decision; `the winner is B`).
A mark is *firm* at the start of a line or sentence, or, for brackets, as the last thing said. A mark in
passing (`on tone I would say [[A]]; on facts [[B]].`) gives way to a firm one that comes later in
another sentence. Firm marks that disagree decide nothing, nor does a quoted or negated one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bothways.engine.judging.labels import choice_of, fold

__all__ = ["marked"]


class _Mark(NamedTuple):
    at: int
    choice: int | None
    firm: bool


_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)\w*[ \t]*$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_BRACKETS = re.compile(r"\[\[([^\[\]\n]{0,60})\]\]")
_WORDED = re.compile(
    r"(?<![\w-])(?P<word>winner|verdict|final answer|final decision|final judge?ment)[\s*_]*"
    r"(?P<link>[:=]|\bis\b:?)(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:^|[.;!?][ \t])[\s*_#•\-]*(?:(?:so|thus|therefore|hence),? )?"
    r"(?:(?:the|my|our) )?(?:(?:final|overall) )?$",
    re.IGNORECASE,
)
_LEAD_END = re.compile(r"[.;!](?:[\s*_]|$)|\s+[—–-]+\s|\s*\(|,?\s+(?:because|since)\b", re.IGNORECASE)
_HEDGED = re.compile(r"[^.;!?]+\b(?:or|but|no|not|actually|maybe|perhaps|rather|unless)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;!?\n]+")
_LETTER = re.compile(r"\w")
_BEFORE = 300
"""Characters of its own line that are looked at before a mark."""
_NEGATED = re.compile(r"\b(?:not|never|no|neither|cannot)\b|n't\b", re.IGNORECASE)


def marked(text: str, labels: Sequence[str]) -> set[int | None]:
    """Return what the final marks of a text say: one choice where it is clear, several where it is not.

    Empty: no firm mark. None stands for a firm mark that names nothing known.
    """
    said = _own_words(text)
    marks = sorted([*_bracketed(said, labels), *_worded(said, labels)], key=lambda mark: mark.at)
    if not any(mark.firm for mark in marks):
        return set()
    ends = [end.start() for end in _SENTENCE_END.finditer(said)]
    last = marks[-1]
    rivals = marks if not last.firm else [m for m in marks if m.firm or not _between(ends, m.at, last.at)]
    return {last.choice, *(mark.choice for mark in rivals)}


def _own_words(text: str) -> str:
    """Drop what is quoted: lines behind `>`, and fences unless the reply is nothing but one."""
    bare = _FENCE.sub("\n", text)
    return _QUOTED_LINE.sub("", fold(bare if bare.strip() else _FENCE_LINE.sub("", text)))


def _bracketed(text: str, labels: Sequence[str]) -> Iterator[_Mark]:
    for found in _BRACKETS.finditer(text):
        line = _line_before(text, found.start())
        closes = not _LETTER.search(text, found.end()) and line[-1:] not in ('"', "'", "`")
        negated = _NEGATED.search(_SENTENCE_END.split(line)[-1])
        firm = not line.strip(" \t*_#-•") or (closes and not negated)
        yield _Mark(found.start(), choice_of(found[0], labels), firm)


def _worded(text: str, labels: Sequence[str]) -> Iterator[_Mark]:
    for found in _WORDED.finditer(text):
        choice = choice_of(_named(found["rest"]), labels)
        firm = bool(_OPENING.search(_line_before(text, found.start())))
        # "The winner is clear" is prose; "winner: ?" is a mark that cannot be read.
        if choice is not None or (firm and found["link"][0] in ":="):
            yield _Mark(found.start(), choice, firm)


def _named(rest: str) -> str:
    """Return the name in `B. It is shorter`; all of it where it goes on to hedge: `B (or perhaps A)`."""
    end = _LEAD_END.search(rest)
    if end is None or (end[0][0] not in ".;!" and _HEDGED.match(rest, end.start())):
        return rest
    return rest[: end.start()]


def _line_before(text: str, at: int) -> str:
    return text[max(at - _BEFORE, text.rfind("\n", 0, at) + 1) : at]


def _between(ends: Sequence[int], one: int, other: int) -> bool:
    """Whether a sentence ends between two places."""
    return bisect_left(ends, one) != bisect_left(ends, other)
