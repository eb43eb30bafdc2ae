"""From one screen to the next. A screen is imported when it is first opened, not before the first paint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.screens.base import DeskScreen

if TYPE_CHECKING:
    from textual.app import App

__all__ = ["Opener", "gate_screen", "new_screen", "open_one", "review_screen", "run_screen", "to"]

Opener: TypeAlias = Callable[[Sitting, Pairing], DeskScreen]
"""What makes a screen about one candidate and one judge."""


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


def to(app: App[None], screen: DeskScreen) -> None:
    """Go to a screen: back to the one that shows the same where it is open already, so none stands twice."""
    for open_ in reversed(app.screen_stack[1:]):
        if isinstance(open_, DeskScreen) and (type(open_), open_.about) == (type(screen), screen.about):
            while app.screen is not open_:
                app.pop_screen()
            return
    app.push_screen(screen)


async def open_one(
    screen: DeskScreen, pairings: Sequence[Pairing], opener: Opener, beside: Sequence[str] = ()
) -> None:
    """Open what is about one candidate and judge; where there are several, ask which.

    `beside` is what to say of each. Call it in a worker: it waits for the answer.
    """
    at = 0
    if len(pairings) > 1:
        from bothways.widgets.dialogs import Choose

        said = beside or [""] * len(pairings)
        words = [f"{_words(pairing)}  {more}".strip() for pairing, more in zip(pairings, said, strict=True)]
        chosen = await screen.app.push_screen_wait(Choose("Which candidate, by which judge?", words))
        if chosen is None:
            return
        at = chosen
    to(screen.app, opener(screen.sitting, pairings[at]))


def _words(pairing: Pairing) -> str:
    return f"{pairing.candidate}  by {pairing.judge}" if pairing.judge else str(pairing.candidate)
