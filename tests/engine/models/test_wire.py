"""What a server says, read without trusting it."""

from __future__ import annotations

import pytest

from bothways.engine.facts import JsonValue, Usage
from bothways.engine.models.wire import read_tool_calls, read_usage


@pytest.mark.parametrize("count", [99999999999999999999999, 2**53 + 1, -1, 1.5, True, "7"])
def test_a_count_that_cannot_be_meant_is_unknown(count: JsonValue) -> None:
    assert read_usage({"prompt_tokens": count, "completion_tokens": 2**53}) == Usage(None, 2**53, None)


def test_a_turn_that_cannot_be_meant_is_the_turn_it_came_in() -> None:
    (call,) = read_tool_calls([{"name": "refund", "turn": 10**30}], turn=2)
    assert call.turn == 2
