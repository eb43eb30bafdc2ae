"""CSV and TSV. One rule for cells: a cell is text, but in a column of a field that is JSON elsewhere.

So `{"city": "Oslo"}` in a column `input` is that text, and in a column `tags` it is a mapping. A dotted
column `tags.path` is one tag. The delimiter is the one of `,` `;` and tab that splits the header most.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from bothways.engine.cases.columns import JSON_FIELDS
from bothways.engine.errors import DataError, Place
from bothways.engine.files.fields import Problems
from bothways.engine.files.json import parse_json
from bothways.engine.files.node import Node
from bothways.engine.text import counted

__all__ = ["read_cells", "read_table"]

# The default of 131,072 characters is less than one long conversation; C's long is 32 bits on Windows.
_LONGEST_CELL = 2**31 - 1
_FLAGS = {"true": True, "false": False, "": None}


def read_table(text: str, file: str, problems: Problems) -> Iterator[Node]:
    """Go through the rows as mappings from column to text; adds a problem for each row of another width."""
    rows = _rows(text, file, problems)
    line, header = next(rows, (1, []))
    names = [name.strip() for name in header]
    for number, name in enumerate(names, 1):
        if not name or name in names[: number - 1]:
            found = f"two columns called {name}" if name else f"column {number} has no name"
            problems.add(Place(file, line), found, "a header that names each column once")
    for number, (line, cells) in enumerate(rows, 1):
        if len(cells) != len(names):
            found = f"row {number} has {counted(len(cells), 'cell')}"
            problems.add(Place(file, line), found, f"{counted(len(names), 'cell')}, as in the header")
            continue
        row = {name: Node(cell, line, cell) for name, cell in zip(names, cells, strict=True)}
        yield Node(row, line)


def read_cells(record: dict[str, Node], file: str, problems: Problems) -> dict[str, Node]:
    """Read the cells whose fields are not text: JSON, true or false, and the dotted tags."""
    read: dict[str, Node] = {}
    tags: dict[str, Node] = {}
    for name, cell in record.items():
        if name.startswith("tags."):
            if cell.typed:
                tags[name.removeprefix("tags.")] = cell
        elif name in JSON_FIELDS:
            read[name] = _json(cell, Place(file, cell.line, name), problems)
        elif name == "high_stakes":
            read[name] = Node(_FLAGS.get(cell.typed.strip().lower(), cell.typed), cell.line, cell.typed)
        else:
            read[name] = cell
    if tags:
        whole = read.get("tags")
        known = whole.value if whole and isinstance(whole.value, dict) else {}
        read["tags"] = Node({**known, **tags}, next(iter(tags.values())).line)
    return read


def _json(cell: Node, place: Place, problems: Problems) -> Node:
    if not cell.typed.strip():
        return Node(None, cell.line)
    try:
        return Node.of(parse_json(cell.typed, place), cell.line)
    except DataError as error:
        problems.note(error)
        return Node(None, cell.line)


def _rows(text: str, file: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Go through the records that are not blank, each with the line on which it begins."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        problems.add(Place(file, line), f"broken CSV ({error})", "quotes that close, doubled inside a cell")
    finally:
        csv.field_size_limit(limit)


def _delimiter(text: str) -> str:
    header = text.lstrip("\r\n").split("\n", 1)[0]
    return max(",;\t", key=header.count)
