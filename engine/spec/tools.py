"""The tools of a variant: a list in the spec, or a YAML or JSON file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from bothways.engine.errors import DataError, Place
from bothways.engine.experiment import Tool
from bothways.engine.files.fields import Fields
from bothways.engine.files.json import read_json
from bothways.engine.files.node import Node, kind
from bothways.engine.files.text import read_text
from bothways.engine.files.yaml import read_yaml
from bothways.engine.spec.files import named_file

__all__ = ["read_tools"]


def read_tools(variant: Fields) -> tuple[Tool, ...]:
    """Read `tools`; each has a name of its own."""
    tools: dict[str, Tool] = {}
    for fields in _lists(variant):
        tool = _tool(fields.child("function") or fields, fields)
        if tool.name in tools:
            fields.wrong("name", f"two tools called {tool.name}", "a name for each tool")
        tools[tool.name] = tool
    return tuple(tools.values())


def _tool(fields: Fields, outer: Fields) -> Tool:
    """Read one tool, also in the form of OpenAI's `{"type": "function", "function": {…}}`."""
    if fields is not outer:
        outer.text("type")
    result = outer.node("result")
    tool = Tool(
        name=fields.required("name"),
        description=fields.text("description"),
        parameters=fields.object("parameters"),
        writes=outer.flag("writes", False),
        result=result.plain() if result else None,
    )
    fields.finish()
    if fields is not outer:
        outer.finish()
    return tool


def _lists(variant: Fields) -> Iterator[Fields]:
    node = variant.node("tools")
    if node is None or not isinstance(node.value, str):
        yield from variant.children("tools")
        return
    path = named_file(variant, "tools")
    if path is None:
        return
    try:
        text = read_text(path)
        root = read_json(text, str(path)) if path.suffix == ".json" else read_yaml(text, str(path))
    except DataError as error:
        variant.problems.note(error)
        return
    whole = Fields(Node({"tools": root}, root.line), Place(str(path)), variant.problems)
    if isinstance(root.value, list):
        yield from whole.children("tools")
    else:
        whole.wrong("tools", kind(root), "a list of tools")
