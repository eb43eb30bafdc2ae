from __future__ import annotations

from bothways.app.desk.review.conversation import conversation
from bothways.engine.facts import Answer, Message, ToolCall
from bothways.widgets.rowview import Turn


def never(_: str) -> bool:
    return False


def test_a_plain_answer_is_no_conversation() -> None:
    assert conversation(Answer("paid"), never) == ()
    assert conversation(Answer("paid", (Message("assistant", "paid"),)), never) == ()


def test_calls_stand_in_their_turn_with_what_came_back() -> None:
    call = ToolCall("get_order", {"id": "7", "full": True}, id="c1")
    answer = Answer(
        "It is paid.",
        (
            Message("user", "Where is it?"),
            Message("assistant", "Let me see.", (call,)),
            Message("tool", "paid", tool_call_id="c1"),
            Message("assistant", "It is paid."),
        ),
    )
    assert conversation(answer, lambda name: name == "get_order") == (
        Turn("user", "Where is it?"),
        Turn("assistant", "Let me see."),
        Turn("→ get_order (writes)", 'id: "7", full: true\n← paid', call=True),
        Turn("assistant", "It is paid."),
    )


def test_a_long_result_says_how_much_more_there_is() -> None:
    call = ToolCall("get", id="c1", result="x" * 1_160)
    answer = Answer("", (Message("user", "hi"), Message("assistant", tool_calls=(call,))))
    assert conversation(answer, never)[-1].text == f"no arguments\n← {'x' * 160} … 1,000 more characters"


def test_a_call_without_an_id_and_a_result_without_a_call_are_shown_too() -> None:
    answer = Answer(
        "done",
        (Message("assistant", tool_calls=(ToolCall("get"),)), Message("tool", "late", tool_call_id="gone")),
    )
    assert [(turn.head, turn.text) for turn in conversation(answer, never)] == [
        ("→ get", "no arguments"),
        ("tool", "late"),
        ("assistant", "done"),
    ]
