"""The tools of a model target: functions of a Python module, or canned results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import ModuleType

from bothways.engine.experiment import Tool
from bothways.engine.facts import ToolCall
from bothways.engine.keys import digest
from bothways.engine.models.wire import UNREAD_ARGUMENTS
from bothways.engine.targets.base import Calls
from bothways.engine.targets.code import call, fresh
from bothways.engine.text import clean

__all__ = ["ToolBox"]


class ToolBox:
    """The tools of one case. Whatever goes wrong in one becomes a message to the model, as it would live."""

    def __init__(self, tools: Sequence[Tool], module: ModuleType | None) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._module = module
        self._keeps_state = callable(getattr(module, "reset", None))

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

    async def use(self, wanted: ToolCall, calls: Calls) -> str:
        """Run a tool, unless the conversation is resumed and has its result: the model hears what it heard.

        A module with a `reset()` has a state of its own, which is built up again by running what was run
        before; one without is taken to act on the world, and does nothing twice.
        """
        if self._module is None:
            return await self.run(wanted)
        ran = False

        async def act() -> str:
            nonlocal ran
            ran = True
            return await self.run(wanted)

        result = await calls.keep(digest("tool", wanted.id, wanted.name, wanted.arguments), act)
        if self._keeps_state and not ran:
            await self.run(wanted)
        return result

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
