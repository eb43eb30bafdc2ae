"""The desk's own themes. Meaning never rests on colour alone; these keep it readable too."""

from __future__ import annotations

from textual.theme import Theme

__all__ = ["DEFAULT_THEME", "THEMES"]

DEFAULT_THEME = "desk"

THEMES = (
    Theme(
        name="desk",
        primary="#7aa2f7",
        secondary="#9aa5ce",
        accent="#e0af68",
        success="#73daca",
        warning="#e0af68",
        error="#ff7a93",
        background="#16161e",
        surface="#1a1b26",
        panel="#24283b",
        dark=True,
    ),
    # Blue and orange instead of green and red: told apart with any of the common colour blindnesses.
    Theme(
        name="desk-blue-orange",
        primary="#56b4e9",
        secondary="#999999",
        accent="#f0e442",
        success="#56b4e9",
        warning="#f0e442",
        error="#e69f00",
        background="#101010",
        surface="#181818",
        panel="#262626",
        dark=True,
    ),
    Theme(
        name="desk-contrast",
        primary="#ffffff",
        secondary="#ffffff",
        accent="#ffff00",
        success="#00ff00",
        warning="#ffff00",
        error="#ff8080",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#202020",
        dark=True,
    ),
    Theme(
        name="desk-paper",
        primary="#1f4fa3",
        secondary="#4a4a4a",
        accent="#8a4b00",
        success="#006b4f",
        warning="#8a5a00",
        error="#b00030",
        background="#fbfaf5",
        surface="#f3f1e8",
        panel="#e6e2d3",
        dark=False,
    ),
)
