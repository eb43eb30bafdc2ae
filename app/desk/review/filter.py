"""Which rows of the queue are wanted: the words of a filter, and what they may be.

    is:flip  -is:done  tag:refund  judge:tie  final:candidate  by:kim  note:"wrong date"  any other text

Words are looked for in what the reader may know, so no filter tells what is hidden from them. Case counts
nowhere, in no script: both sides are casefolded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from bothways.app.desk.review.known import Known
from bothways.engine.gate.why import Reason
from bothways.engine.verdicts import Outcome

__all__ = ["Filter", "Word"]

_STATES: Mapping[str, Callable[[Known], bool]] = {
    "open": lambda row: row.open,
    "done": lambda row: not row.open,
    "decides": lambda row: row.decides,
    "stakes": lambda row: row.high_stakes,
    "tools": lambda row: row.other_tools,
    "mine": lambda row: row.mine is not None,
    "others": lambda row: row.others > 0,
    "disputed": lambda row: row.disputed,
    "blind": lambda row: row.mine is not None and row.mine.blind,
    "second": lambda row: row.second,
    "skipped": lambda row: bool(row.skipped),
    "noted": lambda row: bool(row.note),
    "override": lambda row: None not in (row.final, row.judged) and row.final != row.judged,
}
"""What may stand behind `is:`; any part of a reason or an outcome does as well."""
_REASONS = (
    "required",
    "flipped",
    "hard",
    "soft",
    "nights",
    "unanswered",
    "error",
    "audit",
    "close",
    "agreed",
)
_FIELDS = ("is", "tag", "judge", "final", "by", "note")
_HIDDEN = ("judge", "final")
_OPEN = tuple(state for state in _STATES if state not in ("decides", "disputed", "override"))
_WORD = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a filter: a field and a value, or text that stands anywhere; `no` turns it around."""

    value: str
    field: str = ""
    no: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """The words that a row must all have. `found` are the rows whose question holds a text, where known."""

    text: str = ""
    words: tuple[Word, ...] = ()
    found: Mapping[str, Collection[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Filter:
        """Read what somebody typed; a name that is no field is text like any other."""
        words = []
        for no, name, quoted, plain in _WORD.findall(text.casefold()):
            value = quoted or plain
            if name and name not in _FIELDS:
                words.append(Word(f"{name}:{value}", no=bool(no)))
            elif value:
                words.append(Word(value, name, bool(no)))
        return cls(text.strip(), tuple(words))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that may also stand in what was asked."""
        return tuple(word.value for word in self.words if not word.field)

    def searched(self, asking: Callable[[str], Collection[int]]) -> Filter:
        """Return the filter with the rows in whose question each text stands, as `asking` finds them."""
        return replace(self, found={text: asking(text) for text in self.texts})

    def matches(self, row: Known) -> bool:
        """Whether a row has every word."""
        return all(self._has(word, row) is not word.no for word in self.words)

    def _has(self, word: Word, row: Known) -> bool:
        value = word.value
        match word.field:
            case "is":
                state = _STATES.get(value)
                return state(row) if state else value in row.reason or value in row.outcome
            case "judge":
                return bool(row.judge) and (value in row.judge.casefold() or value == row.judged)
            case "final":
                return value == row.final or (row.both_bad and value in ("bad", "both-bad", "both bad"))
            case "by":
                return any(value in voice.reviewer.casefold() for voice in row.voices)
            case "note":
                return value in row.note.casefold()
            case "tag":
                return _tagged(value, row)
        return (
            value in row.case_id.casefold()
            or value in row.reason
            or _tagged(value, row)
            or row.row_id in self.found.get(value, ())
        )

    def doubts(self, *, blind: bool) -> str:
        """Say which word no row could have, and what could stand there; "" where all may be."""
        for word in self.words:
            if blind and word.field in _HIDDEN:
                return f"{word.field}: would tell what is hidden in blind mode"
            if blind and word.field == "is" and _known_state(word.value) and not _open_state(word.value):
                return f"is:{word.value} would tell what is hidden in blind mode: it finds rows you have read"
            if word.field == "is" and not _known_state(word.value):
                return f"is:{word.value} names no state; after is: stands {', '.join([*_STATES, *_REASONS])}"
            if not word.field and re.fullmatch(r"[a-z]+:\S.*", word.value):
                name = word.value.partition(":")[0]
                return f"{name}: is no field and is looked for as text; fields are {', '.join(_FIELDS)}"
        return ""


def _tagged(value: str, row: Known) -> bool:
    return any(value in f"{key}:{tag}".casefold() for key, tag in row.tags.items())


def _open_state(value: str) -> bool:
    """Whether a state is known of rows whose judge is hidden."""
    return value in _OPEN or any(value in name for name in ("required", "pending", "to read", "second look"))


def _known_state(value: str) -> bool:
    names = {*_STATES, *get_args(Reason), *(outcome.value for outcome in Outcome), "to read", "second look"}
    return any(value in name for name in names)
