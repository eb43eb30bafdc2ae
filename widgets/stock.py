"""What Textual's own widgets are given of somebody's text."""

from __future__ import annotations

from textual.content import Content

from bothways.engine.text import visible

__all__ = ["plain"]


def plain(text: str) -> Content:
    """Return untrusted text as content that a stock widget shows as it is."""
    return Content(visible(text))
