"""The one table of how a judge may name a winner or a tie.

| written                                                                        | means                  |
|--------------------------------------------------------------------------------|------------------------|
| a slot's label, in any case, quoted, bracketed, bold, with a stop: `[[ b ]]`   | that slot              |
| response, answer, assistant, option, model, candidate, output, reply, version  | the slot with that     |
| followed by a label or a number counted from 1: `assistant_b`, `Option 2`      | label, or in that place |
| any of these followed by `is better`, `wins`, `is the winner`                  | the same               |
| a word of `TIE_WORDS`                                                          | tie                    |
| `[[C]]` where no slot is called C (the habit of FastChat's judges)             | tie                    |
| anything else, also `C`, `A?`, `1`, `A or B`, null, a variant's name           | nothing: unreadable    |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from bothways.engine.facts import TIE

__all__ = ["TIE_WORDS", "choice_of", "fold", "slot_labels"]

TIE_WORDS = frozenset(
    {
        "tie", "tied", "a tie", "it is a tie", "it's a tie", "draw", "a draw", "equal", "both equal",
        "both are equal", "equally good", "equally bad", "both", "both good", "both bad", "neither",
        "both unacceptable", "no winner", "no difference", "same", "the same", "even",
    }
)  # fmt: skip

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})
_NAMED = re.compile(
    r"(?:the )?(?:(?P<noun>response|answer|assistant|option|model|candidate|output|reply|version) )?"
    r"(?P<name>[a-z0-9]+)(?: is better| wins| is the winner| is the better (?:answer|response|one))?"
)
_FASTCHAT_TIE = re.compile(r"\W*\[\[\s*c\s*\]\]\W*")


def slot_labels(count: int) -> tuple[str, ...]:
    """Return what the answers of one pass are called: A and B for a pair, else names that are no words."""
    return ("A", "B") if count == 2 else tuple(f"R{place}" for place in range(1, count + 1))


def fold(text: str) -> str:
    """Return `text` with full-width forms made narrow, invisible characters gone, and quotes straight."""
    if text.isascii():
        return text
    narrow = unicodedata.normalize("NFKC", text)
    return "".join(c for c in narrow if unicodedata.category(c) != "Cf").translate(_QUOTES)


def choice_of(written: str, labels: Sequence[str]) -> int | None:
    """Return the place that `written` names, TIE, or None where the table does not hold it."""
    folded = fold(written).casefold()
    slots = [label.casefold() for label in labels]
    if "c" not in slots and _FASTCHAT_TIE.fullmatch(folded):
        return TIE
    plain = re.sub(r"[\s_-]+", " ", folded).strip(" .!,:;*`'\"()[]{}<>")
    if plain in TIE_WORDS:
        return TIE
    named = _NAMED.fullmatch(plain)
    if named is None:
        return None
    name = named["name"]
    if name in slots:
        return slots.index(name)
    if named["noun"] and name.isdecimal() and name.isascii() and 1 <= int(name[:4]) <= len(slots):
        return int(name[:4]) - 1
    return None
