"""Preference pairs in the conversational format of TRL."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

from tests.engine.ledger_fake import AT, FakeLedger, FakePass, FakeRow, case
from tests.engine.shop import experiment, ledger, row

from bothways.engine.analysis.gather import gather
from bothways.engine.exchange.dpo import Preferences, write_dpo
from bothways.engine.experiment import Tool
from bothways.engine.facts import Answer, Failure, FailureKind, Message, ToolCall
from bothways.engine.gate.gate import evaluate
from bothways.engine.review import Act, Said, act

USER = Message("user", "Where is my order?")


def written(facts: FakeLedger) -> tuple[list[dict[str, Any]], Preferences]:
    out = io.StringIO()
    found = write_dpo(facts, gather(facts, facts.experiment.name, today=AT), out)
    return [json.loads(line) for line in out.getvalue().splitlines()], found


def preferring(old: Answer, new: Answer, *messages: Message, context: str = "") -> FakeLedger:
    """One row that the candidate wins in both passes."""
    passes = (FakePass(("v4", "v5"), 1), FakePass(("v5", "v4"), 0))
    asked = replace(case("c1"), messages=messages or (USER,), context=context)
    return FakeLedger(experiment(), [FakeRow(asked, (("v4", old), ("v5", new)), passes)])


def turns(*said: Message) -> Answer:
    return Answer(said[-1].content, messages=said)


def reviewed(facts: FakeLedger, what: Act) -> FakeLedger:
    evidence = gather(facts, facts.experiment.name, today=AT)
    body = act(facts, evidence, evaluate(evidence), evidence.rows[0], what, Said("kim", AT, reason="r"))
    facts.append("review", body, AT)
    return facts


def test_the_winner_is_chosen_and_the_loser_rejected() -> None:
    (line,), _ = written(preferring(Answer("old"), Answer("new")))
    assert line["prompt"] == [{"role": "user", "content": "Where is my order?"}]
    assert line["chosen"] == [{"role": "assistant", "content": "new"}]
    assert line["rejected"] == [{"role": "assistant", "content": "old"}]
    assert (line["source"], line["by"], line["case"]) == ("judge", "judge", "c1")
    assert (line["chosen_variant"], line["rejected_variant"]) == ("v5", "v4")


def test_a_person_decides_over_the_judge() -> None:
    (line,), _ = written(reviewed(preferring(Answer("old"), Answer("new")), Act.BASELINE))
    assert (line["source"], line["by"], line["chosen_variant"]) == ("human", "kim", "v4")


def test_what_prefers_nothing_is_left_out_and_counted() -> None:
    lines, found = written(ledger("refund-flow"))
    assert len(lines) == found.written == 29
    assert found.left_out == {"tie": 1, "undecided": 10}


def test_both_bad_prefers_nothing() -> None:
    lines, found = written(reviewed(preferring(Answer("old"), Answer("new")), Act.BOTH_BAD))
    assert (lines, found.left_out) == ([], {"both bad": 1})


def test_the_same_answer_twice_prefers_nothing() -> None:
    assert written(preferring(Answer("same"), Answer("same")))[1].left_out == {"both answers are the same": 1}


def test_a_row_without_both_answers_prefers_nothing() -> None:
    lost = Answer(failure=Failure(FailureKind.TIMEOUT, "late"))
    facts = FakeLedger(experiment(), [replace(row(1, "uu"), answers=(("v4", lost), ("v5", Answer("new"))))])
    assert written(facts)[1].left_out == {"undecided": 1}


def test_a_conversation_parts_where_the_two_assistants_differ() -> None:
    hello, ask = Message("assistant", "Hello!"), Message("user", "Refund?")
    old = turns(USER, hello, ask, Message("assistant", "No."))
    new = turns(
        USER, hello, ask, Message("assistant", "Yes."), Message("user", "Thanks"), Message("assistant", "Bye")
    )
    (line,), _ = written(preferring(old, new))
    assert [m["content"] for m in line["prompt"]] == ["Where is my order?", "Hello!", "Refund?"]
    assert [m["content"] for m in line["rejected"]] == ["No."]
    assert [(m["role"], m["content"]) for m in line["chosen"]] == [
        ("assistant", "Yes."), ("user", "Thanks"), ("assistant", "Bye"),
    ]  # fmt: skip


def test_where_the_users_differ_the_assistant_before_them_is_part_of_the_answer() -> None:
    hello = Message("assistant", "Hello!")
    old = turns(USER, hello, Message("user", "x"), Message("assistant", "No."))
    new = turns(USER, hello, Message("user", "y"), Message("assistant", "Yes."))
    (line,), _ = written(preferring(old, new))
    assert [m["content"] for m in line["prompt"]] == ["Where is my order?"]
    assert [m["content"] for m in line["chosen"]] == ["Hello!", "y", "Yes."]


def test_conversations_that_begin_differently_are_left_out() -> None:
    old = turns(Message("user", "x"), Message("assistant", "No."))
    new = turns(Message("user", "y"), Message("assistant", "Yes."))
    assert written(preferring(old, new))[1].written == 0


def test_the_variants_own_prompts_are_in_no_line() -> None:
    old = turns(Message("system", "Be kind."), USER, Message("assistant", "No."))
    new = turns(Message("system", "Be brief."), USER, Message("assistant", "Yes."))
    (line,), _ = written(preferring(old, new))
    assert [m["role"] for m in line["prompt"] + line["chosen"]] == ["user", "assistant"]


def test_the_context_of_a_case_stands_before_its_question() -> None:
    (line,), _ = written(preferring(Answer("old"), Answer("new"), context="Orders: 7"))
    assert line["prompt"][0] == {"role": "system", "content": "Orders: 7"}
    (line,), _ = written(
        preferring(Answer("old"), Answer("new"), Message("system", "You sell."), USER, context="Orders: 7")
    )
    assert line["prompt"][0] == {"role": "system", "content": "You sell.\n\nOrders: 7"}


CALL = ToolCall("get_order", {"id": "7"}, id="x1", result="left")


def test_tool_calls_are_messages_of_the_answer() -> None:
    made = turns(Message("assistant", tool_calls=(CALL,)), Message("tool", "left", tool_call_id="x1"),
                 Message("assistant", "It left."))  # fmt: skip
    expected = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"type": "function", "function": {"name": "get_order", "arguments": {"id": "7"}}}],
        },
        {"role": "tool", "name": "get_order", "content": "left"},
        {"role": "assistant", "content": "It left."},
    ]
    (line,), _ = written(preferring(Answer("old"), made))
    assert line["chosen"] == expected
    (line,), _ = written(preferring(Answer("old"), Answer("It left.", tool_calls=(CALL,))))
    assert line["chosen"] == expected


def test_ids_of_calls_are_no_difference() -> None:
    def with_id(name: str, text: str) -> Answer:
        call = replace(CALL, id=name)
        return turns(Message("assistant", tool_calls=(call,)), Message("tool", "left", tool_call_id=name),
                     Message("assistant", text))  # fmt: skip

    (line,), _ = written(preferring(with_id("x", "old"), with_id("y", "new")))
    assert [m["role"] for m in line["prompt"]] == ["user", "assistant", "tool"]
    assert line["chosen"] == [{"role": "assistant", "content": "new"}]


def test_tools_that_both_variants_have_come_along() -> None:
    facts = preferring(Answer("old"), Answer("new"))
    tools = (Tool(name="get_order", description="d", parameters={"type": "object"}),)
    spec = facts.experiment
    (new,) = spec.candidates
    both = {"baseline": spec.baseline.model_copy(update={"tools": tools})}
    facts.experiment = spec.model_copy(
        update=both | {"candidates": (new.model_copy(update={"tools": tools}),)}
    )
    function = {"name": "get_order", "description": "d", "parameters": {"type": "object"}}
    assert written(facts)[0][0]["tools"] == [{"type": "function", "function": function}]
    facts.experiment = spec.model_copy(update=both)
    assert "tools" not in written(facts)[0][0]
