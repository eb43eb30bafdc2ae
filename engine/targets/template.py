"""Placeholders in a request: `{{input}}` for what a case holds, `${NAME}` for the environment.

Never `str.format`: a prompt is full of braces, and what a case says is never read as a template again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from bothways.engine.errors import UsageError
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.targets.result import as_text

__all__ = ["fill", "fill_text", "from_environment", "unknown_placeholders"]

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


def fill(template: JsonValue, values: JsonObject) -> JsonValue:
    """Return the JSON structure with its placeholders filled.

    A string that is nothing but a placeholder becomes the value as it is (a list of messages stays a list);
    within a longer string stands the value's text.
    """
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        return values[whole[1]] if whole else fill_text(template, values)
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if isinstance(template, dict):
        return {key: fill(item, values) for key, item in template.items()}
    return template


def fill_text(template: str, values: JsonObject, escape: Callable[[str], str] = str) -> str:
    """Return the text with the values' texts in place of its placeholders, each escaped."""
    return _PLACEHOLDER.sub(lambda found: escape(as_text(values[found[1]]) or ""), template)


def unknown_placeholders(template: JsonValue, known: Mapping[str, object]) -> list[str]:
    """Return the placeholders that nothing fills."""
    if isinstance(template, str):
        return [name for name in _PLACEHOLDER.findall(template) if name not in known]
    parts = (
        template
        if isinstance(template, list)
        else list(template.values())
        if isinstance(template, dict)
        else []
    )
    return [name for part in parts for name in unknown_placeholders(part, known)]


def from_environment(text: str, secrets: set[str]) -> str:
    """Return the text with `${NAME}` from the environment; what was put in is added to `secrets`."""

    def value(found: re.Match[str]) -> str:
        given = os.environ.get(found[1])
        if given is None:
            raise UsageError(
                f"the environment holds no {found[1]}", f"asked for in {text!r}", "set it and run again"
            )
        secrets.add(given)
        return given

    return _VARIABLE.sub(value, text)
