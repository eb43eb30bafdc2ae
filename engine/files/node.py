"""A value with the line it stands on and, for a scalar, the text as it was typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

from bothways.engine.facts import JsonValue

__all__ = ["Node", "Scalar", "kind"]

Scalar: TypeAlias = str | int | float | bool | None
Value: TypeAlias = "Scalar | dict[str, Node] | list[Node]"


class Node:
    """One value of a file. `typed` keeps `0.60` and `1.10` apart from the numbers they stand for.

    Made of plain data (`of`), it wraps what is inside only when somebody looks: a file of a million lines
    has many fields that nobody asks for.
    """

    __slots__ = ("_data", "line", "typed", "value")

    value: Value
    line: int
    typed: str
    _data: JsonValue

    def __init__(self, value: Value, line: int, typed: str = "") -> None:
        self.value = value
        self.line = line
        self.typed = typed
        self._data = None

    @classmethod
    def of(cls, value: JsonValue, line: int) -> Node:
        """Wrap plain data, all of which stands on one line."""
        node = cls.__new__(cls)
        node.line = line
        node._data = value
        return node

    def __getattr__(self, name: str) -> Value:
        """Make what is not there yet out of the plain data."""
        if name == "value":
            self.value = self._wrapped()
            return self.value
        if name == "typed":
            self.typed = _typed(self._data)
            return self.typed
        raise AttributeError(name)

    def _wrapped(self) -> Value:
        match self._data:
            case dict() as inside:
                return {name: Node.of(item, self.line) for name, item in inside.items()}
            case list() as inside:
                return [Node.of(item, self.line) for item in inside]
            case scalar:
                return scalar

    @property
    def fields(self) -> Mapping[str, Node | JsonValue] | None:
        """What a mapping holds, as nodes or still as plain data; None where it is no mapping."""
        if isinstance(self._data, dict):
            return self._data
        return self.value if isinstance(self.value, dict) else None

    def plain(self) -> JsonValue:
        """Return the value without its lines."""
        if self._data is not None:
            return self._data
        match self.value:
            case dict() as inside:
                return {name: item.plain() for name, item in inside.items()}
            case list() as inside:
                return [item.plain() for item in inside]
            case scalar:
                return scalar


def _typed(scalar: JsonValue) -> str:
    if isinstance(scalar, str):
        return scalar
    return "" if isinstance(scalar, dict | list) else json.dumps(scalar)


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
