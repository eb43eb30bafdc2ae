"""Which column of a foreign file is which field of a case."""

from __future__ import annotations

from collections.abc import Mapping

from bothways.engine.files.node import Node

__all__ = ["FIELDS", "JSON_FIELDS", "rename"]

_USUAL: dict[str, tuple[str, ...]] = {
    "id": ("case_id", "question_id"),
    "input": ("question", "prompt", "query", "instruction", "user_input", "user"),
    "messages": ("conversation",),
    "first_message": (),
    "context": ("contexts", "document", "documents"),
    "reference": (
        "expected", "gold", "answer", "gold_answer", "expected_output", "expected_answer",
        "reference_answer", "ground_truth", "ideal", "target",
    ),
    "tags": ("labels",),
    "high_stakes": (),
    "tool_rules": (),
    "checks": (),
    "persona": (),
    "max_turns": (),
    "expected_outcomes": (),
    "anti_patterns": (),
    "key_dimensions": (),
}  # fmt: skip
FIELDS = tuple(_USUAL)
JSON_FIELDS = frozenset(
    {"messages", "tags", "tool_rules", "checks", "expected_outcomes", "anti_patterns", "key_dimensions"}
)


def rename(record: Mapping[str, Node], mapping: Mapping[str, str]) -> dict[str, Node]:
    """Return the record with its columns under the names of the fields they are; the rest keep theirs.

    Names are compared without case, outer spaces, and with `_` for spaces and hyphens. A field's own name
    goes before its usual names elsewhere; a column that `mapping` (field → column) claims is nothing else.
    """
    fields = {column: field for field, column in mapping.items() if column in record}
    columns = {_plain(column): column for column in reversed(list(record)) if column not in fields}
    for field, usual in _USUAL.items():
        if field in mapping:
            continue
        column = next((columns[name] for name in (field, *usual) if name in columns), None)
        if column is not None:
            fields.setdefault(column, field)
    return {fields.get(column, _free(column, fields)): node for column, node in record.items()}


def _free(column: str, fields: Mapping[str, str]) -> str:
    """Return a name for a column that is no field, although it may be called like one."""
    return f"{column} (column)" if column in fields.values() else column


def _plain(column: str) -> str:
    return column.strip().lower().replace(" ", "_").replace("-", "_")
