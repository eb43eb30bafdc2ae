"""What has too little room says so: … where a line was cut, ▼ where a page goes on."""

from __future__ import annotations

import pytest
from tests.screens import shown, until
from textual.app import App, ComposeResult

from bothways.widgets.lines import Brief, Lines, OneLine
from bothways.widgets.page import Page
from bothways.widgets.plain import line

WORDS = " ".join(f"word{n}" for n in range(40))


class Cut(App[None]):
    CSS = "Brief { height: 3; } Page { height: 4; }"

    def compose(self) -> ComposeResult:
        yield OneLine()
        yield Brief()
        yield Page([line(f"line {n}") for n in range(9)])

    def on_mount(self) -> None:
        self.query_one(OneLine).show(line(WORDS))
        self.query_one(Brief).show(line(WORDS))


async def test_what_is_cut_ends_in_dots_and_a_page_that_goes_on_has_a_sign() -> None:
    app = Cut()
    async with app.run_test(size=(40, 20)) as pilot:
        await until(pilot, lambda: "line 3" in shown(app))
        rows = shown(app).splitlines()
        assert rows[0].endswith("…")
        assert rows[1].startswith("word0")
        assert [row.endswith("…") for row in rows[1:4]] == [False, False, True]
        assert rows[7].endswith(" ▼")
        app.query_one(Page).scroll_rows_to(5)
        await until(pilot, lambda: "line 8" in shown(app))
        assert "▼" not in shown(app)


def test_what_paints_nothing_of_its_own_is_no_widget() -> None:
    class Nothing(Lines):
        pass

    with pytest.raises(TypeError, match="abstract method"):
        Nothing()  # type: ignore[abstract]
