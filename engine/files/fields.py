"""Reading a mapping field by field: each is asked for once, by type; what nobody asked for is unknown.

A wrong field adds a problem and gives the default, so that one reading reports everything that is wrong.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from bothways.engine.errors import DataError, Place
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.files.node import Node, kind
from bothways.engine.text import counted, excerpt

__all__ = ["Fields", "Problems", "nearest"]

Choice = TypeVar("Choice", bound=str)
Default = TypeVar("Default")
_MOST_SHOWN = 20
_LARGEST = 2**53
"""The largest whole number that every JSON reader, and the database, holds exactly."""


class Problems:
    """What is wrong so far."""

    def __init__(self) -> None:
        self._errors: list[DataError] = []
        self._seen: set[tuple[str, int, str, str]] = set()

    def add(self, place: Place, found: str, expected: str, next_step: str = "") -> None:
        """Note a problem; the same one is noted once, however many candidates inherit it."""
        self.note(DataError(place, found, expected, next_step))

    def note(self, error: DataError) -> None:
        """Note a problem that somebody raised."""
        mark = (error.place.file, error.place.line, error.place.field.rpartition(".")[2], error.found)
        if mark not in self._seen:
            self._seen.add(mark)
            self._errors.append(error)

    def raise_any(self) -> None:
        """Raise one DataError with everything that was noted, by file and line, if anything was."""
        if not self._errors:
            return
        files = list(dict.fromkeys(error.place.file for error in self._errors))
        first, *rest = sorted(
            self._errors, key=lambda error: (files.index(error.place.file), error.place.line)
        )
        others = tuple(rest[: _MOST_SHOWN - 1])
        left = len(rest) - len(others)
        next_step = f"{counted(left, 'more problem')} like these." if left else first.next_step
        raise DataError(first.place, first.found, first.expected, next_step, others=others)


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known words there are, the nearest first where one is near."""
    known = list(known)
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"{close[0]} (did you mean that?)" if close else "one of " + ", ".join(known)


class Fields:
    """One mapping of a file, while it is read."""

    def __init__(self, node: Node, place: Place, problems: Problems) -> None:
        self.written = node
        self.place = place if place.line == node.line else Place(place.file, node.line, place.field)
        self.problems = problems
        self._asked: set[str] = set()
        found = node.fields
        if found is None:
            problems.add(self.place, kind(node), "a mapping")
        self._fields: Mapping[str, Node | JsonValue] = found or {}

    def __contains__(self, name: str) -> bool:
        return self.node(name) is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that the file has."""
        return tuple(self._fields)

    def has(self, name: str) -> bool:
        """Tell whether the file has a field, be it without a value."""
        return name in self._fields

    def lacks(self, names: Iterable[str]) -> bool:
        """Tell whether the file has none of these fields, quicker than asking for each."""
        return self._fields.keys().isdisjoint(names)

    def at(self, name: str, node: Node | None = None) -> Place:
        """Return the place of a field, for a message about it."""
        if node is None:
            found = self._fields.get(name)
            node = found if isinstance(found, Node) else None
        field = f"{self.place.field}.{name}" if self.place.field else name
        return Place(self.place.file, node.line if node else self.place.line, field)

    def wrong(self, name: str, found: str, expected: str, next_step: str = "") -> None:
        """Note what is wrong with a field."""
        self.problems.add(self.at(name), found, expected, next_step)

    def rest(self, besides: Iterable[str]) -> dict[str, JsonValue]:
        """Return all other fields as plain data."""
        return {name: _plain(found) for name, found in self._fields.items() if name not in besides}

    def unasked(self) -> dict[str, JsonValue]:
        """Return the fields that nobody asked for as plain data."""
        return self.rest(self._asked)

    def finish(self) -> None:
        """Note every field that nobody asked for, with the nearest that exists."""
        for name in self._fields:
            if name not in self._asked:
                self.wrong(name, "unknown field", nearest(name, sorted(self._asked)))

    def text(self, name: str, default: str = "") -> str:
        """Return a text as it was typed: `1.10` stays `1.10`."""
        self._asked.add(name)
        found = self._fields.get(name)
        if found is None or type(found) is str:  # nearly always, in files of a million lines
            return default if found is None else found
        node = self.node(name)
        if node is None:
            return default
        if isinstance(node.value, dict | list):
            self.wrong(name, kind(node), "text")
            return default
        return node.typed

    def optional(self, name: str) -> str | None:
        """Return a text, or None where there is none."""
        return None if self.node(name) is None else self.text(name)

    def required(self, name: str) -> str:
        """Return a text that must be there."""
        text = self.text(name)
        if text and not text.isspace():
            return text
        node = self.node(name)
        if not (node and isinstance(node.value, dict | list)):
            self.wrong(name, "missing" if node is None else "empty", "text")
        return text

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        node = self.node(name)
        if node is None:
            return default
        if not isinstance(node.value, bool):
            self._mistyped(name, node, "true or false")
            return default
        return node.value

    def whole(self, name: str, default: int, least: int = 0, most: int = _LARGEST) -> int:
        """Return a whole number between `least` and `most`."""
        node = self.node(name)
        if node is None:
            return default
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            to = "or more" if most == _LARGEST else f"to {most}"
            self._mistyped(name, node, f"a whole number, {least} {to}")
            return default
        return value

    def count(self, name: str) -> int | None:
        """Return a whole number from 0 on, None where there is none."""
        return self.whole(name, 0) if name in self else None

    def number(self, name: str, expected: str, least: float, most: float = _LARGEST) -> float | None:
        """Return a number between `least` and `most`, None where there is none."""
        node = self.node(name)
        if node is None:
            return None
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            self._mistyped(name, node, expected)
            return None
        if not least <= node.value <= most:
            self._mistyped(name, node, expected)
            return None
        return float(node.value)

    def share(self, name: str, default: str) -> str:
        """Return a decimal between 0 and 1 as plain digits, exactly as typed."""
        node = self.node(name)
        if node is None:
            return default
        try:
            share = Decimal(node.typed)
        except InvalidOperation:
            share = Decimal("NaN")
        if not share.is_finite() or not 0 <= share <= 1 or share.adjusted() < -9:
            self._mistyped(name, node, "a decimal between 0 and 1, e.g. 0.60")
            return default
        return f"{share:f}"

    def choice(self, name: str, options: Sequence[Choice], default: Default) -> Choice | Default:
        """Return one of the words that are allowed."""
        node = self.node(name)
        if node is None:
            return default
        for option in options:
            if node.typed == option and not isinstance(node.value, dict | list):
                return option
        self._mistyped(name, node, nearest(node.typed, options))
        return default

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; a single text is a list of one."""
        node = self.node(name)
        if node is None:
            return ()
        items = node.value if isinstance(node.value, list) else [node]
        if any(isinstance(item.value, dict | list | None) for item in items):
            self._mistyped(name, node, "a list of texts")
            return ()
        return tuple(item.typed for item in items)

    def object(self, name: str) -> JsonObject:
        """Return a mapping as plain data."""
        node = self.node(name)
        if node is None:
            return {}
        plain = node.plain()
        if not isinstance(plain, dict):
            self._mistyped(name, node, "a mapping")
            return {}
        return plain

    def child(self, name: str) -> Fields | None:
        """Return a mapping to be read in its turn, None where there is none."""
        node = self.node(name)
        return None if node is None else Fields(node, self.at(name), self.problems)

    def children(self, name: str) -> Iterator[Fields]:
        """Go through a list of mappings, each to be read in its turn."""
        node = self.node(name)
        if node is None:
            return
        if not isinstance(node.value, list):
            self._mistyped(name, node, "a list")
            return
        for index, item in enumerate(node.value):
            yield Fields(item, self.at(f"{name}[{index}]", item), self.problems)

    def node(self, name: str) -> Node | None:
        """Return a field as it is; a field without a value is none."""
        self._asked.add(name)
        found = self._fields.get(name)
        if found is None:
            return None
        if not isinstance(found, Node):
            return Node.of(found, self.place.line)
        return None if found.value is None else found

    def _mistyped(self, name: str, node: Node, expected: str) -> None:
        shown = "" if isinstance(node.value, dict | list) else f" ({excerpt(node.typed, 40)})"
        self.wrong(name, kind(node) + shown, expected)


def _plain(found: Node | JsonValue) -> JsonValue:
    return found.plain() if isinstance(found, Node) else found
