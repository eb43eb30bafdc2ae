"""Reading what a Textual app shows, and waiting for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot

__all__ = ["shown", "until"]


def shown(app: App[Any]) -> str:
    """Return what stands on the screen, as plain text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


async def until(pilot: Pilot[Any], holds: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait until something holds; say what was on the screen when it never did."""
    ends = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < ends, f"never came true; the screen shows:\n{shown(pilot.app)}"
        await pilot.pause(0.01)
