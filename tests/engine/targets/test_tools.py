"""What a resumed conversation does with the tools that it had run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import ModuleType

import pytest
from tests.engine.targets.support import Direct

from bothways.engine.experiment import Tool
from bothways.engine.facts import ToolCall
from bothways.engine.targets.tools import ToolBox

TOOLS = (Tool(name="put"), Tool(name="look"))


class Resumed(Direct):
    """Has the result of the first call, as a unit that is resumed after it."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = ["in the cart (as heard before)"]

    async def keep(self, request: str, act: Callable[[], Awaitable[str]]) -> str:
        return self.kept.pop() if self.kept else await act()


def cart(*, resets: bool) -> ModuleType:
    """Return a module that keeps what was put into it."""
    module = ModuleType("cart")
    things: list[str] = []

    def put(what: str) -> str:
        things.append(what)
        return "in the cart"

    vars(module).update(put=put, look=lambda: ", ".join(things) or "empty")
    if resets:
        vars(module).update(reset=things.clear)
    return module


@pytest.mark.parametrize(("resets", "holds"), [(True, "kettle"), (False, "empty")])
async def test_only_what_can_be_reset_is_built_up_again(resets: bool, holds: str) -> None:
    tools, calls = await ToolBox.open(TOOLS, cart(resets=resets)), Resumed()
    assert await tools.use(ToolCall("put", {"what": "kettle"}), calls) == "in the cart (as heard before)"
    assert await tools.use(ToolCall("look"), calls) == holds
