"""The copy menu: what of this place, and where to. It says what was done, never that it arrived."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from bothways.app.desk.copies import LIMIT, Copy, free_path, save, size_of
from bothways.app.desk.settings import CopyTo
from bothways.app.desk.sitting import Sitting
from bothways.widgets.columns import Column
from bothways.widgets.dialog import Dialog
from bothways.widgets.dialogs import Ask, Field
from bothways.widgets.listing import Listing
from bothways.widgets.plain import Run
from bothways.widgets.stock import plain

__all__ = ["CopyMenu", "copy_out"]


class Chosen(NamedTuple):
    """What is wanted, and where."""

    copy: Copy
    to: CopyTo


class CopyMenu(Dialog[Chosen | None]):
    """Offers what can be copied. Enter sends it to where the settings say, two keys to either place."""

    DEFAULT_CSS = """
    CopyMenu {
        & > Vertical { width: 78; }
        & Listing { height: 10; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "take('terminal')", "To the terminal", id="copy.terminal"),
        Binding("f", "take('file')", "To a file", id="copy.file"),
        Binding("escape", "leave", "Leave", id="copy.leave"),
    ]

    def __init__(self, copies: Sequence[Copy], usual: CopyTo) -> None:
        super().__init__()
        self._copies = tuple(copies)
        self._usual = usual

    def compose(self) -> ComposeResult:
        """Lay out what there is and the ways to take it."""
        with Vertical():
            yield Static("Copy what?", classes="dialog-title")
            listing = Listing((Column(""), Column("", 12)), id="copies")
            listing.show([(Run(copy.name), Run(f"{size_of(copy):>12}", "muted")) for copy in self._copies])
            yield listing
            usual = "the terminal" if self._usual == "terminal" else "a file"
            yield Static(
                plain(
                    f"enter: to {usual} · t terminal (OSC 52: whether it arrives, the terminal decides; many "
                    f"take {LIMIT // 1000} KB at most) · f file · escape leaves"
                ),
                classes="dialog-hint",
            )

    @on(Listing.Chosen)
    def _chosen(self, event: Listing.Chosen) -> None:
        event.stop()
        self.action_take(self._usual)

    def action_take(self, to: CopyTo) -> None:
        """Close with what the cursor stands on."""
        self.dismiss(Chosen(self._copies[self.query_one(Listing).cursor], to))

    def action_leave(self) -> None:
        """Copy nothing."""
        self.dismiss(None)


async def copy_out(app: App[None], sitting: Sitting, copies: Sequence[Copy]) -> None:
    """Ask what is wanted and where to, and do that."""
    chosen = await app.push_screen_wait(CopyMenu(copies, sitting.settings.copy))
    if chosen is None:
        return
    copy = chosen.copy
    if chosen.to == "file":
        await _to_file(app, sitting, copy)
        return
    app.copy_to_clipboard(copy.clean)
    large = len(copy.encoded) > LIMIT
    warning = f" Many take {LIMIT // 1000} KB at most: a file is safer." if large else ""
    app.notify(
        f"{size_of(copy)} sent to the terminal as OSC 52; whether it arrives, the terminal decides.{warning}",
        severity="warning" if large else "information",
    )


async def _to_file(app: App[None], sitting: Sitting, copy: Copy) -> None:
    path = free_path(sitting.db.absolute().parent, copy)
    field = Field("into a new file", str(path), required="A file has a name.")
    filled = await app.push_screen_wait(Ask(f"Save {copy.name}", [field], size_of(copy)))
    if not filled.saved:
        return
    path = Path(filled.values[0]).expanduser()
    try:
        save(copy, path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        app.notify(str(error), title="It was not saved", severity="error")
    else:
        app.notify(f"{size_of(copy)} saved in {path}")
