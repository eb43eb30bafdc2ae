"""The text of a spec from its fields: YAML that reads back as what was meant, with comments that teach."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import yaml

from bothways.engine.errors import DataError
from bothways.engine.facts import JsonValue
from bothways.engine.files.yaml import read_yaml
from bothways.engine.spec.comments import COMMENTS, PATHS
from bothways.engine.text import clean, visible_line

__all__ = ["as_data", "as_list", "as_text", "as_typed", "compose"]

Tree: TypeAlias = "dict[str, str | Tree]"
_ENTRY = re.compile(r"(\w+)\[(\d+)\]")
_UNQUOTED = re.compile(r"[^\W\d_][\w ./:@+,()–-]*")
_BARE = re.compile(r"[^\W\d_][\w./-]*")


def compose(fields: Iterable[tuple[str, str]], file: str) -> str:
    """Return a spec of these fields in their order, to be kept in a file of this name.

    A field is named as errors name it (`candidates[0].prompt`); its value is YAML already, as the functions
    below make it.
    """
    tree: Tree = {}
    for name, value in fields:
        *parents, last = name.split(".")
        at = tree
        for parent in parents:
            inside = at.setdefault(parent, {})
            assert isinstance(inside, dict), f"{name} is inside a field that has a value"
            at = inside
        at[last] = value
    head = f"# Try it:\n#   bothways check {visible_line(shlex.quote(file))}\n{PATHS}"
    return head + "".join(_top(tree))


def _top(tree: Tree) -> Iterator[str]:
    """Yield the lines, with an empty one and a comment above each part."""
    listed = ""
    for name, value in tree.items():
        entry = _ENTRY.fullmatch(name)
        shown = entry[1] if entry else name
        if shown != listed and (isinstance(value, dict) or shown in COMMENTS or not listed):
            yield "\n" + COMMENTS.get(shown, "")
        if entry is None:
            yield from _field(name, value, "")
        else:
            yield from [f"{shown}:\n"] if shown != listed else []
            first, *rest = "".join(_inside(value, "    ")).split("\n", 1)
            yield f"  - {first.strip()}\n" + "".join(rest)
        listed = shown


def _inside(value: str | Tree, indent: str) -> Iterator[str]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        yield from _field(name, inner, indent)


def _field(name: str, value: str | Tree, indent: str) -> Iterator[str]:
    if isinstance(value, str):
        lines = value.split("\n")
        yield f"{indent}{name}: {lines[0]}\n"
        yield from (f"{indent}  {line}\n" if line else "\n" for line in lines[1:])
    else:
        yield f"{indent}{name}:\n"
        yield from _inside(value, indent + "  ")


def as_text(text: str) -> str:
    """Return YAML that reads as this text: as it is where that works, a block for lines, else quoted."""
    text = clean(text)
    block = "|-\n" + text
    if "\n" in text and _read("x: " + block.replace("\n", "\n  ")) == {"x": text}:
        return block
    return text if _UNQUOTED.fullmatch(text) and _reads_everywhere(text) else _line(text)


def as_typed(text: str) -> str:
    """Return YAML for a number, a word or a flag as it was typed; anything else is text."""
    text = text.strip()
    found = _read(text)
    return text if isinstance(found, str | int | float) and found != "" and "#" not in text else as_text(text)


def as_list(text: str) -> str:
    """Return YAML for texts between commas."""
    return f"[{', '.join(_line(item.strip()) for item in text.split(',') if item.strip())}]"


def as_data(text: str) -> str:
    """Return YAML for a mapping or a list that was typed in one line; `null`, which takes away, is itself."""
    if text.strip() == "null":
        return "null"
    found = _read(clean(text))
    return json.dumps(found, ensure_ascii=True) if isinstance(found, dict | list) else as_typed(text)


def _line(text: str) -> str:
    """Return text on one line, quoted so that it reads back; bare where nothing in it could mislead."""
    if _BARE.fullmatch(text) and _reads_everywhere(text):
        return text
    return yaml.safe_dump(clean(text), default_style='"', allow_unicode=True, width=2**31 - 1).rstrip("\n")


def _reads_everywhere(text: str) -> bool:
    """Tell whether unquoted text stays text, here and where `no` is false."""
    written = "x: " + text
    return _read(written) == {"x": text} and yaml.safe_load(written) == {"x": text}


def _read(text: str) -> JsonValue:
    """Return what a text is as YAML; None where it is none, or says nothing."""
    try:
        return read_yaml(text, "").plain()
    except DataError:
        return None
