"""A value with the line it stands on and, for a scalar, the text as it was typed."""

from __future__ import annotations

import json
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

    __slots__ = ("_plain", "line", "typed", "value")

    value: Value
    line: int
    typed: str
    _plain: JsonValue

    def __init__(self, value: Value, line: int, typed: str = "") -> None:
        self.value = value
        self.line = line
        self.typed = typed

    @classmethod
    def of(cls, value: JsonValue, line: int) -> Node:
        """Wrap plain data, all of which stands on one line."""
        node = cls.__new__(cls)
        node.line = line
        node._plain = value
        if not isinstance(value, dict | list):
            node.value = value
        return node

    def __getattr__(self, name: str) -> Value | JsonValue:
        """Make an attribute that is not there yet out of the plain data."""
        if name == "value":
            self.value = self._wrapped()
        elif name == "typed":
            self.typed = self._as_typed()
        elif name == "_plain":
            self._plain = self._unwrapped()
        else:
            raise AttributeError(name)
        return getattr(self, name)  # type: ignore[no-any-return]

    def _wrapped(self) -> Value:
        if isinstance(self._plain, dict):
            return {name: Node.of(item, self.line) for name, item in self._plain.items()}
        if isinstance(self._plain, list):
            return [Node.of(item, self.line) for item in self._plain]
        return self._plain

    def _as_typed(self) -> str:
        if isinstance(self._plain, str):
            return self._plain
        return "" if isinstance(self._plain, dict | list) else json.dumps(self._plain)

    def _unwrapped(self) -> JsonValue:
        if isinstance(self.value, dict):
            return {name: item.plain() for name, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value

    def plain(self) -> JsonValue:
        """Return the value without its lines."""
        return self._plain


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
