from __future__ import annotations

import time
from collections.abc import Iterable
from threading import Event

import pytest
from tests.screens import shown, until
from textual.app import App, ComposeResult
from textual.geometry import Region

from bothways.engine.diff import Diff
from bothways.widgets import beside, pair
from bothways.widgets.lines import Lines
from bothways.widgets.pair import PairView
from bothways.widgets.rowview import SideText, Turn


class PairApp(App[None]):
    def compose(self) -> ComposeResult:
        yield PairView()

    @property
    def pair(self) -> PairView:
        return self.screen.query_one(PairView)


def underlined(widget: Lines) -> list[str]:
    strips = widget.render_lines(Region(0, 0, widget.size.width, widget.size.height))
    return [seg.text for strip in strips for seg in strip if seg.style is not None and seg.style.underline]


async def test_both_answers_stand_side_by_side() -> None:
    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.pair.show(SideText("v4", "old words"), SideText("v5", "new words"))
        await until(pilot, lambda: "old words" in shown(app) and "new words" in shown(app))
        row = next(row for row in shown(app).splitlines() if "old words" in row)
        assert row.index("│") == 29


async def test_words_that_differ_are_underlined_until_it_is_switched_off() -> None:
    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.pair.show(SideText("v4", "old words"), SideText("v5", "new words"))
        await until(pilot, lambda: underlined(app.pair) == ["old", "new"])
        app.pair.set_differences("off")
        await until(pilot, lambda: underlined(app.pair) == [])


async def test_they_scroll_together_and_end_with_the_longer_one() -> None:
    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        left = "\n".join(f"left {n}" for n in range(100))
        right = "\n".join(f"right {n}" for n in range(30))
        app.pair.show(SideText("v4", left), SideText("v5", right))
        app.pair.focus()
        await pilot.press("down", "down")
        await until(pilot, lambda: "left 2" in shown(app) and "left 1 " not in shown(app))
        assert "right 2" in shown(app)
        await pilot.press("end")
        await until(pilot, lambda: "left 99" in shown(app))
        await pilot.press("home")
        await until(pilot, lambda: "left 0" in shown(app) and "right 0" in shown(app))


async def test_one_side_can_have_the_whole_width() -> None:
    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.pair.show(SideText("v4", "old words"), SideText("v5", "new words"))
        app.pair.maximise(1)
        await until(pilot, lambda: "new words" in shown(app) and "old words" not in shown(app))


async def test_a_missing_answer_says_why() -> None:
    app = PairApp()
    async with app.run_test(size=(80, 12)) as pilot:
        app.pair.show(SideText("v4", "", "no answer · timeout: after 120 s"), SideText("v5", "new"))
        await until(pilot, lambda: "no answer · timeout: after 120 s" in shown(app))


async def test_long_texts_are_compared_without_blocking_and_marked_when_ready() -> None:
    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        text = "some words here " * 3_000
        app.pair.show(SideText("v4", f"old {text}"), SideText("v5", f"new {text}"))
        await until(pilot, lambda: underlined(app.pair) == ["old", "new"])


async def test_what_was_compared_too_late_marks_nothing_in_the_next_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared, begun, go_on = beside.compared, Event(), Event()

    def slowly(pairs: Iterable[beside.Pair]) -> list[Diff]:
        begun.set()
        go_on.wait(60)
        return compared(pairs)

    app = PairApp()
    async with app.run_test(size=(60, 12)) as pilot:
        monkeypatch.setattr(pair, "compared", slowly)
        app.pair.show(SideText("v4", "old words here " * 9_000), SideText("v5", "new words here " * 9_000))
        await until(pilot, begun.is_set)
        late = next(iter(app.pair.workers))
        monkeypatch.undo()
        app.pair.show(SideText("v4", "one two"), SideText("v5", "one three"))
        go_on.set()
        await until(pilot, lambda: late.is_finished)
        await pilot.pause()
        assert underlined(app.pair) == ["two", "three"]


async def test_the_divider_stays_in_its_column_whatever_the_text() -> None:
    app = PairApp()
    async with app.run_test(size=(61, 12)) as pilot:
        app.pair.show(SideText("v4", "a\x00b\x01c\x7f\n漢字" * 20), SideText("v5", "👍🏽🧑‍🚒é" * 20))
        await until(pilot, lambda: "漢" in shown(app))
        strips = app.pair.render_lines(Region(0, 0, 61, 12))
        assert {strip.crop(30, 31).text for strip in strips} == {"│"}


async def test_differences_go_from_words_to_one_text_to_off_and_back() -> None:
    app = PairApp()
    async with app.run_test(size=(70, 12)) as pilot:
        app.pair.show(SideText("v4", "same\nold words"), SideText("v5", "same\nnew words"))
        app.pair.cycle_differences()
        await until(pilot, lambda: " - old words" in shown(app) and " + new words" in shown(app))
        assert shown(app).splitlines()[0].split() == ["-", "v4", "+", "v5", "14", "and", "14", "characters"]
        assert shown(app).count("same") == 1
        assert underlined(app.pair) == ["old", "new"]
        app.pair.cycle_differences()
        await until(pilot, lambda: "│" in shown(app) and underlined(app.pair) == [])
        app.pair.cycle_differences()
        await until(pilot, lambda: underlined(app.pair) == ["old", "new"])


async def test_an_answer_beside_none_is_not_read_as_one_text() -> None:
    app = PairApp()
    async with app.run_test(size=(80, 12)) as pilot:
        app.pair.set_differences("unified")
        app.pair.show(SideText("v4", "", "no answer"), SideText("v5", "new words"))
        await until(pilot, lambda: "no answer" in shown(app) and "│ new words" in shown(app))
        app.pair.show(SideText("v4", "a part", "cut off:\nno end"), SideText("v5", "new words"))
        await until(pilot, lambda: "a part" in shown(app) and "│ new words" in shown(app))
        assert "cut off:" in shown(app).splitlines()[1]
        assert "no end" in shown(app).splitlines()[2]


async def test_markdown_is_rendered_on_request_and_says_so() -> None:
    app = PairApp()
    async with app.run_test(size=(90, 12)) as pilot:
        app.pair.show(SideText("v4", "**old** words"), SideText("v5", "- new `words`"))
        await until(pilot, lambda: "**old** words" in shown(app) and "Markdown" not in shown(app))
        app.pair.set_markdown(True)
        await until(pilot, lambda: " old words" in shown(app) and "• new `words`" in shown(app))
        assert shown(app).splitlines()[0].count("Markdown") == 2
        app.pair.set_markdown(False)
        await until(pilot, lambda: "**old** words" in shown(app) and "Markdown" not in shown(app))


async def test_a_text_too_long_for_markdown_says_that_it_is_not_rendered() -> None:
    app = PairApp()
    async with app.run_test(size=(120, 12)) as pilot:
        app.pair.show(SideText("v4", "**long** " * 1_000), SideText("v5", "**short**"))
        app.pair.set_markdown(True)
        await until(pilot, lambda: "over 8,000: not rendered" in shown(app))
        assert "**long**" in shown(app)
        assert "**short**" not in shown(app)


async def test_a_table_finds_its_columns_again_when_there_is_room() -> None:
    table = "| a long name | another one |\n|---|---|\n| 1 | 2 |"
    app = PairApp()
    async with app.run_test(size=(40, 12)) as pilot:
        app.pair.show(SideText("v4", table), SideText("v5", table))
        app.pair.set_markdown(True)
        await until(pilot, lambda: "another one: 2" in shown(app))
        await pilot.resize_terminal(120, 12)
        await until(pilot, lambda: "1           │ 2" in shown(app))


async def test_turns_of_a_conversation_begin_in_the_same_row() -> None:
    app = PairApp()
    said = Turn("assistant", "Goodbye.")
    left = SideText("v4", "", "", (Turn("user", "a long question " * 9), said))
    right = SideText("v5", "", "", (Turn("user", "short"), said))
    async with app.run_test(size=(60, 20)) as pilot:
        app.pair.show(left, right)
        await until(pilot, lambda: "Goodbye." in shown(app))
        row = next(row for row in shown(app).splitlines() if "Goodbye." in row)
        assert row.count("Goodbye.") == 2


async def test_a_resize_drag_wraps_anew_and_ends_where_it_began() -> None:
    app = PairApp()
    async with app.run_test(size=(200, 30)) as pilot:
        text = "\n".join(f"left {n} with some words" for n in range(200))
        app.pair.show(SideText("v4", text), SideText("v5", text))
        app.pair.scroll_rows_to(50)
        await until(pilot, lambda: "left 50" in shown(app))
        for width in (150, 80, 40, 20, 10, 3, 2, 1, 10, 80, 200):
            await pilot.resize_terminal(width, 30)
        await until(pilot, lambda: "left 50 with some words" in shown(app).splitlines()[1])


@pytest.mark.parametrize("width", [9, 10, 11, 12, 33, 61])
async def test_the_divider_stays_at_odd_widths_and_no_letter_is_cut_in_half(width: int) -> None:
    app = PairApp()
    text = "漢字✌️👍🏽🧑‍🚒🇩🇪é\u0301 ﷽ ไทย ＦＵＬＬ שלום 123 abc a\tb" * 5
    async with app.run_test(size=(width, 12)) as pilot:
        app.pair.show(SideText("v4", text), SideText(text, text))
        await until(pilot, lambda: "漢" in shown(app))
        strips = app.pair.render_lines(Region(0, 0, width, 12))
        left = (width - 1) // 2
        assert {strip.cell_length for strip in strips} == {width}
        assert {strip.crop(left, left + 1).text for strip in strips} == {"│"}


async def test_tabs_stand_at_the_same_columns_on_both_sides() -> None:
    app = PairApp()
    async with app.run_test(size=(81, 12)) as pilot:
        app.pair.show(SideText("v4", "a\tb\n\tindent"), SideText("v5", "a\tb\nlonger\tc"))
        await until(pilot, lambda: "indent" in shown(app))
        lines = shown(app).splitlines()
    (first,) = [line for line in lines if "a   b" in line]
    assert first.count("a   b") == 2
    assert any("    indent" in line and "longer  c" in line for line in lines)


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "word " * 200_000, "漢" * 300_000, "é’ x" * 250_000, "x\n" * 300_000],
    ids=["one word", "words", "double", "accents", "lines"],
)
async def test_a_megabyte_is_there_at_once_and_its_end_soon(text: str) -> None:
    app = PairApp()
    async with app.run_test(size=(121, 40)) as pilot:
        started = time.thread_time()
        app.pair.show(SideText("v4", text), SideText("v5", text + "!"))
        app.pair.render_lines(Region(0, 0, 121, 40))
        assert time.thread_time() - started < 2
        app.pair.action_scroll_bottom()
        assert time.thread_time() - started < 20
        await until(pilot, lambda: "!" in shown(app))


async def test_read_as_one_text_a_long_answer_is_still_in_sight_where_it_has_fewer_rows() -> None:
    app = PairApp()
    async with app.run_test(size=(81, 12)) as pilot:
        app.pair.show(SideText("v4", "x" * 45_000), SideText("v5", "x" * 45_000))
        app.pair.action_scroll_bottom()
        app.pair.set_differences("unified")
        await until(pilot, lambda: shown(app).splitlines()[0].split()[:2] == ["-", "v4"])
        await until(pilot, lambda: shown(app).splitlines()[-1].strip().startswith("xxx"))


async def test_equal_answers_end_in_the_same_row_whatever_the_width() -> None:
    app = PairApp()
    async with app.run_test(size=(80, 12)) as pilot:
        app.pair.show(SideText("v4", "x" * 5_000), SideText("v5", "x" * 5_000))
        app.pair.action_scroll_bottom()
        await until(pilot, lambda: shown(app).splitlines()[-1].count("x") > 0)
        left, right = shown(app).splitlines()[-1].split("│")
        assert left.strip() == right.strip()
