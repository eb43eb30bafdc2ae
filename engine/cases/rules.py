"""The shape of the deterministic rules of a case; what they mean is `engine.analysis.rules`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.files.fields import Fields, nearest

__all__ = ["CHECKS", "TOOL_RULES", "read_rules"]

Shape: TypeAlias = tuple[Callable[[JsonValue], bool], str]
"""Whether a value is one that the rule takes, and what it takes in words."""


def read_rules(case: Fields, name: str, known: Mapping[str, Shape]) -> tuple[JsonObject, ...]:
    """Read a list of rules: each a mapping with one known name."""
    return tuple(_rule(rule, known) for rule in case.children(name))


def _rule(rule: Fields, known: Mapping[str, Shape]) -> JsonObject:
    read: JsonObject = {}
    for name, (fits, expected) in known.items():
        node = rule.node(name)
        if node is not None:
            read[name] = node.plain()
            if not fits(read[name]):
                rule.wrong(name, "not what this rule takes", expected)
    rule.finish()
    if len(read) > 1:
        rule.problems.add(rule.place, f"{len(read)} rules in one", "one rule in each item of the list")
    elif not read and not set(rule.names) - set(known):
        rule.problems.add(rule.place, "an empty rule", nearest("", known))
    return read


def _is_name(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(value)


def _are_names(value: JsonValue) -> bool:
    return _is_name(value) or (isinstance(value, list) and bool(value) and all(map(_is_name, value)))


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_limits(value: JsonValue) -> bool:
    return _is_count(value) or (isinstance(value, dict) and all(map(_is_count, value.values())))


def _are_arguments(value: JsonValue) -> bool:
    return isinstance(value, dict) and all(isinstance(item, dict) for item in value.values())


def _is_pattern(value: JsonValue) -> bool:
    if not isinstance(value, str):
        return False
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _is_schema(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    # Imported where it is used: most data sets have no such check.
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(value)
    except (SchemaError, RecursionError):
        return False
    return True


_NAMES: Shape = (_are_names, "the name of a tool, or a list of names")
_LIMITS: Shape = (_are_limits, "a number of calls, or a mapping from tools to numbers")
_TEXTS: Shape = (_are_names, "a text, or a list of texts")
_COUNT: Shape = (_is_count, "a whole number")

TOOL_RULES: Mapping[str, Shape] = {
    "required": _NAMES,
    "forbidden": _NAMES,
    "order": _NAMES,
    "arguments": (_are_arguments, "a mapping from tools to the arguments they must get"),
    "max_per_turn": _LIMITS,
    "max_calls": _LIMITS,
}
CHECKS: Mapping[str, Shape] = {
    "contains": _TEXTS,
    "not_contains": _TEXTS,
    "regex": (_is_pattern, "a regular expression"),
    "json_schema": (_is_schema, "a JSON Schema"),
    "no_markdown_table": (lambda value: value is True, "true"),
    "max_words": _COUNT,
    "max_length": _COUNT,
}
