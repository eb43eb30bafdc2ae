"""Rows of two answers: as one text, as conversations, and by place on the screen alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bothways.widgets.beside import alone, beside, compared, laid, unified
from bothways.widgets.plain import Line
from bothways.widgets.rowview import SideText, Turn

WIDE = 10_000


def text_of(row: Line) -> str:
    return "".join(run.text for run in row)


def columns(left: SideText, right: SideText) -> list[tuple[str, str]]:
    pairs = laid(left, right)
    return [(text_of(one), text_of(other)) for one, other in beside(pairs, compared(pairs), (WIDE, WIDE))]


def as_one(left: SideText, right: SideText) -> list[str]:
    pairs = laid(left, right)
    return [text_of(row) for (row,) in unified(pairs, compared(pairs), WIDE)]


texts = st.text(alphabet="ab \n.é漢", max_size=60)


@given(texts, texts)
def test_without_its_signs_a_unified_text_gives_back_both(left: str, right: str) -> None:
    rows = as_one(SideText("l", left or "."), SideText("r", right or "."))
    assert "\n".join(row[2:] for row in rows if row[0] in " -") == (left or ".")
    assert "\n".join(row[2:] for row in rows if row[0] in " +") == (right or ".")


@given(texts, texts)
def test_marks_change_no_text(left: str, right: str) -> None:
    rows = columns(SideText("l", left or "."), SideText("r", right or "."))
    assert "\n".join(one for one, _ in rows).rstrip("\n") == (left or ".").rstrip("\n")
    assert "\n".join(other for _, other in rows).rstrip("\n") == (right or ".").rstrip("\n")


def call(name: str, text: str) -> Turn:
    return Turn(f"→ {name}", text, call=True)


LEFT = SideText(
    "v4", "", "", (Turn("user", "hi"), call("get", "id: 1\n← paid"), Turn("assistant", "It is\npaid."))
)
RIGHT = SideText(
    "v5", "", "", (Turn("user", "hi"), Turn("assistant", "Wait."), call("get", "id: 2\n← paid"),
                   Turn("assistant", "It was paid."))
)  # fmt: skip


def test_turns_of_a_conversation_stand_beside_each_other_under_who_speaks() -> None:
    assert columns(LEFT, RIGHT) == [
        ("── user", "── user"),
        ("hi", "hi"),
        ("", "── assistant"),
        ("", "Wait."),
        ("→ get", "→ get"),
        ("id: 1", "id: 2"),
        ("← paid", "← paid"),
        ("── assistant", "── assistant"),
        ("It is", "It was paid."),
        ("paid.", ""),
    ]


def test_a_conversation_read_as_one_says_whose_each_turn_is() -> None:
    assert as_one(LEFT, RIGHT) == [
        "  ── user", "  hi",
        "+ ── assistant", "+ Wait.",
        "  → get", "- id: 1", "+ id: 2", "  ← paid",
        "  ── assistant", "- It is", "- paid.", "+ It was paid.",
    ]  # fmt: skip


def test_one_side_alone_has_no_holes() -> None:
    pairs = laid(LEFT, RIGHT)
    rows = [text_of(row) for (row,) in alone(pairs, compared(pairs), 0, WIDE)]
    assert rows == ["── user", "hi", "→ get", "id: 1", "← paid", "── assistant", "It is", "paid."]


def test_tones_follow_the_place_on_the_screen_whoever_stands_there() -> None:
    def tones(left: str, right: str) -> list[set[str]]:
        pairs = laid(SideText("a", left), SideText("b", right))
        rows = list(beside(pairs, compared(pairs), (WIDE, WIDE)))
        return [{run.tone for row in rows for run in row[place] if run.tone} for place in (0, 1)]

    assert tones("old", "new") == tones("new", "old") == [{"removed"}, {"added"}]
