"""Terminals that report their size as 0 × 0 pixels."""

from __future__ import annotations

from textual.events import Resize

__all__ = ["ignore_empty_pixels"]


def ignore_empty_pixels() -> None:
    """Read such a report as one without pixels: Textual would divide the place of every click by them.

    Textual makes its parser of terminal input deep inside, so this replaces the one function that both
    numbers go through.
    """
    known = Resize.from_dimensions

    def from_dimensions(cells: tuple[int, int], pixels: tuple[int, int] | None) -> Resize:
        return known(cells, pixels if pixels is not None and all(pixels) else None)

    Resize.from_dimensions = from_dimensions  # type: ignore[method-assign]
