"""Whom a judge means by its labels: "Answer A" of a rationale, with the variant that stood there.

In the second pass A is the candidate. A label is told only where it surely is one; what a judge quotes from
an answer, in quotation marks or in code, stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bothways.engine.judging.labels import slot_labels

__all__ = ["meant"]

_NOUN = r"(?:answer|response|assistant|reply|output)"
_BEFORE = (
    r"(?:than|prefer|prefers|over|unlike|while|whereas|choose|chose|pick|picked|both|between|and|or|of|in|by|"
    r"from|with|but|that)"
)
_AFTER = (
    r"(?:is|was|has|had|does|gives|gave|says|said|states|wins|names|invents|ignores|misses|fails|offers|adds|"
    r"explains|answers|provides|correctly|wrongly|are|and|or|over|because|but)"
)
_DOES = r"(?!series|always|perhaps|means|news)[a-z]+[^su\W]s"
"""A verb: "A warns of …" has one where "A refund of …" has a noun."""
_QUOTED = re.compile(r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»", re.DOTALL)
_PLACES = {"first": 0, "second": 1, "1": 0, "2": 1}


def meant(text: str, shown: Sequence[str]) -> str:
    """Return a rationale with `[name]` behind each label of a pair; `shown` are the names in their order."""
    if len(shown) != 2:
        return text
    names = {**dict(zip(slot_labels(2), shown, strict=True)), **{n: shown[at] for n, at in _PLACES.items()}}

    def told(found: re.Match[str]) -> str:
        label = next(group for group in found.groups() if group)
        return f"{found[0]} [{names[label if label in names else label.casefold()]}]"

    parts: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        parts += [_LABEL.sub(told, text[at : quoted.start()]), quoted[0]]
        at = quoted.end()
    return "".join([*parts, _LABEL.sub(told, text[at:])])


_LABEL = re.compile(
    rf"\b(?i:{_NOUN})[ _]\(?([AB]|[12](?![.,]?\d))\b\)?"
    r"|\[\[([AB])\]\]"
    rf"|\b(?i:the (first|second) {_NOUN})\b"
    rf"|(?:^|[.;:,!?(\n]\s?|\b(?i:{_BEFORE}) )([AB])(?=(?:['’]s)? (?:{_AFTER}|{_DOES})\b)"
    r"|(?:^|[.;:!?(\n]\s?)(B)(?= [a-z])"
    rf"|\b(?i:{_BEFORE}) ([AB])(?=[.,;:!?)]|$)"
)
