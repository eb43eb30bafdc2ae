"""Deterministic rules of one case: over its tool calls, and over the text of an answer.

A rule is data with one key. Over tool calls (`tool_rules`):

| rule | kept when |
|---|---|
| `{"required": "get_order"}` | the tool was called (a list: each of them) |
| `{"forbidden": "refund"}` | it was not (a list: none of them) |
| `{"order": ["get_order", "refund"]}` | no later tool was called before an earlier one had been |
| `{"arguments": {"refund": {"order_id": "7"}}}` | every call of the tool had these values |
| `{"max_per_turn": 1}` | no turn held more calls |
| `{"max_calls": {"refund": 1}}` | the tool was called no more often |

Over the answer (`checks`): `contains`, `excludes` (a text, whatever its case, or a list), `regex` (found
somewhere), `json_schema` (the answer is JSON that fits), `no_markdown_table`, `min_chars`, `max_chars`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from bothways.engine.facts import JsonObject, ToolCall
from bothways.engine.keys import canonical

__all__ = ["CHECKS", "RULES", "Call", "check_kept", "problem", "rule_kept", "sentence"]


class Call(NamedTuple):
    """One tool call as rules and comparisons see it; `arguments` is canonical JSON text."""

    turn: int
    name: str
    arguments: str

    @classmethod
    def of(cls, call: ToolCall) -> Call:
        """Take what counts from a stored call."""
        return cls(call.turn, call.name, canonical(call.arguments))


def rule_kept(rule: JsonObject, calls: Sequence[Call]) -> bool:
    """Say whether `calls` keep one tool rule."""
    return all(RULES[name](value, calls) for name, value in rule.items())


def check_kept(check: JsonObject, answer: str) -> bool:
    """Say whether an answer's text passes one check."""
    return all(CHECKS[name](value, answer) for name, value in check.items())


def problem(rule: JsonObject, known: Iterable[str]) -> str | None:
    """Say what a rule or a check was expected to be, given the names that are known; None when it is fine."""
    names = sorted(known)
    unknown = [name for name in rule if name not in names]
    if unknown or len(rule) != 1:
        return f"one of {', '.join(names)}"
    ((name, value),) = rule.items()
    return None if _SHAPES.get(name, _is_texts)(value) else _EXPECTED.get(name, f"a text or texts for {name}")


def sentence(rule: JsonObject) -> str:
    """Return a rule as people read it: `order: ["get_order","refund"]`."""
    return ", ".join(
        f"{name}: {value if isinstance(value, str) else canonical(value)}" for name, value in rule.items()
    )


def _texts(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _number(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def _required(value: JsonValue, calls: Sequence[Call]) -> bool:
    return set(_texts(value)) <= {call.name for call in calls}


def _forbidden(value: JsonValue, calls: Sequence[Call]) -> bool:
    return not set(_texts(value)) & {call.name for call in calls}


def _order(value: JsonValue, calls: Sequence[Call]) -> bool:
    wanted = _texts(value)
    called: set[str] = set()
    for call in calls:
        if call.name in wanted and not called.issuperset(wanted[: wanted.index(call.name)]):
            return False
        called.add(call.name)
    return True


def _arguments(value: JsonValue, calls: Sequence[Call]) -> bool:
    wanted = value if isinstance(value, dict) else {}
    return all(_holds(call, wanted[call.name]) for call in calls if call.name in wanted)


def _holds(call: Call, wanted: JsonValue) -> bool:
    given = json.loads(call.arguments)
    if not isinstance(given, Mapping) or not isinstance(wanted, Mapping):
        return bool(given == wanted)
    return all(name in given and given[name] == value for name, value in wanted.items())


def _max_per_turn(value: JsonValue, calls: Sequence[Call]) -> bool:
    return max(Counter(call.turn for call in calls).values(), default=0) <= _number(value)


def _max_calls(value: JsonValue, calls: Sequence[Call]) -> bool:
    made = Counter(call.name for call in calls)
    return (
        all(made[name] <= _number(most) for name, most in value.items()) if isinstance(value, dict) else True
    )


def _contains(value: JsonValue, answer: str) -> bool:
    return all(text.casefold() in answer.casefold() for text in _texts(value))


def _excludes(value: JsonValue, answer: str) -> bool:
    return not any(text.casefold() in answer.casefold() for text in _texts(value))


def _json_schema(value: JsonValue, answer: str) -> bool:
    import jsonschema  # slow to import, and few cases have a schema

    if not isinstance(value, dict):
        return False
    try:
        jsonschema.validate(json.loads(answer), value)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$", re.MULTILINE)

RULES: Mapping[str, Callable[[JsonValue, Sequence[Call]], bool]] = {
    "required": _required,
    "forbidden": _forbidden,
    "order": _order,
    "arguments": _arguments,
    "max_per_turn": _max_per_turn,
    "max_calls": _max_calls,
}
CHECKS: Mapping[str, Callable[[JsonValue, str], bool]] = {
    "contains": _contains,
    "excludes": _excludes,
    "regex": lambda value, answer: re.search(str(value), answer) is not None,
    "json_schema": _json_schema,
    "no_markdown_table": lambda value, answer: not value or _TABLE_RULE.search(answer) is None,
    "min_chars": lambda value, answer: len(answer) >= _number(value),
    "max_chars": lambda value, answer: len(answer) <= _number(value),
}


def _is_texts(value: JsonValue) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_regex(value: JsonValue) -> bool:
    try:
        re.compile(value if isinstance(value, str) else "(")
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_SHAPES: Mapping[str, Callable[[JsonValue], bool]] = {
    "order": lambda value: isinstance(value, list) and len(value) > 1 and _is_texts(value),
    "arguments": lambda value: isinstance(value, dict) and all(isinstance(v, dict) for v in value.values()),
    "max_per_turn": _is_count,
    "max_calls": lambda value: isinstance(value, dict) and all(map(_is_count, value.values())),
    "regex": _is_regex,
    "json_schema": lambda value: isinstance(value, dict),
    "no_markdown_table": lambda value: isinstance(value, bool),
    "min_chars": _is_count,
    "max_chars": _is_count,
}
_EXPECTED: Mapping[str, str] = {
    "order": "a list of at least two tool names for order",
    "arguments": "for arguments, each tool with the arguments it must have",
    "max_per_turn": "a whole number for max_per_turn",
    "max_calls": "for max_calls, each tool with a whole number",
    "regex": "a regular expression for regex",
    "json_schema": "a JSON Schema object for json_schema",
    "no_markdown_table": "true or false for no_markdown_table",
    "min_chars": "a whole number for min_chars",
    "max_chars": "a whole number for max_chars",
}
