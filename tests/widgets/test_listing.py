from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import pytest
from tests.screens import shown, until
from textual.app import App, ComposeResult

from bothways.widgets.columns import Cells, Column
from bothways.widgets.listing import Listing
from bothways.widgets.plain import Run, fit, line


class Numbers(Sequence[Cells]):
    """A hundred thousand rows that remember which of them were looked at."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.looked: set[int] = set()

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Cells: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cells]: ...
    def __getitem__(self, index: int | slice) -> Cells | Sequence[Cells]:
        assert isinstance(index, int)
        self.looked.add(index)
        return (Run(f"row {index}"), Run("why"))


class ListApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield Listing((Column("name"), Column("why", 5, from_width=40)), empty=[line("do this")])

    def on_mount(self) -> None:
        self.watch(self.query_one(Listing), "cursor", self._hear, init=False)

    def _hear(self, row: int) -> None:
        self.heard.append(("moved", row))

    def on_listing_chosen(self, event: Listing.Chosen) -> None:
        self.heard.append(("chosen", event.row))


async def test_a_hundred_thousand_rows_cost_what_is_shown() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        listing = app.screen.query_one(Listing)
        rows = Numbers(100_000)
        listing.show(rows)
        await until(pilot, lambda: "row 0" in shown(app))
        await pilot.press("end")
        await until(pilot, lambda: "row 99999" in shown(app))
        assert len(rows.looked) < 100


async def test_keys_move_the_cursor_and_say_so() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.screen.query_one(Listing).show(Numbers(50))
        await pilot.press("down", "down", "up", "enter", "pagedown", "home")
        assert app.heard == [
            ("moved", 1),
            ("moved", 2),
            ("moved", 1),
            ("chosen", 1),
            ("moved", 20),
            ("moved", 0),
        ]


async def test_an_empty_list_says_what_to_do_and_takes_every_key() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.screen.query_one(Listing).show([])
        await pilot.press("down", "end", "enter", "pageup")
        await until(pilot, lambda: "do this" in shown(app))
        assert app.heard == []


async def test_a_click_moves_and_a_second_one_opens() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.screen.query_one(Listing).show(Numbers(50))
        await pilot.click(Listing, offset=(3, 4))
        await until(pilot, lambda: app.heard == [("moved", 3)])
        await pilot.click(Listing, offset=(3, 4), times=2)
        await until(pilot, lambda: ("chosen", 3) in app.heard)


async def test_a_narrow_list_leaves_columns_out() -> None:
    app = ListApp()
    async with app.run_test(size=(30, 20)) as pilot:
        app.screen.query_one(Listing).show(Numbers(50))
        await until(pilot, lambda: "row 0" in shown(app))
        assert "why" not in shown(app)


async def test_the_cursor_stays_on_the_screen_when_it_shrinks() -> None:
    app = ListApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.screen.query_one(Listing).show(Numbers(50), 18)
        await until(pilot, lambda: "▸row 18" in shown(app))
        await pilot.resize_terminal(60, 6)
        await until(pilot, lambda: "▸row 18" in shown(app))


@pytest.mark.parametrize(
    ("text", "width", "keep_end", "shown"),
    [
        ("refund-damaged-009", 14, 6, "refund-…ed-009"),
        ("refund-damaged-009", 20, 6, "refund-damaged-009  "),
        ("refund-damaged-009", 8, 6, "refund-…"),
        ("refund-damaged-009", 14, 0, "refund-damage…"),
        ("漢字漢字漢字漢字-09", 13, 4, "漢字漢 …字-09"),
    ],
)
def test_a_name_that_is_cut_keeps_the_end_that_tells_it_apart(
    text: str, width: int, keep_end: int, shown: str
) -> None:
    assert fit(text, width, keep_end) == shown
