"""Which column of a foreign file is which field of a case."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

__all__ = ["FIELDS", "JSON_FIELDS", "names"]

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


@lru_cache(maxsize=256)
def names(columns: tuple[str, ...], mapping: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return, for the columns of a record, the fields they are; the others keep their names.

    Names are compared without case, outer spaces, and with `_` for spaces and hyphens. A field's own name
    goes before its usual names elsewhere; a column that `mapping` (field, column) claims is nothing else.
    """
    mapped = dict(mapping)
    fields = {column: field for field, column in mapping if column in columns}
    left = {_plain(column): column for column in reversed(columns) if column not in fields}
    for field, usual in _USUAL.items():
        column = next((left[name] for name in (field, *usual) if name in left), None)
        if column is not None and field not in mapped:
            fields.setdefault(column, field)
    return tuple(fields.get(column, _free(column, fields)) for column in columns)


def _free(column: str, fields: Mapping[str, str]) -> str:
    """Return a name for a column that is no field, although it may be called like one."""
    return f"{column} (column)" if column in fields.values() else column


def _plain(column: str) -> str:
    return column.strip().lower().replace(" ", "_").replace("-", "_")
