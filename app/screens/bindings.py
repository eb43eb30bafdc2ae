"""What Textual and the footer are given of the table of keys."""

from __future__ import annotations

from collections.abc import Container

from textual.binding import Binding, BindingType

from bothways.app.desk.keys import KEYS, SHIPPED, Place
from bothways.widgets.keybar import Hint

__all__ = ["bindings", "hints"]


def bindings(place: Place) -> list[BindingType]:
    """Return the Textual bindings of a screen, as they come: a person's own keys are Textual's key map."""
    return [
        Binding(key.keys, key.action, key.label, show=False, id=key.id)
        for key in (*SHIPPED[place], *SHIPPED["everywhere"])
    ]


def hints(place: Place, can: Container[str] | None = None) -> list[Hint]:
    """Return the footer of a screen: at most seven keys, of its own only those whose id is in `can`."""
    own = [key for key in KEYS[place] if key.foot and (can is None or key.id in can)][:6]
    rest = [key for key in KEYS["everywhere"] if key.foot]
    room = 7 - min(len(own), 6)
    return [Hint(key.id, key.shown, key.foot) for key in (*own, *rest[-room:])]
