"""Cases from JSON lines, JSON, YAML or CSV: all of them, or an error that names the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from bothways.engine.cases.columns import FIELDS, names
from bothways.engine.cases.ids import check_ids, named
from bothways.engine.cases.messages import read_messages
from bothways.engine.cases.rules import read_rules
from bothways.engine.cases.table import read_cells, read_table
from bothways.engine.errors import DataError, Place
from bothways.engine.facts import Case, Message
from bothways.engine.files.fields import Fields, Problems, nearest
from bothways.engine.files.json import read_json, read_json_lines
from bothways.engine.files.node import Node, kind
from bothways.engine.files.text import read_text
from bothways.engine.files.yaml import read_yaml
from bothways.engine.rules import CHECKS, RULES

__all__ = ["load_cases"]

_TABLES = (".csv", ".tsv")
_ENDINGS = (".jsonl", ".ndjson", ".json", ".yaml", ".yml", *_TABLES)
_PARTS = ("id", "input", "messages", "context", "reference", "tags", "high_stakes", "tool_rules", "checks")


def load_cases(path: Path, mapping: Mapping[str, str] | None = None) -> list[Case]:
    """Read a data set; `mapping` says which column is which field (field → column).

    Fields that nobody knows, and those of conversation scripts and rubrics, are kept in `Case.extra`.
    Raises DataError with everything that is wrong.
    """
    mapping = dict(mapping or {})
    problems = Problems()
    place = Place(str(path))
    for field in mapping.keys() - set(FIELDS):
        raise DataError(replace(place, field=field), "unknown field in the mapping", nearest(field, FIELDS))
    columns: dict[str, None] = {}
    found: list[tuple[int, Case]] = []
    try:
        for record in _records(path, problems):
            columns.update(dict.fromkeys(record.value if isinstance(record.value, dict) else ()))
            fields = _fields(record, path, mapping, problems)
            if fields is not None:
                found.append((record.line, named(_case(fields))))
    except DataError as error:
        problems.note(error)
    for field, column in mapping.items():
        if columns and column not in columns:
            raise DataError(
                replace(place, field=column), f"no such column for {field}", nearest(column, columns)
            )
    problems.raise_any()
    if not found:
        raise DataError(place, "no cases", "at least one")
    check_ids(found, place.file, problems)
    problems.raise_any()
    return [case for _, case in found]


def _records(path: Path, problems: Problems) -> Iterable[Node]:
    file, ending = str(path), path.suffix.lower()
    text = read_text(path)
    if ending in _TABLES:
        return read_table(text, file, problems)
    if ending in (".jsonl", ".ndjson"):
        return read_json_lines(text.split("\n"), file)
    if ending not in _ENDINGS:
        raise DataError(Place(file), f"the ending “{ending}”", "one of " + ", ".join(_ENDINGS))
    if not text.strip():
        return ()
    root = read_json(text, file) if ending == ".json" else read_yaml(text, file)
    if not isinstance(root.value, list):
        raise DataError(Place(file, root.line), kind(root), "a list of cases")
    return root.value


def _fields(record: Node, path: Path, mapping: Mapping[str, str], problems: Problems) -> Fields | None:
    """Return the fields of a record under their own names, None where it is no record."""
    file = str(path)
    if not isinstance(record.value, dict):
        problems.add(Place(file, record.line), kind(record), "a mapping with the fields of one case")
        return None
    found = dict(zip(names(tuple(record.value), tuple(mapping.items())), record.value.values(), strict=True))
    if path.suffix.lower() in _TABLES:
        found = read_cells(found, file, problems)
    return Fields(Node(found, record.line), Place(file), problems)


def _case(fields: Fields) -> Case:
    messages = _messages(fields)
    if not messages:
        fields.problems.add(
            fields.place,
            "no input (columns: " + ", ".join(fields.names) + ")",
            "input, messages or first_message that is not blank",
            "Say which column it is: map: {input: COLUMN}.",
        )
    return Case(
        id=fields.text("id"),
        messages=messages,
        context=_context(fields),
        reference=fields.text("reference"),
        tags=_tags(fields),
        high_stakes=fields.flag("high_stakes", False) if "high_stakes" in fields else None,
        tool_rules=read_rules(fields, "tool_rules", RULES),
        checks=read_rules(fields, "checks", CHECKS),
        extra=fields.rest(besides=_PARTS),
    )


def _messages(fields: Fields) -> tuple[Message, ...]:
    """Read the conversation up to the answer that is wanted; a plain input is one message of the user."""
    given = fields.node("input")
    if "messages" in fields:
        if given is not None:
            fields.wrong("input", "both input and messages", "one of them")
        return read_messages(fields.children("messages"))
    if given is not None and isinstance(given.value, list):
        return read_messages(fields.children("input"))
    text = fields.text("input") or fields.text("first_message")
    return (Message("user", text),) if text.strip() else ()


def _context(fields: Fields) -> str:
    """Read the context; a list of passages becomes paragraphs."""
    node = fields.node("context")
    if node is not None and isinstance(node.value, list):
        return "\n\n".join(fields.texts("context"))
    return fields.text("context")


def _tags(fields: Fields) -> dict[str, str]:
    """Read tags: a mapping of texts; a list of words stands for itself."""
    node = fields.node("tags")
    if node is None or not isinstance(node.value, dict):
        return {word: word for word in fields.texts("tags")}
    tags = Fields(node, fields.at("tags"), fields.problems)
    return {name: tags.text(name) for name in tags.names if name in tags}
