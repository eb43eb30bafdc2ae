"""What a run has to do: the keys of answers, and which rows lack something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bothways.engine.experiment import Variant
from bothways.engine.facts import Case, Message, ToolCall
from bothways.engine.run.plan import answer_key

ASKED = ToolCall("get_order", {"id": "7"}, id="call-1")
CASE = Case(
    "c1",
    (
        Message("user", "Where is it?"),
        Message("assistant", "", (ASKED,)),
        Message("tool", "in transit", tool_call_id="call-1"),
    ),
)
V4 = Variant(name="v4", model="m", tool_module="shop_tools", tool_module_version="of its source")


def with_call(call: ToolCall) -> Case:
    return replace(CASE, messages=(CASE.messages[0], Message("assistant", "", (call,)), CASE.messages[2]))


@pytest.mark.parametrize(
    "edited",
    [
        with_call(replace(ASKED, arguments={"id": "8"})),
        with_call(replace(ASKED, name="get_parcel")),
        replace(CASE, messages=CASE.messages[:2]),
        replace(CASE, context="Orders take three days."),
    ],
)
def test_whatever_the_target_is_sent_is_in_the_key(edited: Case) -> None:
    assert answer_key(edited, V4) != answer_key(CASE, V4)


def test_another_source_of_the_tools_is_another_answer() -> None:
    edited = V4.model_copy(update={"tool_module_version": "of the edited source"})
    assert answer_key(CASE, edited) != answer_key(CASE, V4)


def test_what_the_target_never_sees_is_not_in_the_key() -> None:
    edited = replace(CASE, id="c2", tags={"path": "refund"}, reference="Soon.", high_stakes=True)
    assert answer_key(edited, V4.model_copy(update={"name": "v5"})) == answer_key(CASE, V4)
