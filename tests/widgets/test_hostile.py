from __future__ import annotations

import importlib
import pkgutil
import unicodedata

import pytest
from tests.screens import shown, until
from tests.widgets.feeds import ABSTRACT, FEEDS
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

import bothways.widgets
from bothways.widgets.pair import PairView
from bothways.widgets.rowview import SideText, Turn

HOSTILE = {
    "clipboard": "\x1b]52;c;QUJD\x1b\\",
    "clear screen": "a\x1b[2Jb\x1b[31m",
    "eight bit": "a\x9b31mb\x90q",
    "title": "\x1b]0;pwn\x07",
    "bidi": "invoice\u202egpj.exe \u2066x\u2069",
    "nul": "a\x00b\x01c\x7f",
    "surrogate": "a\ud800b",
    "lines": "one\ntwo\r\nthree\u2028four\u0085five\ttab",
    "wide": "漢字👍🏽🧑‍🚒é ﷽" * 20,
    "right to left": "שלום 123 abc (x) مرحبا",
}
SIZES = ((80, 24), (200, 60), (13, 5))


def all_widgets() -> set[type[Widget]]:
    for module in pkgutil.walk_packages(bothways.widgets.__path__, "bothways.widgets."):
        importlib.import_module(module.name)
    found: set[type[Widget]] = set()
    waiting: list[type[Widget]] = [Widget]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("bothways.widgets"):
                found.add(kind)
    return found - ABSTRACT


class Stage(App[None]):
    def __init__(self, feed: Widget) -> None:
        super().__init__()
        self.feed = feed

    async def on_mount(self) -> None:
        if isinstance(self.feed, Screen):
            await self.push_screen(self.feed)
        else:
            await self.screen.mount(self.feed)


def test_every_widget_is_fed() -> None:
    assert all_widgets() == set(FEEDS)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", FEEDS, ids=lambda kind: kind.__name__)
async def test_no_control_character_reaches_the_screen(kind: type[Widget], size: tuple[int, int]) -> None:
    app = Stage(FEEDS[kind](" ".join(HOSTILE.values())))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: bool(shown(app).strip()))
        screen = shown(app)
    assert not {c for c in screen if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"}
    assert not set(screen) & set("\u202e\u2066\u2069\u2028\x85")


@pytest.mark.parametrize(
    "text",
    [
        "[/foo]", "[/]", "[b]x", "[link=javascript:x]y", "a[@click=app.quit]b[/]", "[/", "x [/bold] y",
        "[type=missing]", "f [b + next", "[red]danger[/red]", "a[i] = b[j]", "[docs](a.b)", "[x] done",
        "[WARN] low", "[$accent]v", "[#888888]3s[/#888888]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", FEEDS, ids=lambda kind: kind.__name__)
async def test_what_looks_like_markup_is_shown_as_it_stands(kind: type[Widget], text: str) -> None:
    app = Stage(FEEDS[kind](text))
    async with app.run_test(size=(200, 60)) as pilot:
        await until(pilot, lambda: text in shown(app))


@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize("text", [*HOSTILE.values(), "[/foo]", "a[@click=app.quit]b[/]", "[x](javascript:y)"])
async def test_two_answers_read_as_one_or_rendered_are_as_safe(text: str, markdown: bool) -> None:
    widget = PairView()
    app = Stage(widget)
    async with app.run_test(size=(120, 30)) as pilot:
        turn = Turn(text, f"words {text} words")
        widget.set_differences("unified")
        widget.set_markdown(markdown)
        widget.show(
            SideText(text, f"# {text}", "", (turn,)), SideText(text, f"> {text} other", "", (turn, turn))
        )
        await until(pilot, lambda: "+ " in shown(app) and "words" in shown(app))
        screen = shown(app)
    assert not {c for c in screen if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"}
    assert not set(screen) & set("\u202e\u2066\u2069\u2028\x85")


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "漢" * 200_000, "word " * 40_000, "x\n" * 100_000], ids=lambda t: t[:2]
)
@pytest.mark.parametrize("kind", FEEDS, ids=lambda kind: kind.__name__)
async def test_a_text_of_200_000_characters_is_shown(kind: type[Widget], text: str) -> None:
    app = Stage(FEEDS[kind](text))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: text[0] in shown(app))


async def test_a_notification_is_never_read_as_markup(tmp_path: object) -> None:
    from pathlib import Path

    from bothways.app.desk.sitting import Sitting
    from bothways.app.desk.state import Memory
    from bothways.app.shell.app import Desk

    folder = Path(str(tmp_path))
    app = Desk(Sitting(folder / "x.db", Memory(folder / "m.json"), "kim"))
    async with app.run_test(notifications=True) as pilot:
        app.notify("[/foo] \x1b[2J", title="[/bar]\x1b")
        await until(pilot, lambda: "[/foo]" in shown(app) and "[/bar]" in shown(app))
        assert "\x1b" not in shown(app)
