"""A value with the line it stands on and, for a scalar, the text as it was typed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

from bothways.engine.facts import JsonValue
from bothways.engine.text import clean

__all__ = ["Node", "Scalar", "kind"]

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a file. `typed` keeps `0.60` and `1.10` apart from the numbers they stand for."""

    value: Scalar | dict[str, Node] | list[Node]
    line: int
    typed: str = ""

    @classmethod
    def of(cls, value: JsonValue, line: int) -> Node:
        """Wrap plain data, all of which stands on one line."""
        match value:
            case dict():
                return cls({clean(key): cls.of(item, line) for key, item in value.items()}, line)
            case list():
                return cls([cls.of(item, line) for item in value], line)
            case str():
                text = clean(value)
                return cls(text, line, text)
            case _:
                return cls(value, line, json.dumps(value))

    def plain(self) -> JsonValue:
        """Return the value without its lines."""
        match self.value:
            case dict():
                return {key: item.plain() for key, item in self.value.items()}
            case list():
                return [item.plain() for item in self.value]
            case _:
                return self.value


def kind(node: Node) -> str:
    """Name what a value is, in the words of an error message."""
    match node.value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "a mapping"
