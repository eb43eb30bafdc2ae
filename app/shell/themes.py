"""The desk's own themes. Meaning never rests on colour alone; these keep it readable too.

Every text in every tone has a contrast of 4.5 to 1 or more, computed by a test. "Blue and orange" are of
the palette of Okabe and Ito, told apart with any of the common colour blindnesses; "contrast" has black and
white; "ansi" takes the colours of the terminal as they are.
"""

from __future__ import annotations

from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

__all__ = ["THEMES"]

_DESK = Theme(
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
    variables={"primary-muted": "#2c3856"},  # behind the cursor; the usual one leaves muted words at 4.4
)
_PAPER = Theme(
    name="desk-paper",
    primary="#1f4fa3",
    secondary="#4a4a4a",
    accent="#8a4b00",
    success="#006b4f",
    warning="#8a4b00",
    error="#b00030",
    background="#fbfaf5",
    surface="#f3f1e8",
    panel="#e6e2d3",
    dark=False,
)
THEMES = (
    _DESK,
    _PAPER,
    replace(
        _DESK,
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
        variables={},
    ),
    replace(
        _PAPER,
        name="desk-blue-orange-paper",
        primary="#0072b2",
        accent="#6a3d00",
        success="#005a8f",
        warning="#6a3d00",
        error="#a34400",
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
        variables={"block-cursor-blurred-background": "#404040"},  # the palette's cursor: as above
    ),
    Theme(
        name="desk-contrast-paper",
        primary="#000000",
        secondary="#000000",
        accent="#00008b",
        success="#004d00",
        warning="#5c3a00",
        error="#8b0000",
        foreground="#000000",
        background="#ffffff",
        surface="#ffffff",
        panel="#e8e8e8",
        dark=False,
    ),
    BUILTIN_THEMES["ansi-dark"],
    BUILTIN_THEMES["ansi-light"],
)
