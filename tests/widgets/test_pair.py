from __future__ import annotations

from tests.screens import shown, until
from textual.app import App, ComposeResult
from textual.geometry import Region

from bothways.widgets.lines import Lines
from bothways.widgets.pair import PairView, SideText


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


async def test_the_divider_stays_in_its_column_whatever_the_text() -> None:
    app = PairApp()
    async with app.run_test(size=(61, 12)) as pilot:
        app.pair.show(SideText("v4", "a\x00b\x01c\x7f\n漢字" * 20), SideText("v5", "👍🏽🧑‍🚒é" * 20))
        await until(pilot, lambda: "漢" in shown(app))
        strips = app.pair.render_lines(Region(0, 0, 61, 12))
        assert {strip.crop(30, 31).text for strip in strips} == {"│"}
