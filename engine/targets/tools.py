"""The tools of a model target: functions of a Python module, or canned results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import ModuleType

from bothways.engine.facts import ToolCall
from bothways.engine.models.wire import UNREAD_ARGUMENTS
from bothways.engine.spec.model import Tool
from bothways.engine.targets.code import call, fresh
from bothways.engine.text import clean

__all__ = ["ToolBox"]


class ToolBox:
    """The tools of one case. Whatever goes wrong in one becomes a message to the model, as it would live."""

    def __init__(self, tools: Sequence[Tool], module: ModuleType | None) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._module = module

    @classmethod
    async def open(cls, tools: Sequence[Tool], module: ModuleType | None) -> ToolBox:
        """Return the tools from a clean start: a fresh copy of the module, its `reset()` called."""
        if module is None:
            return cls(tools, None)
        copy = fresh(module)
        reset = getattr(copy, "reset", None)
        if callable(reset):
            await call(reset)
        return cls(tools, copy)

    async def run(self, wanted: ToolCall) -> str:
        """Return what a tool says to a call, as text."""
        tool = self._tools.get(wanted.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return f"error: there is no tool {wanted.name!r}; there are: {known}"
        if UNREAD_ARGUMENTS in wanted.arguments:
            return f"error: the arguments of {wanted.name} are no JSON object"
        function = getattr(self._module, tool.name, None)
        if not callable(function):
            if tool.result is None:
                return f"error: the tool {tool.name} is not available"
            return _text(tool.result)
        try:
            return _text(await call(function, **wanted.arguments))
        except Exception as error:  # noqa: BLE001 - a tool is somebody else's code and may raise anything
            return f"error: {type(error).__name__}: {error}"


def _text(result: object) -> str:
    return clean(result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str))
