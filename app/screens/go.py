"""From one screen to the next. A screen is imported when it is first opened, not before the first paint."""

from __future__ import annotations

from collections.abc import Sequence

from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens.base import DeskScreen

__all__ = ["gate_screen", "new_screen", "review_screen", "run_screen"]


def review_screen(sitting: Sitting, pairing: Pairing, only: Sequence[str] = ()) -> DeskScreen:
    """Return the review, of all rows or of the named cases."""
    from bothways.app.screens.review import ReviewScreen

    return ReviewScreen(sitting, pairing, only)


def gate_screen(sitting: Sitting, pairing: Pairing) -> DeskScreen:
    """Return the gate."""
    from bothways.app.screens.gate import GateScreen

    return GateScreen(sitting, pairing)


def run_screen(sitting: Sitting, pairing: Pairing) -> DeskScreen:
    """Return the run."""
    from bothways.app.screens.run import RunScreen

    return RunScreen(sitting, pairing)


def new_screen(sitting: Sitting, follows: str | None = None) -> DeskScreen:
    """Return the form of a new experiment, on its draft or as one that follows another."""
    from bothways.app.screens.new import NewScreen

    return NewScreen(sitting, follows)
