from __future__ import annotations

from collections.abc import Iterable

import pytest

from bothways.widgets.pages.case import context_page, rules_page
from bothways.widgets.pages.conditions import ConditionView, State, condition_rows
from bothways.widgets.pages.passes import passes_page
from bothways.widgets.pages.progress import RunView, StageView, bar, progress_page, span
from bothways.widgets.pages.tools import tools_page
from bothways.widgets.plain import Line
from bothways.widgets.rowview import CallView, CaseView, PassView, RuleView, Said, ToolsView, sentence


def text(lines: Iterable[Line]) -> str:
    return "\n".join("".join(run.text for run in line) for line in lines)


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("first", "first", "named whichever answer came first, both times"),
        ("second", "second", "named whichever answer came second, both times"),
        ("second", "first", "named v5 both times, wherever it stood"),
        ("first", "second", "named v4 both times, wherever it stood"),
        ("tie", "tie", "found them equally good, or both unacceptable, both times"),
        ("second", "tie", "named v5 when it was shown second, and a tie the other way round"),
        ("tie", "second", "named v4 when it was shown second, and a tie the other way round"),
        ("unreadable", "first", "could not be read in the first pass"),
        ("first", "unreadable", "could not be read in the second pass"),
        ("unreadable", "unreadable", "could be read in neither pass"),
        ("not tried", "first", "has not said all of it yet"),
    ],
)
def test_the_sentence_says_what_the_judge_did(first: Said, second: Said, says: str) -> None:
    assert sentence([PassView(("v4", "v5"), first), PassView(("v5", "v4"), second)]) == says


def test_one_order_is_said_to_be_one_order() -> None:
    assert "only one order" in sentence([PassView(("v4", "v5"), "first")])


def test_passes_are_shown_in_the_judges_own_order() -> None:
    page = text(passes_page([PassView(("v5", "v4"), "second", "because")]))
    assert "shown first: v5 · second: v4" in page
    assert "→ v4 (the second shown)" in page


def test_tool_calls_are_marked_by_sign_not_only_by_colour() -> None:
    get, other, mail = (
        CallView("get", (("id", "1"), ("part", "a"))),
        CallView("get", (("id", "2"), ("part", "a"))),
        CallView("mail", writes=True),
    )
    view = ToolsView("v4", "v5", ((get, get), (get, other), (None, mail)), "changed")
    page = text(tools_page(view)).splitlines()
    assert "= get  turn 1" in page
    assert page[-5:] == ["~ get  turn 1", "  - id: 1", "  + id: 2", "    part: a", "+ mail W  turn 1"]


def test_with_room_the_calls_of_both_sides_stand_in_two_columns() -> None:
    get = CallView("get", (("id", "1"),), "paid")
    other = CallView("get", (("id", "2"),), "paid", turn=1)
    page = text(tools_page(ToolsView("left", "right", ((get, other), (None, get)), "changed"), 100))
    rows = [tuple(part.strip() for part in row.split(" │ ")) for row in page.splitlines() if " │ " in row]
    assert rows == [
        ("- left", "+ right"),
        ("~ get  turn 1", "~ get  turn 2"),
        ("- id: 1", "+ id: 2"),
        ("→ paid", "→ the same"),
        ("", "+ get  turn 1"),
        ("", "+ id: 1"),
        ("", "+ → paid"),
    ]
    assert len({row.index("│") for row in page.splitlines() if " │ " in row}) == 1


def test_with_room_what_is_known_stands_beside_what_was_asked() -> None:
    case = CaseView("r-1", (("user", "Where is it?"),), "It was paid.", "Tomorrow.")
    rows = text(context_page(case, 100)).splitlines()
    assert any("Where is it?" in row and "It was paid." in row for row in rows)
    narrow = text(context_page(case, 60)).splitlines()
    assert not any("Where is it?" in row and "It was paid." in row for row in narrow)


def test_rules_say_first_how_many_each_side_breaks() -> None:
    rules = [RuleView("required: get", left=True, right=False), RuleView("no table", left=True, right=True)]
    page = text(rules_page("v4", "v5", rules)).splitlines()
    assert page[:2] == ["left  v4  keeps 2 of 2 rules", "right v5  breaks 1 of 2 rules"]
    assert "✓ left  ✗ right  required: get" in page


def test_a_bar_shows_what_is_done_failed_and_to_come() -> None:
    assert "".join(run.text for run in bar(StageView("answers", 10, 5, 2), 10)) == "█████▒▒░░░"


@pytest.mark.parametrize(
    ("seconds", "words"), [(None, "unknown"), (9, "9 s"), (75, "1 min 15 s"), (7260, "2 h 01 min")]
)
def test_durations_are_said_as_people_say_them(seconds: float | None, words: str) -> None:
    assert span(seconds) == words


def test_an_unknown_cost_is_said_to_be_unknown() -> None:
    page = text(
        progress_page(RunView("running", (), cost_usd=0.5, calls=72, unknown_costs=72, budget_usd=5.0))
    )
    assert "0.5000 USD of 5.00 USD" in page
    assert "in 72 calls; cost of 72 of 72 calls unknown" in page


def test_a_run_that_is_over_has_neither_a_rate_nor_a_time_left() -> None:
    assert "time left: unknown" in text(progress_page(RunView("running", ())))
    assert "time left" not in text(progress_page(RunView("complete", (), goes_on=False)))


@pytest.mark.parametrize("width", [40, 60, 200])
@pytest.mark.parametrize("state", ["fail", "unknown"])
def test_why_a_condition_does_not_pass_is_whole_at_any_width(state: State, width: int) -> None:
    why = "10 of 40 rows flip (25.0 %), at most 30 % allowed; position bias: each pass names another"
    first, *others = condition_rows(ConditionView("judge_health", state, why), width)
    assert " ".join(cells[-1].text.strip() for cells in (first, *others)) == why
    assert [cells[0].text for cells in others] == [""] * len(others)
