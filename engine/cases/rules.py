"""Rules of cases as people write them: a list of mappings, each with one rule that is known."""

from __future__ import annotations

from collections.abc import Collection

from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.files.fields import Fields, nearest
from bothways.engine.rules import problem

__all__ = ["read_rules"]


def read_rules(case: Fields, name: str, known: Collection[str]) -> tuple[JsonObject, ...]:
    """Read a list of rules."""
    return tuple(_rule(rule, known) for rule in case.children(name))


def _rule(rule: Fields, known: Collection[str]) -> JsonObject:
    read = {name: node.plain() for name in known if (node := rule.node(name)) is not None}
    rule.finish()
    if len(read) > 1:
        rule.problems.add(rule.place, f"{len(read)} rules in one", "one rule in each item of the list")
    elif not read and not set(rule.names) - set(known):
        rule.problems.add(rule.place, "an empty rule", nearest("", known))
    for name, value in read.items():
        expected = problem({name: value}, known) or _schema_problem(name, value)
        if expected:
            rule.wrong(name, "not what this rule takes", expected)
    return read


def _schema_problem(name: str, value: JsonValue) -> str | None:
    if name != "json_schema" or not isinstance(value, dict):
        return None
    # Slow to import, and few cases have a schema.
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(value)
    except (SchemaError, RecursionError):
        return "a valid JSON Schema"
    return None
