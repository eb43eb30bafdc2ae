"""Variants: the baseline as written, and each candidate as the baseline plus what it changes."""

from __future__ import annotations

import shlex
from pathlib import Path

from pydantic import ValidationError

from bothways.engine.experiment import Variant
from bothways.engine.facts import JsonObject
from bothways.engine.files.fields import Fields, nearest
from bothways.engine.files.node import Node
from bothways.engine.names import check_name
from bothways.engine.spec.files import function_version, module_version, read_prompt, read_recording
from bothways.engine.spec.tools import read_tools

__all__ = ["over", "read_address", "read_variant"]

_SOURCES = ("model", "http", "function", "command")
_PROGRAM = (
    "a program and its arguments, e.g. python agent.py; it reads one JSON object on stdin "
    'and writes {"text": "…"} to stdout'
)
# What goes when a candidate names one of the group: these stand for each other, or belong together.
_GROUPS = (
    (_SOURCES, {*_SOURCES, "endpoint", "version"}),
    (("prompt", "prompt_text"), {"prompt", "prompt_text"}),
)


def over(baseline: Node, candidate: Node) -> Node:
    """Return the candidate with everything that it does not change taken from the baseline.

    A candidate that names a source drops the baseline's, with its endpoint and version; `params` are merged
    one by one; an empty value takes a field or parameter away. A recording is never taken over: it holds
    the answers of the baseline, and a candidate that a recording answers too names it itself.
    """
    if not isinstance(baseline.value, dict) or not isinstance(candidate.value, dict):
        return candidate
    changed = candidate.value
    dropped = {"name", "replay"}.union(
        *(gone for named, gone in _GROUPS if any(name in changed for name in named))
    )
    kept = {name: node for name, node in baseline.value.items() if name not in dropped}
    merged = {**kept, **changed}
    old, new = kept.get("params"), changed.get("params")
    if old and new and isinstance(old.value, dict) and isinstance(new.value, dict):
        merged["params"] = Node({**old.value, **new.value}, new.line)
    return Node(merged, candidate.line)


def read_variant(fields: Fields) -> Variant:
    """Read one variant with every file that it names."""
    replay, recorded = read_recording(fields)
    declared = fields.optional("version")
    function = fields.optional("function")
    source = function_version(fields) if function else None
    tool_module = fields.optional("tool_module")
    _check_source(fields)
    variant = Variant(
        name=_name(fields),
        model=fields.optional("model"),
        endpoint=read_address(fields, "endpoint"),
        http=_http(fields),
        function=function,
        command=_command(fields),
        replay=replay,
        version=recorded or declared or source,
        prompt=read_prompt(fields),
        tools=read_tools(fields),
        tool_module=tool_module,
        tool_module_version=module_version(fields, "tool_module", tool_module) if tool_module else None,
        max_tool_rounds=fields.whole("max_tool_rounds", 8),
        params={name: value for name, value in fields.object("params").items() if value is not None},
        folder=str(Path(fields.place.file).parent.absolute()),
    )
    fields.finish()
    return variant


def _name(fields: Fields) -> str:
    name = fields.required("name")
    check_name(name, fields.at("name"), fields.problems)
    return name


def _check_source(fields: Fields) -> None:
    """Note where nothing answers, or two things would."""
    sources = [name for name in _SOURCES if name in fields]
    if len(sources) > 1:
        fields.wrong(sources[1], f"both {sources[0]} and {sources[1]}", "one source of answers")
    if "command" in fields.names and "command" not in fields and not sources:
        fields.wrong("command", "empty", _PROGRAM)
    elif not sources and "replay" not in fields:
        expected = f"one of {', '.join(_SOURCES)}, replay"
        fields.problems.add(fields.place, "nothing that answers", expected)
    if "endpoint" in fields and "model" not in fields:
        fields.wrong("endpoint", "an endpoint without a model", "model: the name that the endpoint knows")


def read_address(fields: Fields, name: str) -> str | None:
    """Read the address of a server, None where there is none."""
    address = fields.optional(name)
    if address is not None and not address.startswith(("http://", "https://", "${")):
        fields.wrong(name, "no address", "a URL, e.g. https://host/v1")
    return address


def _http(fields: Fields) -> JsonObject | None:
    """Read an agent behind HTTP: a URL, or a mapping with `url` and how to ask it."""
    node = fields.node("http")
    if node is None:
        return None
    if isinstance(node.value, str):
        read_address(fields, "http")
        return {"url": node.value}
    settings = fields.object("http")
    if settings:
        _check_agent(Fields(node, fields.at("http"), fields.problems), settings)
    return settings


def _check_agent(agent: Fields, settings: JsonObject) -> None:
    """Note what the agent's settings should not hold, by their own model."""
    from bothways.engine.targets.http_settings import HttpSettings  # jmespath, which few specs need

    read_address(agent, "url")
    try:
        HttpSettings.model_validate(settings)
    except ValidationError as error:
        for wrong in error.errors():
            name = str(wrong["loc"][0])
            if wrong["type"] == "extra_forbidden":
                agent.wrong(name, "unknown field", nearest(name, HttpSettings.model_fields))
            else:
                agent.wrong(name, wrong["type"].replace("_", " "), wrong["msg"])


def _command(fields: Fields) -> tuple[str, ...] | None:
    """Read a command: a list of its words, or a line as a shell would split it; no shell ever runs."""
    node = fields.node("command")
    if node is None:
        return None
    if not isinstance(node.value, str):
        words = fields.texts("command")
    else:
        try:
            words = tuple(shlex.split(node.value))
        except ValueError as error:
            fields.wrong("command", str(error), "a command with quotes that close")
            return None
    if not words or not words[0].strip():
        fields.wrong("command", "empty", _PROGRAM)
    return words
