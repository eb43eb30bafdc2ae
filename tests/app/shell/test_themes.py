"""Readable in every theme: computed from what is painted, with WCAG's formula."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from rich.color import Color
from rich.segment import Segment
from tests.app.shop import fill
from tests.screens import until
from textual.command import CommandList
from textual.containers import Vertical
from textual.pilot import Pilot

from bothways.app.desk.settings import Settings, ThemeName
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.state import Memory
from bothways.app.shell.app import Desk
from bothways.app.shell.themes import THEMES
from bothways.widgets.dialogs import Ask, Confirm, Field
from bothways.widgets.page import Page
from bothways.widgets.plain import TONES, Run

COMPUTED = [theme.name for theme in THEMES if not theme.ansi]
ENOUGH = 4.5


def luminance(color: Color) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def faint(segments: list[Segment]) -> list[tuple[str, float]]:
    """Return the words among them that are harder to read than they may be."""
    found = []
    for text, style, _ in segments:
        if style is None or not any(c.isalnum() for c in text):
            continue
        assert style.color is not None
        assert style.bgcolor is not None
        colors = (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)
        if (ratio := contrast(*colors)) < ENOUGH:
            found.append((text, round(ratio, 2)))
    return found


def painted(pilot: Pilot[None]) -> list[Segment]:
    """Return what stands on the screen in front: below a dialog everything is dimmed on purpose."""
    screen = pilot.app.screen
    strips = screen._compositor.render_strips()
    if screen.is_modal:
        inside = [*screen.query(CommandList), *screen.query(Vertical)]
        x, y, width, height = inside[0].region
        strips = [strip.crop(x, x + width) for strip in strips[y : y + height]]
    return [one for strip in strips for one in strip]


def test_the_settings_know_the_themes_that_there_are() -> None:
    assert get_args(ThemeName) == tuple(theme.name for theme in THEMES)


@pytest.mark.parametrize("theme", COMPUTED)
async def test_every_text_stands_out_from_what_is_behind_it(theme: ThemeName, tmp_path: Path) -> None:
    db = fill(tmp_path / "x.db", 16)
    memory = Memory(tmp_path / "memory.json")
    sitting = Sitting(db, memory, "kim", settings=Settings(theme=theme))
    app = Desk(sitting, screen="review", at=Pairing("plain line"))
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in "".join(one.text for one in painted(pilot)))
        assert faint(painted(pilot)) == []
        await pilot.press("g")
        await until(pilot, lambda: "sign test" in "".join(one.text for one in painted(pilot)))
        app.notify("something was said", severity="warning")
        await until(pilot, lambda: "something was said" in "".join(one.text for one in painted(pilot)))
        assert faint(painted(pilot)) == []
        app.screen.query_one("#page", Page).show([(Run(f"tone {tone}", tone),) for tone in TONES])
        await until(pilot, lambda: "tone removed" in "".join(one.text for one in painted(pilot)))
        assert faint(painted(pilot)) == []
        for dialog in (Ask("Title", [Field("label", "value")], "explained"), Confirm("Sure?", "why")):
            await app.push_screen(dialog)
            await until(pilot, lambda: "escape" in "".join(one.text for one in painted(pilot)))
            assert faint(painted(pilot)) == []
            app.pop_screen()
        await pilot.press("colon")
        await until(pilot, lambda: "key: " in "".join(one.text for one in painted(pilot)))
        assert faint(painted(pilot)) == []
