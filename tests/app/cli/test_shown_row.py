"""What a reader without a screen is shown of a row: the same view as on the screen, line after line."""

from __future__ import annotations

from dataclasses import replace

from bothways.app.cli.shown_row import shown_row
from bothways.widgets.rowview import CallView, CaseView, PassView, RowView, SideText, ToolsView, Turn

ASKED = CaseView("r-1", (("user", "Where is it?"),), context="order 9", reference="in Ghent")
VIEW = RowView(
    left=SideText("v4 · baseline", "On its way."),
    right=SideText("v5 · candidate", missing="no answer · timeout: too slow"),
    passes=(PassView(("v4", "v5"), "first", "it answers"), PassView(("v5", "v4"), "second", "it answers")),
    tools=ToolsView(
        "v4", "v5", ((CallView("get_order", (("id", "9"),)), None),), reasons=("v5 does not call get_order",),
        signed="signed ok by ann",
    ),
    case=ASKED,
    rules=(),
    history=(),
)  # fmt: skip


def test_a_row_is_printed_with_question_answers_calls_and_passes() -> None:
    assert shown_row(VIEW).splitlines() == [
        "Asked: Where is it?", "Context: order 9", "Reference: in Ghent",
        "--- left: v4 · baseline", "On its way.", "tool: get_order id: 9",
        "--- right: v5 · candidate", "(no answer · timeout: too slow)",
        "--- tools", "v5 does not call get_order", "signed ok by ann",
        "--- passes", "v4 shown first: v4. it answers", "v5 shown first: v4. it answers",
        "The judge named v4 both times, wherever it stood.",
    ]  # fmt: skip


def test_a_conversation_is_printed_turn_by_turn_with_its_calls_in_their_place() -> None:
    turns = (Turn("user", "Hi"), Turn("→ get_order", "id: 9", call=True), Turn("assistant", "In Ghent."))
    case = replace(ASKED, messages=(("system", "Be kind."), ("user", "Hi")), context="", reference="")
    text = shown_row(replace(VIEW, left=replace(VIEW.left, turns=turns), case=case))
    assert "Asked:\nsystem: Be kind.\nuser: Hi\n---" in text
    assert "user: Hi\n→ get_order: id: 9\nassistant: In Ghent.\n--- right" in text
    assert "tool: " not in text


def test_what_is_hidden_is_not_printed() -> None:
    text = shown_row(replace(VIEW, hidden="Blind: hidden.", passes=()))
    assert "--- left\n" in text
    assert "Blind: hidden." in text
    assert "v4 · baseline" not in text
